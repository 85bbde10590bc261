{#
  The plan of one statement: the facts about the data, and the sums that the metrics need at each grain.

  A metric is an expression. It asks for a sum with `need(...)`, which notes the aggregate at its grain and returns its
  hole. Two metrics that need the same sum share one column. A stage without needs is not written.
#}

{#
  A plan before any metric is asked: the facts about the data.

  Args: those of `evaluate`, without the metrics, and these, which the Python API passes:
    columns: a mapping of names to quoted columns, for the columns that metrics name; without it, columns are SQL
      (plan/expressions.sql)
    examples: true if a check also reports an offending value
    shell: for a macro of a shell, the result of `shell_plan_of`
    replicates: for a bootstrap, the number of draws of lists or rows (inference/bootstrap.sql)
  Returns: a dict, see `nothing_asked`
  Errors: facts that are invalid or contradict each other
#}
{% macro facts(
    relation=none, label=none, score=none, group=none, item=none, weight=none, by=[], total=true,
    truth=none, truth_by=[], subtopic=none, prediction=none, catalog=none, history=none, distances=none, category=none,
    max_grade=none, positive=none, ties=none, convention=none,
    on_extra='drop', on_duplicate='error', unjudged=none,
    score_levels='sorted', read_once=none, columns=none, examples=false, period=none, state=none, shell=none,
    interval=none, interval_method=none, n_resamples=200, replicates=none
) -%}
    {%- if kwargs -%}
        {{- sqlmetrics.refuse(
            "Unknown argument " ~ kwargs | join('=, ')
            ~ "=. Known: label, score, group, item, weight, by, total, truth, truth_by, subtopic, prediction,"
            ~ " catalog, history, distances, category, max_grade, positive, ties, convention, on_extra, on_duplicate,"
            ~ " unjudged, score_levels, read_once, interval, interval_method, n_resamples"
        ) -}}
    {%- endif -%}
    {%- if period is not none and state is none -%}
        {{- sqlmetrics.refuse("period= is for state and finish; elsewhere a period is one of by=") -}}
    {%- endif -%}
    {{- sqlmetrics.check_interval(interval, interval_method, n_resamples, state) -}}
    {%- set given_ties = ties -%}
    {%- set ties = sqlmetrics.convention(convention)['ties'] if ties is none else ties -%}
    {%- if ties not in ('average', 'worst', 'best', 'item', 'item desc') -%}
        {{- sqlmetrics.refuse("ties: '" ~ ties ~ "' is not known. Allowed: average, worst, best, item, item desc") -}}
    {%- endif -%}
    {%- if given_ties in ('item', 'item desc') and item is none -%}
        {{- sqlmetrics.refuse("ties='" ~ ties ~ "' needs item=, the column that decides") -}}
    {%- endif -%}
    {%- if truth is not none and (group is none or item is none) -%}
        {{- sqlmetrics.refuse("truth= needs group= and item=, the columns that join it to the predictions") -}}
    {%- endif -%}
    {%- if subtopic is not none and truth is none -%}
        {{- sqlmetrics.refuse(
            "subtopic= is a column of truth=, a second table with a row for each group, item and subtopic;"
            ~ " in one table an item would have its score several times"
        ) -}}
    {%- endif -%}
    {%- if truth is not none and prediction is not none -%}
        {{- sqlmetrics.refuse(
            "prediction= stands beside the label of its row,"
            ~ " so it does not go with truth=, where labels are in another table"
        ) -}}
    {%- endif -%}
    {%- if score_levels not in ('sorted', 'counted') -%}
        {{- sqlmetrics.refuse("score_levels: '" ~ score_levels ~ "' is not known. Allowed: sorted, counted") -}}
    {%- endif -%}
    {{- sqlmetrics.check_policies(on_extra, on_duplicate, unjudged, item, truth) -}}
    {%- set positive = 1 if positive is true else positive -%}
    {%- set is_limit = positive is number and positive is not boolean and positive | abs < 1e300 -%}
    {%- if not (positive is none or positive is string or is_limit) -%}
        {{- sqlmetrics.refuse("positive must be a number or the text of a positive label, got " ~ positive) -}}
    {%- elif truth is not none and positive is number and positive <= 0 -%}
        {{- sqlmetrics.refuse(
            "positive must be above 0 with truth=, where an item that is not judged has label 0, got " ~ positive
        ) -}}
    {%- endif -%}
    {%- if max_grade is not none and not sqlmetrics.is_argument(shell, max_grade)
        and not (max_grade is number and max_grade is not boolean and 1 <= max_grade <= 1000) -%}
        {{- sqlmetrics.refuse("max_grade must be a number >= 1 and <= 1000, got " ~ max_grade) -}}
    {%- endif -%}
    {%- set roles = {
        'label': label, 'group': group, 'item': item, 'weight': weight, 'prediction': prediction, 'subtopic': subtopic,
        'category': category,
    } -%}
    {%- if columns is none -%}{%- set roles = sqlmetrics.expressions(roles) -%}{%- endif -%}
    {%- set models = [] -%}
    {%- if score is mapping and not score -%}
        {{- sqlmetrics.refuse('score={} names no model; write score={"model a": "score_a"}') -}}
    {%- endif -%}
    {%- for name, column in (score if score is mapping else {none: score}).items() -%}
        {#- a model may have its rows in a relation of its own -#}
        {%- set own = column if column is mapping else {'sql': column, 'relation': none} -%}
        {%- do models.append({
            'name': name, 'score': own['sql'] if columns is not none else sqlmetrics.expression('score', own['sql']),
            'relation': own['relation'], 'read_once': own.get('read_once', sqlmetrics.is_query(own['relation'])),
            'source': 'sm_source_' ~ loop.index,
        }) -%}
    {%- endfor -%}
    {%- set slices = [] -%}
    {%- for column in sqlmetrics.columns_of(by) -%}
        {%- do slices.append({
            'sql': column['sql'], 'alias': column['alias'], 'name': column.get('name', column['alias']),
            'column': 'sm_by_' ~ loop.index,
            'in_truth': column.get('given', column['sql']) in ([truth_by] if truth_by is string else truth_by),
        }) -%}
    {%- endfor -%}
    {%- set periods = [] -%}
    {%- for column in sqlmetrics.columns_of(period) -%}
        {%- do periods.append(dict(column, name=column.get('name', column['alias']))) -%}
    {%- endfor -%}
    {%- set keys = (['sm_model'] if score is mapping else []) + (['sm_period'] if state == 'made' else [])
        + (['sm_replicate'] if replicates is not none else []) + (['sm_slice'] if slices else []) -%}
    {%- set plan = {
        'relation': relation, 'truth': truth,
        'read_once': sqlmetrics.is_query(relation) if read_once is none else read_once,
        'score': models[0]['score'], 'models': models, 'by': slices, 'keys': keys,
        'total': total and slices | length > 0,
        'catalog': catalog, 'history': history, 'distances': distances, 'max_grade': max_grade, 'positive': positive,
        'ties': ties,
        'convention': convention, 'on_extra': on_extra, 'on_duplicate': on_duplicate, 'unjudged': unjudged,
        'score_levels': score_levels if state is none else 'counted', 'columns': columns, 'examples': examples,
        'period': periods | first if periods else none, 'state': state, 'shell': shell, 'interval': interval,
        'interval_method': interval_method, 'n_resamples': n_resamples, 'replicates': replicates, 'per_list': none,
        'compared': none, 'unlike_classes': false,
    } -%}
    {%- do plan.update(roles) -%}
    {#- by= columns of the predictions alone: every list of the truth is due for each of their values -#}
    {%- do plan.update({'runs': slices | rejectattr('in_truth') | list if truth is not none else []}) -%}
    {%- do plan.update({'roles': ['label', 'score', 'group', 'item', 'weight']}) -%}
    {%- do sqlmetrics.nothing_asked(plan) -%}
    {%- do sqlmetrics.note_policies(plan) -%}
    {%- do sqlmetrics.note_state(plan) -%}
    {%- do return(plan) -%}
{%- endmacro %}

{#
  The parts of a plan besides the facts, empty.

  needs: grain -> column -> need (plan/needs.sql)
  grains: the rules of each grain (plan/grains.sql)
  sums: the grain of each sum
  reads: the columns that each grain reads
  declared: the columns that metrics declared (plan/columns.sql)

  Of the metric that is being asked:
    metric: its notation
    result: the prefix of its columns
    predicted_by: prediction or score, the source of a decision
    guards: the checks that make it NULL

  The last entries make up the result: its columns, checks and counts.
#}
{% macro nothing_asked(plan) -%}
    {%- set needs, grains = {}, sqlmetrics.grains() -%}
    {%- for grain in grains -%}{%- do needs.update({grain: {}}) -%}{%- endfor -%}
    {%- do plan.update({
        'needs': needs, 'grains': grains, 'sums': {}, 'reads': {'roles': {}}, 'declared': {}, 'literals': {},
        'over_items': false, 'orders_classes': false, 'list_weights': {}, 'item_weights': {}, 'cumulative_gains': {},
        'bins': {}, 'picks': {},
        'depths': [], 'exposure_orders': [], 'named_classes': [], 'points': none, 'point_order': [],
        'counted_lists': {}, 'critical_values': {}, 'exact_shares': [], 'resampled': {}, 'counts_units': false,
        'metric': none, 'result': none, 'predicted_by': 'score' if plan['prediction'] is none else 'prediction',
        'guards': [], 'guards_of_all': [], 'touched': {}, 'auc_variance': none,
        'results': [], 'checks': {}, 'audit': {}, 'counts': {}, 'bad_rows': {}, 'lists': {}, 'names': [],
    }) -%}
{%- endmacro %}


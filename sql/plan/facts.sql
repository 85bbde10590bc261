{#
  The plan of one statement: the facts about the data, and the sums that the metrics need at each grain.

  A metric is an expression. It asks for a sum with `need(...)`, which notes the aggregate at its grain and returns its
  hole. Two metrics that need the same sum share one column. A stage without needs is not written.
#}

{#
  A plan before any metric is asked: the facts about the data.

  Args: the question, and those of `evaluate`, without the metrics, and these, which the Python API passes:
    columns: a mapping of names to quoted columns, for the columns that metrics name; without it, columns are SQL
      (plan/expressions.sql)
    examples: true if a check also reports an offending value
    beside_booleans: label or prediction, the one of both that is a number where the other was a boolean
    said: in `state` and `finish`, the columns of the roles as the caller named them, which a state records; without
      it, their SQL (stages/state/facts.sql)
    made_where: in `finish`, the where= of the `state` that made the state
    zone: the time zone in which instants become days, where the call has such (stages/state/facts.sql)
    rank_of_score, rank_of_label: of integer or decimal numbers, what the caller can write in their place so that none
      are rounded
  Returns: a dict. No macro changes it; `with_facts` gives a plan other facts
  Errors: facts that are invalid or contradict each other
#}
{% macro facts(
    question, relation=none, label=none, score=none, models=none, group=none, item=none, weight=none, by=[], total=true,
    total_of='rows', total_name=none,
    truth=none, truth_by=[], subtopic=none, prediction=none, class_scores=none, catalog=none, history=none,
    distances=none, category=none,
    max_grade=none, positive=none, ties=none, convention=none,
    on_extra='drop', on_duplicate='error', unjudged=none, beside_booleans=none,
    score_levels='sorted', read_once=none, columns=none, examples=false, where=none, period=none, made_where=none,
    said=none, gold=none, gold_weight=none, interval=none, interval_method=none, tightest_at=none, n_resamples=200,
    zone=none, rank_of_score=none, rank_of_label=none, soft=false
) -%}
    {%- if made_where is not none and made_where is not string -%}
        {{- sqlmetrics.refuse("made_where= takes the where= of `state`, a text, got " ~ made_where) -}}
    {%- endif -%}
    {%- if total is not boolean -%}
        {{- sqlmetrics.refuse("total must be true or false, got " ~ sqlmetrics.shown(total)) -}}
    {%- elif total_of not in ('rows', 'slices') -%}
        {{- sqlmetrics.refuse("total_of: '" ~ total_of ~ "' is not known. Allowed: rows, slices") -}}
    {%- elif total_name is not none and (total_name is not string or not total_name | trim) -%}
        {{- sqlmetrics.refuse("total_name must be a text such as 'all', got " ~ sqlmetrics.shown(total_name)) -}}
    {%- endif -%}
    {{- sqlmetrics.check_condition(where) -}}
    {{- sqlmetrics.check_interval(interval, interval_method, n_resamples, tightest_at) -}}
    {%- set given_ties = ties -%}
    {%- set ties = sqlmetrics.convention(convention)['ties'] if ties is none else ties -%}
    {%- if ties not in ['average', 'worst', 'best'] + sqlmetrics.orders_of_items() | list -%}
        {{- sqlmetrics.refuse(
            "ties: '" ~ ties ~ "' is not known. Allowed: average, worst, best, "
            ~ sqlmetrics.orders_of_items() | join(', ')
        ) -}}
    {%- endif -%}
    {%- if given_ties in sqlmetrics.orders_of_items() and item is none and class_scores is none -%}
        {{- sqlmetrics.refuse("ties='" ~ ties ~ "' needs item=, the column that decides") -}}
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
    {{- sqlmetrics.check_policies(on_extra, on_duplicate, unjudged) -}}
    {%- if question['counts'] -%}
        {%- set lists = group if group != 'sm_row_number' else none -%}
        {{- sqlmetrics.check_needs_of_options({
            'truth': truth, 'group': class_scores or lists, 'item': item, 'truth_by': truth_by, 'subtopic': subtopic,
            'on_extra': on_extra, 'on_duplicate': on_duplicate, 'catalog': catalog, 'category': category,
            'ties': none if question['reads'] == 'state' or given_ties == 'average' else given_ties,
            'interval': interval, 'by': by,
            'interval_method': interval_method, 'n_resamples': n_resamples,
            'tightest_at': tightest_at, 'looks': interval_method == 'anytime',
            'total': total or question['has_total'], 'total_name': total_name,
        }) -}}
    {%- endif -%}
    {%- set positive = 1 if positive is true else positive -%}
    {%- set is_limit = positive is number and positive is not boolean and positive | abs < 1e300 -%}
    {%- if not (positive is none or positive is string or is_limit) -%}
        {{- sqlmetrics.refuse(
            "positive must be a number or the text of a positive label, got " ~ sqlmetrics.shown(positive)
        ) -}}
    {%- elif truth is not none and positive is number and positive <= 0 -%}
        {{- sqlmetrics.refuse(
            "positive must be above 0 with truth=, where an item that is not judged has label 0, got " ~ positive
        ) -}}
    {%- endif -%}
    {%- if max_grade is not none and not (max_grade is string and sqlmetrics.is_argument(question, max_grade))
        and not (max_grade is number and max_grade is not boolean and 1 <= max_grade <= 1000) -%}
        {{- sqlmetrics.refuse("max_grade must be a number >= 1 and <= 1000, got " ~ sqlmetrics.shown(max_grade)) -}}
    {%- endif -%}
    {{- sqlmetrics.check_options_of_soft(question, soft, label, {
        'positive': positive, 'truth': truth, 'class_scores': class_scores, 'gold': gold, 'unjudged': unjudged,
        'interval': interval,
    }) -}}
    {%- if soft and sqlmetrics.numbers_outcomes(question, group, interval) -%}
        {%- set group, read_once = 'sm_row_number', true -%}
    {%- endif -%}
    {%- set group = sqlmetrics.key_of_group(group, columns) -%}
    {%- set roles = {
        'label': label, 'group': group, 'item': item, 'weight': weight, 'prediction': prediction, 'subtopic': subtopic,
        'category': category,
    } -%}
    {%- if question['adds_up'] and said is none -%}
        {%- set said = sqlmetrics.said_columns(dict(roles, score=score)) -%}
    {%- endif -%}
    {%- if columns is none -%}{%- set roles = sqlmetrics.expressions(roles) -%}{%- endif -%}
    {%- set class_scores = sqlmetrics.class_scores_of(class_scores, score, truth, question, columns, ties) -%}
    {{- sqlmetrics.check_models(question, relation, models) -}}
    {%- set score = sqlmetrics.named_scores(score, models, relation) -%}
    {#- a state has the models in a column of its own -#}
    {%- set model_of_row = none if question['reads'] == 'state' else sqlmetrics.model_of_row(models, columns) -%}
    {%- set models = sqlmetrics.models_of(score, relation, columns) -%}
    {%- set relation = relation.values() | first if sqlmetrics.is_tables(relation) else relation -%}
    {%- set slices = [] -%}
    {%- for column in sqlmetrics.columns_of(by) -%}
        {%- do slices.append({
            'sql': column['sql'], 'alias': column['alias'], 'name': column.get('name', column['alias']),
            'column': 'sm_by_' ~ loop.index,
            'in_truth': column.get('given', column['sql']) in ([truth_by] if truth_by is string else truth_by),
        }) -%}
    {%- endfor -%}
    {%- set periods = [] -%}
    {%- if period is none or period is string or period is mapping -%}
        {%- for column in sqlmetrics.columns_of(period, 'period') -%}
            {%- do periods.append(dict(column, name=column.get('name', column['alias']))) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if period is not none and periods | length != 1 -%}
        {{- sqlmetrics.refuse(
            "period= takes one column, or one expression as {'week': \"date_trunc('week', day)\"}, got " ~ period
        ) -}}
    {%- endif -%}
    {%- set keys = (['sm_model'] if score is mapping and 'sm_model' not in question['keys'] else [])
        + question['keys'] + (['sm_slice'] if slices else []) -%}
    {%- do return(dict({
        'relation': relation, 'truth': truth,
        'read_once': sqlmetrics.is_query(relation) if read_once is none else read_once,
        'score': models[0]['score'], 'class_scores': class_scores, 'models': models, 'model_of_row': model_of_row,
        'by': slices, 'keys': keys,
        'total': total and slices | length > 0, 'total_of': total_of, 'total_name': total_name,
        'catalog': catalog, 'history': history, 'distances': distances, 'max_grade': max_grade, 'positive': positive,
        'ties': ties, 'beside_booleans': beside_booleans,
        'convention': convention, 'on_extra': on_extra, 'on_duplicate': on_duplicate, 'unjudged': unjudged,
        'score_levels': 'counted' if question['adds_up'] else score_levels, 'columns': columns, 'examples': examples,
        'period': periods | first if periods else none, 'where': where, 'gold': gold,
        'gold_weight': gold_weight,
        'made_where': where if question['ends'] == 'sums' else made_where, 'said': said,
        'interval': interval, 'interval_method': interval_method, 'tightest_at': tightest_at,
        'n_resamples': n_resamples, 'zone': zone,
        'rank_of_score': rank_of_score, 'rank_of_label': rank_of_label,
        'unlike_classes': false, 'soft': soft,
        'runs': slices | rejectattr('in_truth') | list if truth is not none else [],
    }, **dict(roles, weight='sm_whole' if soft and weight is none else roles['weight']))) -%}
{%- endmacro %}

{#
  The policies of `ties` by which the item decides, and the order of items. A text order is that of bytes, whatever
  the type and the collation of the column: 9 is above 10.
#}
{% macro orders_of_items() -%}
    {%- do return({
        'item': 'sm_item asc', 'item desc': 'sm_item desc', 'text desc': sqlmetrics.sql_bytes('sm_item') ~ ' desc',
    }) -%}
{%- endmacro %}

{# The order of items of equal score: by item, ascending unless `ties` sets another. #}
{% macro order_of_items(plan) -%}
    {%- set orders = sqlmetrics.orders_of_items() -%}
    {{- orders[plan['facts']['ties'] if plan['facts']['ties'] in orders else 'item'] -}}
{%- endmacro %}

{# Replaces facts of a plan. The old dict is not changed. #}
{% macro with_facts(plan) -%}
    {%- do plan.update({'facts': dict(plan['facts'], **kwargs)}) -%}
{%- endmacro %}

{#
  A plan of which no metric is asked yet.

  Args: those of `facts`; without a question it is that of `evaluate`
  Returns: a dict of named parts:
    question: what the call asks (questions/question.sql)
    facts: what the caller says about the data
    needs: grain -> column -> need (plan/needs.sql)
    grains: the rules of each grain (plan/grains.sql)
    sums: the grain of each sum
    reads: the columns that each grain reads
    declared: the columns that metrics declared (plan/columns.sql)
    asked: the metric that is being asked (`ask`)
    result: what the statement gives: its columns, its checks, its counts
    and what metrics ask of stages besides sums, such as bins, depths and cumulative gains
#}
{% macro empty_plan(question=none) -%}
    {%- do sqlmetrics.sql_dialect() -%}
    {%- set question = question or sqlmetrics.question() -%}
    {%- set facts = sqlmetrics.facts(question, **kwargs) -%}
    {%- set needs, grains = {}, sqlmetrics.grains() -%}
    {%- for grain in grains -%}{%- do needs.update({grain: {}}) -%}{%- endfor -%}
    {%- set plan = {
        'question': question, 'facts': facts, 'needs': needs, 'grains': grains, 'sums': {},
        'reads': {'roles': {}}, 'declared': {},
        'literals': {}, 'guards_of_all': [], 'of_state': {}, 'held': {},
        'over_items': false, 'orders_classes': false, 'list_weights': {}, 'item_weights': {}, 'best_orders': {},
        'cumulative_gains': {},
        'row_columns': {}, 'treatment': none, 'scoreless': false, 'reads_scores': none,
        'orders': {'label_quantiles': 'sm_label', 'error_quantiles': 'abs(sm_score - sm_label)'},
        'bins': {}, 'class_bins': {}, 'set_sizes': {}, 'picks': {}, 'subsets': {}, 'list_subsets': {}, 'depths': [],
        'exposure_orders': [],
        'points': none, 'band': none,
        'named_classes': facts['class_scores'] | map(attribute='kind') | unique | list,
        'point_order': [], 'counted_lists': {}, 'critical_values': {}, 'fourths': [], 'exact_shares': [], 'ends': [],
        'resampled': {}, 'resampling': none, 'counts_units': {}, 'auc_variance': none, 'auc_skew': false,
        'compared_metrics': [], 'pooled_sums': {},
        'argument_checks': {}, 'measures': {}, 'definitions': [], 'names_of_values': {},
        'result': {
            'columns': [], 'checks': {}, 'audit': {}, 'counts': {}, 'bad_rows': {}, 'lists': {}, 'names': [],
            'without_method': {},
        },
    } -%}
    {%- do sqlmetrics.ask(plan, none) -%}
    {%- do sqlmetrics.note_policies(plan) -%}
    {%- if question['reads'] == 'state' -%}{%- do sqlmetrics.note_state(plan) -%}{%- endif -%}
    {%- do return(plan) -%}
{%- endmacro %}

{#
  Begins to ask a metric.

  Args:
    metric: its notation, for errors
    prefix: the prefix of its columns
    by_score: true if a decision compares the score with a threshold, although there is a predicted class

  asked also holds `guards`, the checks that make the metric NULL, `touched`, the sums that it reads, by grain, and
  `pairs`, the name of the pairs of models that it reads of a state.
#}
{% macro ask(plan, metric, prefix=none, by_score=false) -%}
    {%- do plan.update({'asked': {
        'metric': metric, 'prefix': prefix, 'guards': plan['guards_of_all'] | list, 'touched': {},
        'predicted_by': 'score' if plan['facts']['prediction'] is none or by_score else 'prediction',
        'reads_score': metric is not none, 'pairs': none,
    }}) -%}
{%- endmacro %}

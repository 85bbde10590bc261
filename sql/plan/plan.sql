{#
  The plan of one statement: the facts about the data, and what the asked metrics need of each grain.

  A metric is an expression. Where it needs a sum it calls `need(...)`, which notes the aggregate at its grain and
  gives back the column that will hold it. Two metrics that need the same sum share the column, and a stage
  of which nothing is needed is not written.
#}

{#
  A plan of which nothing is asked yet: the facts about the data.

  Args: those of `evaluate`, without the metrics, and from the Python door
    columns: a mapping of names to quoted columns, where metrics name columns; without, columns are SQL (see columns.sql)
    examples: whether an offending value comes along beside its count
    shell: where the statement is a macro of a shell, what `shell_plan_of` says of it
    replicates: how often lists, or rows, are drawn, in the plan of what a bootstrap reads (statistics/bootstrap.sql)
  Returns: a dict, see below
  Errors: facts that cannot be
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
            "Unknown argument " ~ kwargs | join('=, ') ~ "=. Known: label, score, group, item, weight, by, total, truth, truth_by, subtopic, prediction,"
            ~ " catalog, history, distances, category, max_grade, positive, ties, convention, on_extra, on_duplicate, unjudged, score_levels, read_once,"
            ~ " interval, interval_method, n_resamples"
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
        {{- sqlmetrics.refuse("subtopic= is a column of truth=, a second table with a row for each group, item and subtopic; in one table an item would have its score several times") -}}
    {%- endif -%}
    {%- if truth is not none and prediction is not none -%}
        {{- sqlmetrics.refuse("prediction= stands beside the label of its row, so it does not go with truth=, where labels are in another table") -}}
    {%- endif -%}
    {%- if score_levels not in ('sorted', 'counted') -%}
        {{- sqlmetrics.refuse("score_levels: '" ~ score_levels ~ "' is not known. Allowed: sorted, counted") -}}
    {%- endif -%}
    {{- sqlmetrics.check_policies(on_extra, on_duplicate, unjudged, item, truth) -}}
    {%- set positive = 1 if positive is true else positive -%}
    {%- if not (positive is none or positive is string or (positive is number and positive is not boolean and positive | abs < 1e300)) -%}
        {{- sqlmetrics.refuse("positive must be a number or the text of a positive label, got " ~ positive) -}}
    {%- elif truth is not none and positive is number and positive <= 0 -%}
        {{- sqlmetrics.refuse("positive must be above 0 with truth=, where an item that is not judged has label 0, got " ~ positive) -}}
    {%- endif -%}
    {%- if max_grade is not none and not sqlmetrics.is_argument(shell, max_grade) and not (max_grade is number and max_grade is not boolean and 1 <= max_grade <= 1000) -%}
        {{- sqlmetrics.refuse("max_grade must be a number >= 1 and <= 1000, got " ~ max_grade) -}}
    {%- endif -%}
    {%- set roles = {
        'label': label, 'group': group, 'item': item, 'weight': weight, 'prediction': prediction, 'subtopic': subtopic, 'category': category,
    } -%}
    {%- if columns is none -%}{%- set roles = sqlmetrics.expressions(roles) -%}{%- endif -%}
    {%- set models = [] -%}
    {%- if score is mapping and not score -%}{{- sqlmetrics.refuse('score={} names no model; write score={"model a": "score_a"}') -}}{%- endif -%}
    {%- for name, column in (score if score is mapping else {none: score}).items() -%}
        {#- a model whose rows stand in a relation of their own -#}
        {%- set own = column if column is mapping else {'sql': column, 'relation': none} -%}
        {%- do models.append({
            'name': name, 'score': own['sql'] if columns is not none else sqlmetrics.expression('score', own['sql']), 'relation': own['relation'],
            'read_once': own.get('read_once', sqlmetrics.is_query(own['relation'])), 'source': 'sm_source_' ~ loop.index,
        }) -%}
    {%- endfor -%}
    {%- set slices = [] -%}
    {%- for column in sqlmetrics.columns_of(by) -%}
        {%- do slices.append({
            'sql': column['sql'], 'alias': column['alias'], 'name': column.get('name', column['alias']), 'column': 'sm_by_' ~ loop.index,
            'in_truth': column.get('given', column['sql']) in ([truth_by] if truth_by is string else truth_by),
        }) -%}
    {%- endfor -%}
    {%- set periods = [] -%}
    {%- for column in sqlmetrics.columns_of(period) -%}{%- do periods.append(dict(column, name=column.get('name', column['alias']))) -%}{%- endfor -%}
    {%- set keys = (['sm_model'] if score is mapping else []) + (['sm_period'] if state == 'made' else [])
        + (['sm_replicate'] if replicates is not none else []) + (['sm_slice'] if slices else []) -%}
    {%- set plan = {
        'relation': relation, 'truth': truth, 'read_once': sqlmetrics.is_query(relation) if read_once is none else read_once,
        'score': models[0]['score'], 'models': models, 'by': slices, 'keys': keys, 'total': total and slices | length > 0,
        'catalog': catalog, 'history': history, 'distances': distances,
        'max_grade': max_grade, 'positive': positive, 'ties': ties, 'convention': convention, 'on_extra': on_extra, 'on_duplicate': on_duplicate,
        'unjudged': unjudged, 'score_levels': score_levels if state is none else 'counted', 'columns': columns, 'examples': examples,
        'period': periods | first if periods else none, 'state': state, 'shell': shell, 'interval': interval,
        'interval_method': interval_method, 'n_resamples': n_resamples, 'replicates': replicates,
        'grains': [
            'rows', 'second_pass', 'label_quantiles', 'error_quantiles', 'ranks',
            'levels', 'peaks',
            'item_sums', 'grade_sums', 'hits', 'subtopics', 'list_sums', 'list_deviations', 'list_spreads',
            'row_deviations', 'row_spreads', 'group_sums', 'group_spreads', 'cluster_deviations', 'cluster_spreads',
            'classes', 'cells', 'scored', 'areas',
            'tops', 'top_lists', 'exposed', 'exposures', 'categories', 'pairs', 'users', 'repeated', 'catalog_items', 'interactions',
        ],
    } -%}
    {%- do plan.update(roles) -%}
    {%- for grain in plan['grains'] -%}{%- do plan.update({grain: {}}) -%}{%- endfor -%}
    {#- what the metrics ask of the stages besides sums; reach: down to which ranks sums over items go, by column; by_rank: aggregates of lists that
        are made otherwise where lists are ranked first -#}
    {%- do plan.update({
        'flags': {}, 'over_lists': false, 'over_items': false, 'cutoffs': [], 'reach': {}, 'by_rank': {}, 'list_weights': {}, 'item_weights': {},
        'bins': {}, 'picks': {},
        'depths': [], 'exposure_orders': [], 'popularity': [], 'named_classes': [], 'points': none, 'point_order': [], 'deviations': {},
    }) -%}
    {#- how metrics spread, by their expression; critical values, by stage and degrees of freedom; shares with exact intervals; what is bootstrapped -#}
    {%- do plan.update({'spreads': {}, 'critical_values': {}, 'exact_shares': [], 'resampled': {}, 'not_resampled': [], 'counts_units': false}) -%}
    {#- of the metric that is being asked: its notation, its column, what is read as a decision, the checks that make it null -#}
    {%- do plan.update({
        'metric': none, 'result': none, 'predicted_by': 'score' if prediction is none else 'prediction', 'error_bound': none,
        'guards': [], 'guards_of_all': [],
    }) -%}
    {#- the columns of the result -#}
    {%- do plan.update({
        'results': [], 'checks': {}, 'audit': {}, 'counts': {}, 'bad_rows': {}, 'per_list': none, 'compared': none, 'lists': {}, 'names': [],
    }) -%}
    {%- do sqlmetrics.note_policies(plan) -%}
    {%- do sqlmetrics.note_state(plan) -%}
    {#- by columns of the predictions alone: every list of the truth is due in each of their values -#}
    {%- do plan.update({'runs': slices | rejectattr('in_truth') | list if truth is not none else []}) -%}
    {%- do return(plan) -%}
{%- endmacro %}

{#
  Makes the plan of metrics: reads the facts, then asks every metric for its expression.

  Args: those of `evaluate`; per_list: where a list is to keep its own value (`per_group`), the alias and name of its column; compared: where
    models are compared, how (see compare.sql)
  Returns: a dict, see `facts`; `results` holds one entry a result column: `name`, `notation`, `value`
  Errors: a notation that cannot be read; two results of one name; whatever a metric refuses
#}
{% macro plan(metrics, per_list=none, compared=none) -%}
    {%- set plan = sqlmetrics.facts(**kwargs) -%}
    {%- set convention = sqlmetrics.convention(plan['convention']) -%}
    {%- do plan.update({'per_list': per_list, 'compared': compared}) -%}
    {%- if per_list is not none and plan['interval'] is not none -%}{{- sqlmetrics.refuse("per_group gives values of single lists, which have no interval; leave interval= out") -}}{%- endif -%}
    {%- set named = metrics if metrics is mapping else {} -%}
    {%- for entry in ([metrics] if metrics is string else metrics or []) -%}
        {%- set notation = named[entry] if metrics is mapping else entry -%}
        {%- set name = entry if metrics is mapping else sqlmetrics.column_name(notation) -%}
        {%- if name in plan['results'] | map(attribute='name') -%}
            {{- sqlmetrics.refuse("Two metrics would be named '" ~ name ~ "'. Pass a mapping of names to metrics") -}}
        {%- endif -%}
        {%- set parsed = sqlmetrics.parse_notation(notation) -%}
        {%- do plan.update({
            'metric': notation, 'guards': plan['guards_of_all'] | list, 'result': sqlmetrics.column_name(name if plan['state'] is none else notation),
            'error_bound': none, 'over_lists': false,
        }) -%}
        {#- what a decision is read from: the predicted class where there is one, unless a threshold is named -#}
        {%- do plan.update({'predicted_by': 'score' if plan['prediction'] is none or 'threshold' in parsed['params'] else 'prediction'}) -%}
        {%- set macro = sqlmetrics.metric_macro(parsed) -%}
        {%- set options = sqlmetrics.conventional(convention, macro) -%}
        {%- set value = sqlmetrics[macro](plan, **dict(options or {}, **parsed['params'])) | trim -%}
        {%- if plan['state'] is not none -%}{{- sqlmetrics.check_mergeable(plan) -}}{%- endif -%}
        {%- if plan['truth'] is not none and not plan['over_lists'] -%}
            {{- sqlmetrics.refuse("truth= serves metrics of lists and items only, such as ndcg@10 and map@10; '" ~ notation ~ "' is none") -}}
        {%- endif -%}
        {%- if per_list is not none and (plan['over_items'] or not plan['over_lists']) -%}
            {{- sqlmetrics.refuse("per_group takes metrics of lists, such as ndcg@10 and gauc; '" ~ notation ~ "' is none") -}}
        {%- endif -%}
        {%- do plan['results'].append({
            'name': name, 'notation': notation, 'value': sqlmetrics.guarded(plan, value),
            'conventional': plan['convention'] is none or options is not none,
        }) -%}
        {%- if compared is not none -%}
            {{- sqlmetrics.note_compared(plan, plan['results'][-1], value) -}}
        {%- elif plan['interval'] is not none -%}
            {{- sqlmetrics.add_interval(plan, name, notation, value) -}}
        {%- endif -%}
        {%- if plan['error_bound'] is not none -%}
            {#- by how much a metric over bins may be off -#}
            {%- do plan['results'].append({
                'name': name ~ '_error_bound', 'notation': notation, 'value': sqlmetrics.guarded(plan, plan['error_bound'] | trim),
            }) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if plan['ties'] in ('item', 'item desc') and plan['item'] is none and plan['list_sums'] -%}
        {{- sqlmetrics.refuse(
            "convention='" ~ plan['convention'] ~ "' has ties='" ~ plan['ties'] ~ "', which needs item=, the column that decides; pass it, or another ties="
        ) -}}
    {%- endif -%}
    {%- if plan['over_items'] and plan['on_duplicate'] == 'first' -%}
        {{- sqlmetrics.refuse("on_duplicate='first' serves metrics of lists; metrics of items need each item once in a list") -}}
    {%- endif -%}
    {%- if not plan['results'] -%}
        {{- sqlmetrics.refuse("No metric was asked for. Pass at least one, such as 'auc'") -}}
    {%- endif -%}
    {%- if plan['resampled'] -%}{%- do plan.update({'resampling': sqlmetrics.resampling_plan(plan, kwargs)}) -%}{%- endif -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# The macro behind a notation: a name with a cutoff is the list metric (`precision@10`) where both exist. #}
{% macro metric_macro(parsed) -%}
    {%- set over_lists = 'metric_' ~ parsed['name'] ~ '_at' -%}
    {%- set plain = 'metric_' ~ parsed['name'] -%}
    {%- if 'k' in parsed['params'] and over_lists in sqlmetrics -%}
        {%- do return(over_lists) -%}
    {%- elif plain not in sqlmetrics -%}
        {{- sqlmetrics.refuse("Unknown metric '" ~ parsed['name'] ~ "'. Known: " ~ sqlmetrics.known('metric_', parsed['name'])) -}}
    {%- endif -%}
    {%- do return(plain) -%}
{%- endmacro %}

{# The names of macros after a prefix that begin as a name does, or all of them. #}
{% macro known(prefix, name) -%}
    {%- set all, near = [], [] -%}
    {%- for macro in sqlmetrics if macro.startswith(prefix) and not macro.endswith('_at') -%}
        {%- do all.append(macro[prefix | length:]) -%}
        {%- if all[-1][:1] == name[:1] -%}{%- do near.append(all[-1]) -%}{%- endif -%}
    {%- endfor -%}
    {{- (near or all) | sort | join(', ') -}}
{%- endmacro %}

{#
  Notes an aggregate at a grain and gives the column that will hold it.

  Args:
    grain: `rows`, `centred` (rows, once their means are known), `list_deviations` and `list_spreads` (lists, once their averages are known; the former are no aggregates),
      `row_deviations` and `row_spreads` (the same of rows), `group_sums` and
      `group_spreads` (sums over the rows of each list, and how far these pull), `cluster_deviations` and `cluster_spreads` (the pulls of the rows of a list, summed up),
      `label_quantiles`, `error_quantiles` and `ranks` (rows in order), `levels`,
      `peaks` (levels, once their sums are known), `bins_...`, `gained` (rows of lists), `judged` (grades of lists), `hits` (first relevant
      ranks), `subtopics` (of the judged items of lists), `picks_...` (the same in an ideal order), `averages` (lists), `classes`, `cells` (of the confusion matrix), `scored` (examples whose classes have scores),
      `areas` (classes, by their AUC); of items, see stages/items.sql: `tops` (recommended rows of a list), `top_lists`, `exposed` (lists of an
      item), `exposures` (items), `categories`, `pairs`, `users`, `repeated`, `catalog_items`, `interactions`
    name: what the column is called, after `sm_`
    inner: the expression that is aggregated
    aggregate: sum, min, max or count
  Returns: the column; in an aggregate macro of a shell with the step in front that holds it
#}
{% macro need(plan, grain, name, inner, aggregate='sum') -%}
    {%- set wanted = {'aggregate': aggregate, 'inner': inner} -%}
    {%- if plan['state'] is not none and grain in ('rows', 'second_pass', 'list_sums') -%}
        {%- do return(sqlmetrics.need_in_state(plan, grain, 'sm_' ~ name, wanted)) -%}
    {%- endif -%}
    {%- set place = '' if plan['shell'] is none else plan['shell']['places'].get(grain, '') -%}
    {%- for column, known in plan[grain].items() if known == wanted -%}
        {%- do return(place ~ column) -%}
    {%- endfor -%}
    {%- set column = 'sm_' ~ name ~ ('' if not sqlmetrics.is_taken(plan, 'sm_' ~ name) else '_' ~ (plan[grain] | length + 1)) -%}
    {%- do plan[grain].update({column: wanted}) -%}
    {%- do return(place ~ column) -%}
{%- endmacro %}

{#
  The same for a sum over the items of lists (`gained`) that reads how they are ranked.

  Args:
    reach: the last rank whose items matter; none for all; 'tied' for all items that tie with others
#}
{% macro need_of_ranks(plan, reach, name, inner, aggregate='sum') -%}
    {%- set column = sqlmetrics.need(plan, 'item_sums', name, inner, aggregate) -%}
    {%- do plan['reach'].update({column: plan['reach'].get(column, []) + [reach]}) -%}
    {%- do return(column) -%}
{%- endmacro %}

{# The select-list entries of a grain's needs. #}
{% macro aggregates(plan, grain, only=none) -%}
    {%- set columns = [] -%}
    {%- for column, need in plan[grain].items() if only is none or column in only -%}
        {%- do columns.append(sqlmetrics.sql_aggregate(need['aggregate'], need['inner']) ~ ' as ' ~ column) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# Whether a grain has a column of that name already. #}
{% macro is_taken(plan, column) -%}
    {%- for grain in plan['grains'] if column in plan[grain] -%}
        {%- do return(true) -%}
    {%- endfor -%}
    {%- do return(false) -%}
{%- endmacro %}

{#
  Makes the metric null where the data break what it takes for granted, and counts how often.

  Args:
    grain: one of which the result has one row a slice, or one in all
    name: the result column of the count
    broken: a condition, true for an offending row, list or item
    message: what the door says, after the count; {value} stands for one offending value
    value: an expression, the offending value
#}
{% macro require(plan, grain, name, broken, message, value=none) -%}
    {%- set column = sqlmetrics.need(plan, grain, name, 'case when ' ~ broken ~ ' then 1 else 0 end') -%}
    {%- if column not in plan['checks'] -%}
        {%- set example = none if value is none or not plan['examples']
            else sqlmetrics.need(plan, grain, name ~ '_value', 'case when ' ~ broken ~ ' then ' ~ value ~ ' end', 'max') -%}
        {%- do plan['checks'].update({column: {'name': name, 'message': message, 'value': example, 'grain': grain}}) -%}
    {%- endif -%}
    {%- if column not in plan['guards'] -%}
        {%- do plan['guards'].append(column) -%}
    {%- endif -%}
{%- endmacro %}

{# A metric's expression, null where one of its guards counted something. #}
{% macro guarded(plan, value) -%}
    {%- if plan['shell'] is not none and plan['shell']['raises'] -%}
        {{- sqlmetrics.value_or_error(plan, value) -}}
    {%- elif not plan['guards'] -%}
        {{- value -}}
    {%- else -%}
        case when {{ plan['guards'] | join(' = 0 and ') }} = 0 then {{ value }} end
    {%- endif -%}
{%- endmacro %}

{# Refuses a metric whose role (label, score, group ...) was not given. The label that it asks for is a number. #}
{% macro need_role(plan, role) -%}
    {{- sqlmetrics.role_given(plan, role) -}}
    {%- if role == 'label' -%}{%- do plan['flags'].update({'numeric_label': true}) -%}{%- endif -%}
{%- endmacro %}

{# Refuses a metric whose role was not given. #}
{% macro role_given(plan, role) -%}
    {%- if plan[role] is none or (role == 'group' and sqlmetrics.numbers_rows(plan)) -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics." ~ plan['metric'] ~ ": needs " ~ role ~ "=, the column of the " ~ ('predicted class' if role == 'prediction' else role)
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# Refuses a parameter that is none of the allowed words. #}
{% macro one_of(plan, parameter, value, allowed) -%}
    {%- if value not in allowed -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics." ~ plan['metric'] ~ ": " ~ parameter ~ " must be one of " ~ allowed | join(', ') | replace('None', 'none') ~ ", got " ~ value
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# Refuses a parameter that is no number, or one outside [least, most]; a least of 1e-300 says: above 0. #}
{% macro number(plan, parameter, value, least=none, most=none, whole=false) -%}
    {%- if sqlmetrics.is_argument(plan.get('shell'), value) -%}
        {{- sqlmetrics.check_argument(plan, value, least, most, whole) -}}
    {%- elif value is not number or value is boolean or (whole and value is not integer)
        or (least is not none and value < least) or (most is not none and value > most) -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics." ~ plan['metric'] ~ ": " ~ parameter ~ " must be " ~ ('an integer' if whole else 'a number')
            ~ (' > 0' if least == 1e-300 else ' >= ' ~ least if least is not none else '')
            ~ (' and <= ' ~ most if most is not none and (not whole or value is number and value > most) else '') ~ ", got " ~ value
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# Two sums' quotient as a float; null where the denominator is 0. #}
{% macro ratio(numerator, denominator) -%}
({{ sqlmetrics.sql_double(numerator) }} / nullif({{ sqlmetrics.sql_double(denominator) }}, 0))
{%- endmacro %}

{# Select-list entries, one a line. #}
{% macro lines(entries, indent=4) -%}
    {%- set margin = '\n' ~ ' ' * indent -%}
    {%- set folded = [] -%}
    {%- for entry in entries -%}
        {%- set entry = sqlmetrics.sql_column(entry) if '.' in entry and ' ' not in entry and '*' not in entry else entry -%}
        {%- do folded.append(sqlmetrics.folded(entry, margin) if entry | length > 100 else entry) -%}
    {%- endfor -%}
    {{- margin ~ folded | join(',' ~ margin) -}}
{%- endmacro %}

{# A long entry with a line for each branch of its cases. A text in it may hold the same words, so such an entry stays as it is. #}
{% macro folded(entry, margin) -%}
    {%- if "'" in entry or '"' in entry or '`' in entry or '--' in entry or '/*' in entry -%}{%- do return(entry) -%}{%- endif -%}
    {%- set pieces = entry.replace(' when ', '\nwhen ').replace(' else ', '\nelse ').replace(' end', '\nend').split('\n') -%}
    {%- set lines, at = [], namespace(margin=margin) -%}
    {%- for piece in pieces -%}
        {%- if piece.startswith('end') -%}{%- set at.margin = at.margin[:-4] -%}{%- endif -%}
        {%- do lines.append(at.margin ~ piece) -%}
        {%- if piece.endswith('case') -%}{%- set at.margin = at.margin ~ '    ' -%}{%- endif -%}
    {%- endfor -%}
    {%- do return((lines | join)[margin | length:]) -%}
{%- endmacro %}

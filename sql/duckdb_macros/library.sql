{#
  The library for users of a DuckDB shell: the metrics as macros of the database, rendered from the
  definitions in `metrics/` and `curves/`.

  aggregates.sql makes `auc(label, score)`, for any GROUP BY. tables.sql makes `from gauc('p', ...)`, over a
  relation and its columns by name.
#}

{#
  The statements that create the macros of a shell, each below a comment that describes it.

  Args:
    metrics, curves: the entries, each with macro, name, notation, summary, parameters (name -> default) and
      the lines of its documentation; of metrics also range and unit
    schema: the schema of the macros, which is created too; none creates them in the schema of the connection
    temporary: true for macros that last no longer than the connection
  Returns: statements, each ending in a semicolon
  Example: {{ sqlmetrics.shell_library(metrics=metrics, curves=curves, schema='metrics') }}
#}
{% macro shell_library(metrics, curves, schema=none, temporary=false) -%}
    {%- if schema is not none and temporary -%}
        {{- sqlmetrics.refuse("temporary macros lie in no schema; leave out schema= or temporary=") -}}
    {%- endif -%}
    {%- set place = '' if schema is none else sqlmetrics.sql_quote(schema) ~ '.' -%}
    {%- set metrics = metrics | rejectattr('name', 'in', sqlmetrics.shell_leaves_out()) | list -%}
    {%- set parts = [sqlmetrics.shell_header()] -%}
    {%- if schema is not none -%}
        {%- do parts.append('create schema if not exists ' ~ sqlmetrics.sql_quote(schema) ~ ';') -%}
    {%- endif -%}
    {%- for metric in metrics -%}{%- do parts.append(sqlmetrics.shell_aggregate(metric, place)) -%}{%- endfor -%}
    {%- for metric in metrics -%}{%- do parts.append(sqlmetrics.shell_table(metric, place)) -%}{%- endfor -%}
    {%- for curve in curves -%}{%- do parts.append(sqlmetrics.shell_curve(curve, place)) -%}{%- endfor -%}
    {%- do parts.append(sqlmetrics.shell_evaluate(place)) -%}
    {%- set text = parts | select | join('\n\n') -%}
    {{- text | replace('create or replace macro', 'create or replace temporary macro') if temporary else text }}
{% endmacro %}

{# The head of the file. #}
{% macro shell_header() -%}
{{- '-- sqlmetrics for a DuckDB shell: metrics of classifiers, rankers and regressions as macros.'
    ~ ' Written by `sqlmetrics macros` of version ' ~ sqlmetrics.package_version() ~ '.' }}
--
-- .read sqlmetrics.sql makes them; reading it again replaces them. To see what there is:
--     select distinct function_name, comment from duckdb_functions() where not internal;
--
-- Above a million rows in a group, use the table macro of a metric if it has one: from auc('p', 'clicked', 'score').
-- An aggregate over score levels or a list takes three to five times as long and holds the rows of its group in memory:
-- 9 GB for the AUC of 20 million rows in one group.
--
-- Aggregate macros go with any GROUP BY, GROUPING SETS and HAVING:
--     select country, auc(clicked, score), log_loss(clicked, score) from p group by all;
--     select avg(value) from (select ndcg(grade, score, 10) as value from p group by query_id);
-- A row whose label or score is NULL is left out, as corr() leaves it out. DuckDB takes no FILTER on a macro:
--     write auc(case when device = 'phone' then clicked end, score).
{{ '-- A label or score that is NaN or infinite, a label that is neither 0 nor 1 where a class is meant,'
    ~ ' a score outside [0, 1] where a' }}
-- probability is meant: an error that says how many. A score of -inf ranks last where only the order is read.
--
-- Table macros take the name of a table, a view or a CTE, and its columns by name:
--     from gauc('p', label := 'clicked', score := 'score', "group" := 'user_id');
--     from auc('p', label := 'clicked', score := 'score', by := 'country', by2 := 'device');
-- Unusable rows are left out, and counted beside the number. They hold no list in memory that DuckDB could not spill.
{%- endmacro %}

{#
  Metrics with a number that shapes the formula, so that it cannot be an argument, and without which they
  equal another metric; metrics of any number of columns; summaries of a column, which a shell has; and metrics of
  items that have weights or groups.
#}
{% macro shell_leaves_out() -%}
    {%- do return([
        'f_beta', 'best_f_beta', 'best_f_beta_threshold', 'pinball', 'tweedie_deviance', 'd2_tweedie', 'adjusted_r2',
        'quantile_loss', 'wis', 'crps', 'pass', 'pass_all', 'mean', 'total', 'quantile', 'rate', 'ips_dcg',
        'ips_ndcg', 'exposure_parity_ratio', 'disparate_treatment_ratio', 'awrf',
    ]) -%}
{%- endmacro %}

{#
  The name of an aggregate macro if it differs from the name of the metric; none for a metric that is not one
  number for a group.
#}
{% macro shell_aggregate_name(metric) -%}
    {%- set names = {
        'jaccard': 'jaccard_index', 'metric_precision': 'precision_score', 'metric_map': 'average_precision_at',
        'metric_mrr': 'reciprocal_rank', 'metric_hit_rate': 'hit_rate_at',
        'count': none, 'gauc': none, 'gmap': none, 'success': none, 'top_k_accuracy': none,
    } -%}
    {%- set plain = metric['macro'] | replace('metric_', '', 1) -%}
    {%- do return(names.get(metric['macro'], names.get(metric['name'], plain))) -%}
{%- endmacro %}

{#
  The parameters that may be a number known only when the macro runs: the name of the argument, and its
  default if the metric has none. SQL reserves the word precision.
#}
{% macro shell_numbers() -%}
    {%- do return({
        'k': {'argument': 'k', 'otherwise': 1000000000}, 'threshold': {'argument': 'threshold'},
        'eps': {'argument': 'eps'}, 'share': {'argument': 'share'},
        'precision': {'argument': 'least'}, 'recall': {'argument': 'recall'}, 'fpr': {'argument': 'fpr'},
        'alpha': {'argument': 'alpha'}, 'fp': {'argument': 'fp'}, 'fn': {'argument': 'fn'},
        'clip': {'argument': 'clip', 'otherwise': 1e300},
    }) -%}
{%- endmacro %}

{# The parameters that name a column, which is an argument of the macro, with an expression for its example. #}
{% macro shell_columns() -%}
    {%- do return({
        'lower': 'score - 0.5', 'upper': 'score + 0.5', 'naive_error': '0.5', 'naive': '0.5', 'propensity': '0.5',
        'predicted': 'score', 'expected': 'score', 'against': '1 - score', 'treatment': 'clicked',
    }) -%}
{%- endmacro %}

{#
  The facts of the shell in a plan: its arguments and their checks, the location of columns, and the treatment
  of broken data.
#}
{% macro shell_plan_of(metric, name, raises, steps=false) -%}
    {%- set arguments = {} -%}
    {%- for parameter, number in sqlmetrics.shell_numbers().items() if parameter in metric['parameters'] -%}
        {%- set default = metric['parameters'][parameter] -%}
        {%- set default = number.get('otherwise') if default is none else default -%}
        {%- do arguments.update({number['argument']: {'parameter': parameter, 'default': default}}) -%}
    {%- endfor -%}
    {%- set columns = sqlmetrics.shell_columns() | select('in', metric['parameters']) | list -%}
    {%- do return({
        'name': name, 'arguments': arguments, 'columns': columns, 'raises': raises, 'steps': steps,
    }) -%}
{%- endmacro %}

{# The notation of a metric whose numbers are arguments of the macro. #}
{% macro shell_notation(metric, shell) -%}
    {%- set params = [] -%}
    {%- for column in shell['columns'] -%}{%- do params.append(column ~ '=' ~ column) -%}{%- endfor -%}
    {%- for name, argument in shell['arguments'].items() -%}
        {%- do params.append(argument['parameter'] ~ '=' ~ name) -%}
    {%- endfor -%}
    {%- do return(metric['name'] ~ ('(' ~ params | join(', ') ~ ')' if params else '')) -%}
{%- endmacro %}

{# The arguments of a macro that are not columns, with their defaults; those without a default come first. #}
{% macro shell_options(shell) -%}
    {%- set required, options = [], [] -%}
    {%- for name, argument in shell['arguments'].items() -%}
        {%- if argument['default'] is number -%}
            {%- do options.append(name ~ ' := ' ~ argument['default']) -%}
        {%- else -%}
            {%- do required.append(name) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(required + options) -%}
{%- endmacro %}

{# True if a text is the name of an argument, a number that is known when the macro runs. #}
{% macro is_argument(question, value) -%}
    {%- do return(question['ends'] == 'macro'
        and (value == 'max_grade' or value in question['own']['arguments'])) -%}
{%- endmacro %}

{# Records the requirement of an argument, which the macro checks when it runs. #}
{% macro check_argument(plan, name, least, most, whole) -%}
    {%- set meant = [] -%}
    {%- if least is not none -%}
        {%- do meant.append(name ~ (' > 0' if least == 1e-300 else ' >= ' ~ least)) -%}
    {%- endif -%}
    {%- if most is not none -%}{%- do meant.append(name ~ ' <= ' ~ most) -%}{%- endif -%}
    {%- if whole -%}{%- do meant.append(name ~ ' = floor(' ~ name ~ ')') -%}{%- endif -%}
    {%- set message = plan['question']['own']['name'] ~ ': ' ~ name ~ ' must be '
        ~ ('an integer' if whole else 'a number')
        ~ (' > 0' if least == 1e-300 else ' >= ' ~ least if least is not none else '')
        ~ (' and <= ' ~ most if most is not none else '') ~ ', got ' -%}
    {%- do plan['argument_checks'].update({
        'not coalesce(' ~ meant | join(' and ') ~ ', false)' if meant else name ~ ' is null':
            sqlmetrics.sql_text(message) ~ ' || coalesce(cast(' ~ name ~ " as varchar), 'null')",
    }) -%}
{%- endmacro %}

{# A metric's expression, with an error if an argument or the data violate its assumptions. #}
{% macro value_or_error(plan, value) -%}
    {%- set name = plan['question']['own']['name'] -%}
    {%- if plan['question']['own']['steps'] -%}
        {%- do sqlmetrics.require(
            plan, 'rows', 'rows_not_finite',
            sqlmetrics.shell_not_finite(plan),
            'rows have a NaN or infinite ' ~ ('number' if plan['row_columns'] else 'label or score')
        ) -%}
        {%- do plan['asked']['guards'].insert(0, plan['asked']['guards'].pop()) -%}
        {%- set value = sqlmetrics.value_finite(value) -%}
    {%- endif -%}
    {%- if sqlmetrics.shell_reads_max_grade(plan) -%}
        {{- sqlmetrics.check_argument(plan, 'max_grade', 1, 1000, false) -}}
    {%- endif -%}
    {%- set checks = plan['argument_checks'] -%}
    {%- for guard in plan['asked']['guards'] -%}
        {%- set check = plan['result']['checks'][sqlmetrics.filled(plan, guard)] -%}
        {%- set said = check['message'].split(';')[0] | replace(plan['asked']['metric'], name)
            | replace('max_grade=max_grade', 'max_grade') -%}
        {%- set text = sqlmetrics.sql_text(name ~ ': ') ~ ' || ' ~ guard ~ ' || ' ~ sqlmetrics.sql_text(' ' ~ said) -%}
        {%- if check['value'] is none -%}
            {%- set text = text | replace(', such as {value}', '') | replace(' such as {value}', '') -%}
        {%- else -%}
            {%- set text = text | replace('{value}', "' || " ~ check['value_hole'] ~ " || '") -%}
        {%- endif -%}
        {%- do checks.update({guard ~ ' > 0': text}) -%}
    {%- endfor -%}
    {%- if not checks -%}
        {{- value -}}
    {%- else -%}
        case
        {%- for condition, message in checks.items() %}
        when {{ condition }} then error({{ message }})
        {%- endfor %}
        else {{ value }}
    end
    {%- endif -%}
{%- endmacro %}

{# The condition that a number which the macro reads is not finite. Where the order is read alone, -inf ranks last. #}
{% macro shell_not_finite(plan) -%}
    {%- set holes = (['label'] if sqlmetrics.shell_reads_label(plan) else [])
        + (['score'] if sqlmetrics.shell_reads_score(plan) else [])
        + plan['row_columns'].values() | map(attribute='hole') | list -%}
    {%- set conditions = [] -%}
    {%- for hole in holes -%}
        {%- do conditions.append('{score} > 1.7976931348623157e308' if hole == 'score' and plan['reads_scores'] is none
            else 'not isfinite({' ~ hole ~ '})') -%}
    {%- endfor -%}
    {{- conditions | join(' or ') -}}
{%- endmacro %}

{#
  The comment above a macro: description, arguments, and an example.

  Args:
    entry: the metric or the curve
    given: the arguments of the macro, with defaults
    kind: aggregate or table
    label: the column of the label in the example
#}
{% macro shell_comment(entry, name, given, kind, label) -%}
    {%- set lines = [entry['summary'] ~ '.'] -%}
    {%- set told = namespace(section='', takes=false) -%}
    {%- set names = [] -%}
    {%- for argument in given -%}{%- do names.append(argument.split(' := ')[0]) -%}{%- endfor -%}
    {%- for line in entry['doc'].split('\n') -%}
        {%- set word = (line.split(':')[0] if ':' in line else '') | trim -%}
        {%- if word in ('Args', 'Returns', 'Undefined', 'Errors', 'Source', 'Example') -%}
            {%- set told.section = word -%}
            {%- if word in ('Returns', 'Undefined', 'Source') -%}{%- do lines.append(line) -%}{%- endif -%}
        {%- elif told.section == 'Args' -%}
            {%- if line.startswith('  ') and not line.startswith('   ') -%}
                {%- set told.takes = word in names -%}
            {%- endif -%}
            {%- if told.takes -%}{%- do lines.append(line) -%}{%- endif -%}
        {%- elif told.section in ('Returns', 'Undefined', 'Source') and line | trim -%}
            {%- do lines.append(line) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set empty = 'gives null' if kind == 'aggregate' else 'is left out of the mean, and counted' -%}
    {%- set text = lines | join('\n-- ')
        | replace('none takes the whole list', 'left out, the whole list counts')
        | replace('; weighted by the row weight', '')
        | replace('; with item_weight a float >= 0', '')
        | replace(' (of weight > 0)', '')
        | replace('is empty (see on_empty)', empty) -%}
-- {{ text }}
-- Example: {{ sqlmetrics.shell_example(name, names, kind, entry, label) }}
{%- endmacro %}

{#
  The statement that gives a macro its line in `duckdb_functions()`: what it is, its range, and its unit. DuckDB looks
  for the name among temporary macros first.

  Args:
    macro: the kind and the name of the macro
    entry: the metric or the curve
    of_list: true if the macro takes the items of one list, where the metric is a mean over lists
#}
{% macro shell_comment_on(macro, entry, of_list=false) -%}
    {%- set told = [] -%}
    {#- no macro takes item_weight, which widens the range of some metrics -#}
    {%- set returns = entry['doc'].split('\nReturns:')[-1].split('\n')[0] -%}
    {%- if entry.get('range', '(-inf, inf)') != '(-inf, inf)' and 'item_weight' not in returns -%}
        {%- do told.append('Range ' ~ entry['range'] ~ '.') -%}
    {%- endif -%}
    {%- if entry.get('unit', 'none') not in ('none', 'share') -%}
        {%- do told.append('Unit: ' ~ entry['unit'] ~ '.') -%}
    {%- endif -%}
    {%- set text = ([entry['summary'] ~ '.'] + (['Of one list.'] if of_list else []) + told) | join(' ') -%}
comment on {{ macro }} is {{ sqlmetrics.sql_text(text) }};
{%- endmacro %}

{# An example call over a table predictions (user_id, country, clicked, grade, rating, score). #}
{% macro shell_example(name, arguments, kind, entry, label) -%}
    {%- set columns = dict(sqlmetrics.shell_columns(), **{
        'label': label, 'grade': label, 'score': 'score', 'group': 'user_id', 'k': '10', 'max_grade': '4',
        'recall': '0.5',
    }) -%}
    {%- set written = [] -%}
    {%- for argument in arguments if argument in columns -%}
        {%- set value = columns[argument] -%}
        {%- if kind == 'table' -%}
            {%- do written.append(
                sqlmetrics.shell_argument(argument) ~ ' := '
                    ~ (value if argument in ('k', 'max_grade', 'recall') else sqlmetrics.sql_text(value))
            ) -%}
        {%- else -%}
            {%- do written.append(argument ~ ' := ' ~ value if argument in ('k', 'recall') else value) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set call = name ~ '(' ~ ((["'predictions'"] if kind == 'table' else []) + written) | join(', ') ~ ')' -%}
    {%- set key = 'user_id' if 'list_sums' in entry['grains'] else 'country' -%}
    {{- 'from ' ~ call if kind == 'table' else 'select ' ~ key ~ ', ' ~ call ~ ' from predictions group by ' ~ key -}};
{%- endmacro %}

{# The label of an example: a click, a grade, or a number to predict. #}
{% macro shell_example_label(plan) -%}
    {%- set checks = plan['result']['checks'].values() | map(attribute='name') | list -%}
    {{- 'clicked' if 'rows_not_binary' in checks else 'grade' if plan['result']['columns'][0]['over'] else 'rating' -}}
{%- endmacro %}

{# Whether a metric reads the highest grade of the scale: then it checks that no label is above it. #}
{% macro shell_reads_max_grade(plan) -%}
    {%- do return('rows_above_max_grade' in plan['result']['checks'].values() | map(attribute='name')) -%}
{%- endmacro %}

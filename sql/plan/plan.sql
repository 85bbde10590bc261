{#
  Makes the plan of metrics: reads the facts, then asks every metric for its expression.

  Args: those of `evaluate`, and
    question: what the call asks (questions/question.sql); none for the question of `evaluate`
  Returns: a dict, see `empty_plan`; its result has an entry for each column: `name`, `notation`, `value`
  Errors: a notation that cannot be parsed; two results of one name; any error of a metric
#}
{% macro plan(metrics, question=none) -%}
    {%- set plan = sqlmetrics.empty_plan(question, **kwargs) -%}
    {%- set question = plan['question'] -%}
    {%- set convention = sqlmetrics.convention(plan['facts']['convention']) -%}
    {%- set named = metrics if metrics is mapping else {} -%}
    {%- for entry in ([metrics] if metrics is string else metrics or []) -%}
        {%- set notation = named[entry] if metrics is mapping else entry -%}
        {%- set name = entry if metrics is mapping else sqlmetrics.column_name(notation) -%}
        {%- if name in plan['result']['columns'] | map(attribute='name') -%}
            {%- set other = 'metrics={"other": "' ~ notation ~ '"}' -%}
            {{- sqlmetrics.refuse("Two metrics would be named '" ~ name ~ "'; name one of them, " ~ other) -}}
        {%- endif -%}
        {%- set parsed = sqlmetrics.parse_notation(notation) -%}
        {#- a decision is read from the predicted class if there is one, unless a threshold is named -#}
        {%- do sqlmetrics.ask(
            plan, notation, sqlmetrics.column_name(notation if question['adds_up'] else name),
            by_score='threshold' in parsed['params'],
        ) -%}
        {%- set macro = sqlmetrics.macro_of_notation(parsed) -%}
        {#- the name of another library has its definition, whatever the convention is -#}
        {%- set options = {} if parsed['pinned'] else sqlmetrics.conventional(convention, macro) -%}
        {%- set home = context if macro in context else sqlmetrics -%}
        {%- do plan['definitions'].append({'name': name, 'notation': notation, 'macro': macro}) -%}
        {%- set value = home[macro](plan, **dict(options or {}, **parsed['params'])) -%}
        {{- sqlmetrics.check_value(plan, macro, value) ~ sqlmetrics.check_soft(plan) -}}
        {%- set value = dict(sqlmetrics.range_of(macro, value), **value) -%}
        {%- if question['adds_up'] -%}{{- sqlmetrics.check_mergeable(plan) -}}{%- endif -%}
        {%- if question['reads'] == 'state' -%}{%- do sqlmetrics.require_held(plan) -%}{%- endif -%}
        {%- set over = sqlmetrics.what_is_averaged(plan) -%}
        {%- if plan['facts']['truth'] is not none and not over -%}
            {{- sqlmetrics.refuse(
                "truth= serves metrics of lists and items only, such as ndcg@10 and map@10, not '" ~ notation ~ "'"
            ) -}}
        {%- endif -%}
        {%- if 'items' in over -%}{%- do plan.update({'over_items': true}) -%}{%- endif -%}
        {%- do plan['result']['columns'].append({
            'name': name, 'notation': notation, 'metric': parsed['name'],
            'better': value.get('better', sqlmetrics.directions().get(parsed['name'], 'higher')),
            'value': sqlmetrics.guarded(plan, value['sql']),
            'held': [value['least'], value['most']] if value.get('held'),
            'over': over, 'conventional': plan['facts']['convention'] is none or options is not none,
        }) -%}
        {{- question['value'](plan, plan['result']['columns'][-1], value) -}}
        {%- if value['error_bound'] is not none and question['counts'] -%}
            {#- the largest possible error of a metric over bins -#}
            {%- do plan['result']['columns'].append({
                'name': name ~ '_error_bound', 'notation': notation,
                'value': sqlmetrics.guarded(plan, value['error_bound']),
            }) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do sqlmetrics.ask(plan, none) -%}
    {%- if plan['facts']['ties'] in sqlmetrics.orders_of_items() and plan['facts']['item'] is none
        and plan['needs']['list_sums'] -%}
        {{- sqlmetrics.refuse(
            "convention='" ~ plan['facts']['convention'] ~ "' has ties='" ~ plan['facts']['ties']
                ~ "', which needs item=, the column that decides; pass it, or another ties="
        ) -}}
    {%- endif -%}
    {%- if plan['over_items'] and plan['facts']['on_duplicate'] == 'first' -%}
        {{- sqlmetrics.refuse(
            "on_duplicate='first' serves metrics of lists; metrics of items need each item once in a list"
        ) -}}
    {%- endif -%}
    {%- if not plan['result']['columns'] -%}
        {{- sqlmetrics.refuse("No metric was asked for. Pass at least one, such as 'auc'") -}}
    {%- endif -%}
    {%- if plan['result']['without_method'] -%}
        {{- sqlmetrics.check_interval_method(plan, plan['result']['columns']) -}}
    {%- endif -%}
    {%- if plan['needs']['classes'] -%}
        {%- do plan.update({'orders_classes': sqlmetrics.reads_class_places(plan)}) -%}
    {%- endif -%}
    {%- if plan['resampled'] -%}
        {{- sqlmetrics.refuse_own_names(plan, 'a bootstrap') -}}
        {%- do plan.update({'resampling': sqlmetrics.resampling_plan(plan, kwargs)}) -%}
    {%- endif -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# The units that a metric averages over, found from its grains: lists, items, both or none. #}
{% macro what_is_averaged(plan) -%}
    {%- set over = {} -%}
    {%- for grain in plan['asked']['touched'] -%}
        {%- set of = plan['grains'][sqlmetrics.kind_of_grain(plan, grain)].get('over') -%}
        {%- if of -%}{%- do over.update({of: true}) -%}{%- endif -%}
    {%- endfor -%}
    {%- do return(over | list) -%}
{%- endmacro %}

{# Rejects a metric that returns text instead of a value, and a value with a hole that is not a sum. #}
{% macro check_value(plan, macro, value) -%}
    {%- if value is not mapping or 'sql' not in value -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            macro
            ~ " gives text. A metric returns a value, made by row_mean, row_ratio, list_metric, root, ..."
            ~ " or, without an interval of its own, plain_value (sql/language/values.sql)"
        ) -}}
    {%- endif -%}
    {%- for hole in sqlmetrics.holes(value['sql'])
        if hole not in plan['sums'] and hole not in ('auc_discordant', 'auc_variance') -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "its value reads {" ~ hole
                ~ "}, which is no sum; ask for the sum with need"
        ) -}}
    {%- endfor -%}
{%- endmacro %}

{#
  The macro of a notation. A name with a cutoff means the list metric (`precision@10`) if both exist.

  A dbt project may have metrics of its own. dbt's `context` holds their macros, and those go before the package's: a
  metric that a later version of the package gains under the same name changes no number of that project.
#}
{% macro macro_of_notation(parsed) -%}
    {%- set plain = 'metric_' ~ parsed['name'] -%}
    {%- for macro in ([plain ~ '_at'] if 'k' in parsed['params'] else []) + [plain]
        if macro in context or macro in sqlmetrics -%}
        {%- do return(macro) -%}
    {%- endfor -%}
    {{- sqlmetrics.refuse(sqlmetrics.unknown('metric', parsed['name'])) -}}
{%- endmacro %}

{#
  The least and the most that a metric can be, none for an open end. The range of one of the user's own is that of its
  kind of spread.
#}
{% macro range_of(macro, value) -%}
    {%- set kinds = {'share': [0, 1], 'auc': [0, 1], 'correlation': [-1, 1]} -%}
    {%- set range = kinds.get((value['spread'] or {}).get('kind')) if macro in context
        else sqlmetrics.ranges().get(macro) -%}
    {%- do return({'least': range[0], 'most': range[1]} if range else {'least': none, 'most': none}) -%}
{%- endmacro %}

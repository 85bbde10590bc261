{# Counts reported beside the metrics: lists, classes and items, and their checks. #}

{# Needs the counts of the units that the metrics average over. A bootstrap counts them once, in the data. #}
{% macro audit_units(plan) -%}
    {%- if not plan['question']['counts'] -%}{%- do return('') -%}{%- endif -%}
    {{- sqlmetrics.check_rounded_numbers(plan) -}}
    {%- do sqlmetrics.hint_at_truth(plan) -%}
    {%- if plan['question']['keeps'] == 'lists' -%}{%- do sqlmetrics.describe_lists(plan) -%}{%- endif -%}
    {%- if sqlmetrics.reads_lists(plan) -%}
        {%- do sqlmetrics.audit_lists(plan) -%}
    {%- elif plan['over_items'] -%}
        {%- do sqlmetrics.audit_items(plan) -%}
    {%- elif plan['facts']['group'] is not none and not sqlmetrics.numbers_rows(plan) -%}
        {%- do sqlmetrics.audit_clusters(plan) -%}
    {%- endif -%}
    {%- if plan['needs']['classes'] -%}{%- do sqlmetrics.audit_classes(plan) -%}{%- endif -%}
{%- endmacro %}

{#
  Checks that integer and decimal scores and labels are below 2^53, if their order counts: beyond it, different numbers
  become one float.
#}
{% macro check_rounded_numbers(plan) -%}
    {%- set orders = namespace(any=sqlmetrics.reads_discordant(plan) or plan['points'] is not none) -%}
    {%- for grain, rule in plan['grains'].items()
        if plan['needs'][grain] and ('over' in rule or grain in ('ranks', 'levels', 'peaks', 'arms')) -%}
        {%- set orders.any = true -%}
    {%- endfor -%}
    {%- if orders.any and not plan['scoreless'] -%}{{- sqlmetrics.require_exact(plan, 'score') -}}{%- endif -%}
    {%- if plan['needs']['ranks'] or sqlmetrics.reads(plan, 'tops', 'label_place') -%}
        {{- sqlmetrics.require_exact(plan, 'label') -}}
    {%- endif -%}
{%- endmacro %}

{# Requires that the numbers of a role, of a type that a float may round, are below 2^53. #}
{% macro require_exact(plan, role) -%}
    {%- if plan['facts']['rank_of_' ~ role] is not none -%}
        {%- set number = '{' ~ role ~ '}' -%}
        {{- sqlmetrics.require(
            plan, 'rows', 'rows_rounded_' ~ role,
            'abs(' ~ number ~ ') >= 9007199254740992 and abs(' ~ number ~ ') <= 1.7976931348623157e308',
            'rows have an integer or decimal ' ~ role ~ ' of 2^53 or more, such as {value}, where different ' ~ role
                ~ 's become one float and tie; pass ' ~ plan['facts']['rank_of_' ~ role] ~ ' in its place',
            number
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# Adds a count of the lists for which a condition holds to the result. #}
{% macro count_lists(plan, name, condition) -%}
    {%- do plan['counted_lists'].update({name: condition}) -%}
{%- endmacro %}

{#
  The condition under which the metric that is asked is undefined in a list. With `counted`, such lists may have a
  relevant item, so that groups_empty does not tell their number, and they have a count of their own.
#}
{% macro undefined_if(plan, condition, counted=true) -%}
    {%- if counted -%}
        {%- do sqlmetrics.count_lists(plan, 'groups_without_' ~ plan['asked']['prefix'], condition) -%}
    {%- endif -%}
    {{- condition -}}
{%- endmacro %}

{# The number of groups, where these are the units of the interval of a metric of rows. #}
{% macro audit_clusters(plan) -%}
    {%- set grain = 'group_spreads' if plan['needs']['group_spreads'] else 'cluster_spreads' -%}
    {%- if plan['needs'][grain] -%}
        {{- sqlmetrics.audit(plan, grain, 'n_groups', '1') -}}
    {%- elif sqlmetrics.reads_discordant(plan) and plan['question']['keeps'] != 'units' -%}
        {%- do plan['result']['audit'].update({'n_groups': 'sm_groups_of_auc'}) -%}
    {%- elif plan['counts_units'] -%}
        {%- do plan['result']['audit'].update({'n_groups': 'sm_n_units'}) -%}
    {%- endif -%}
{%- endmacro %}

{# Counts of lists. #}
{% macro audit_lists(plan) -%}
    {%- do sqlmetrics.hint_at_roles(plan) -%}
    {%- set counted = {'n_groups': none, 'groups_empty': sqlmetrics.lacks_relevant(plan)} -%}
    {%- do counted.update(plan['counted_lists']) -%}
    {%- if plan['facts']['truth'] is not none -%}
        {%- do counted.update({'groups_missing': sqlmetrics.listed_of_list(plan) ~ ' = 0'}) -%}
    {%- endif -%}
    {%- if sqlmetrics.ranks_unjudged(plan) and sqlmetrics.has_unjudged(plan) -%}
        {%- do counted.update({'n_unjudged': none}) -%}
    {%- endif -%}
    {%- if plan['facts']['ties'] == 'average' and not plan['scoreless'] -%}
        {#- an item without gain may have no row -#}
        {%- set tied = sqlmetrics.item_sum(
            plan, none, 'tied',
            'case when {tie_first} < {tie_last} and (' ~ sqlmetrics.adds_to_list(plan) ~ ') then 1 else 0 end', 'max'
        ) -%}
        {%- do counted.update({'groups_tied': tied ~ ' = 1'}) -%}
    {%- endif -%}
    {%- for name, condition in counted.items() -%}
        {%- if name == 'n_unjudged' -%}
            {%- set inner = sqlmetrics.need(plan, 'grade_sums', 'unjudged_listed', '{n_unjudged}') -%}
        {%- else -%}
            {%- set inner = '1' if condition is none else 'case when ' ~ condition ~ ' then 1 else 0 end' -%}
        {%- endif -%}
        {{- sqlmetrics.audit(plan, 'list_sums', name, inner) -}}
    {%- endfor -%}
    {%- if plan['facts']['on_duplicate'] == 'first' -%}
        {{- sqlmetrics.audit(plan, 'list_sums', 'rows_duplicate', '{duplicate_rows}') -}}
    {%- elif plan['facts']['item'] is not none -%}
        {%- set repeats = sqlmetrics.need(plan, 'list_sums', 'rows_duplicate', '{duplicate_rows}') -%}
        {%- do plan['result']['checks'].update({
            sqlmetrics.filled(plan, repeats): sqlmetrics.check_of_repeats(plan),
        }) -%}
    {%- endif -%}
{%- endmacro %}

{# The check that no list has an item twice. #}
{% macro check_of_repeats(plan) -%}
    {%- set message = 'rows repeat an item of their group'
        ~ (' in the data or in the truth' if plan['facts']['truth'] is not none)
        ~ '; a list has each item once' ~ (' (on_duplicate=first keeps the best-ranked)' if not plan['over_items'])
        ~ ('; models= names the column of the model, if rows of several are here'
            if 'sm_model' not in plan['facts']['keys'] and plan['question']['reads'] == 'rows')
        ~ (
            '. The row for all of them takes the values of by= together; pass total=False'
                if plan['facts']['runs'] and plan['facts']['total']
        ) -%}
    {%- do return({'name': 'rows_duplicate', 'message': message, 'value': none, 'hint': none}) -%}
{%- endmacro %}


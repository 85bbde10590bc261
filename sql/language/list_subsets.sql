{#
  Subsets of lists: the items of a list that have one value of a column, such as one supplier. A metric compares what
  the subsets of a list add up to (stages/lists/list_subsets.sql). NULL is a value like others.
#}

{#
  The subsets of a column as two grains: the items of a subset (name ~ '_items', with the columns of item_sums), and
  the subsets of a list.

  Returns: the name
  Errors: no column, or one that does not exist; truth=
#}
{% macro subsets_of_lists(plan, parameter, said) -%}
    {{- sqlmetrics.need_subset_column(plan, parameter, said) -}}
    {%- if plan['facts']['truth'] is not none -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "reads " ~ parameter ~ "=" ~ said ~ " of each listed item, which truth= does not have for an item that"
                ~ " nobody judged; join labels to the rows and leave truth= out"
        ) -}}
    {%- endif -%}
    {%- set sql = sqlmetrics.column_of_subsets(plan, parameter, said) -%}
    {%- for name, known in plan['list_subsets'].items() if known['sql'] == sql -%}{%- do return(name) -%}{%- endfor -%}
    {%- set number = plan['list_subsets'] | length + 1 -%}
    {%- set name, roles = 'list_subsets_' ~ number, ['group', 'label', 'score'] -%}
    {%- do plan['list_subsets'].update({name: {'column': 'sm_list_subset_' ~ number, 'sql': sql, 'totals': {}}}) -%}
    {%- do plan['grains'].update({
        name ~ '_items': {
            'over': 'lists', 'columns': sqlmetrics.columns()['items'], 'parents': [], 'roles': roles,
        },
        name: {'over': 'lists', 'columns': {}, 'parents': [name ~ '_items'], 'roles': roles},
    }) -%}
    {%- for grain in ('list_sums', 'list_deviations') -%}
        {%- do plan['grains'][grain]['parents'].append(name) -%}
    {%- endfor -%}
    {%- do plan['needs'].update({name ~ '_items': {}, name: {}}) -%}
    {%- if sqlmetrics.shares_item_weights(plan) -%}
        {%- do sqlmetrics.note_reads(plan, 'item_sums', ['label']) -%}
    {%- endif -%}
    {%- do return(name) -%}
{%- endmacro %}

{# A sum over the items of a subset of a list. All items of the list are read. #}
{% macro sum_in_list_subset(plan, subsets, name, inner, reach=none) -%}
    {%- set sum = sqlmetrics.need(plan, subsets ~ '_items', subsets ~ '_' ~ name, inner, more={'reach': reach}) -%}
    {#- the stages of items make the columns that item_sums reads; discounts are joined where they are read -#}
    {%- for hole in sqlmetrics.holes(inner) if '.' not in hole -%}
        {%- do sqlmetrics.note_reads(plan, 'item_sums', [hole]) -%}
    {%- endfor -%}
    {%- do return(sum) -%}
{%- endmacro %}

{# Such a sum over all subsets of the list, beside each of them. #}
{% macro sum_of_list_subsets(plan, subsets, sum) -%}
    {%- set total = sqlmetrics.holes(sum)[0] ~ '_of_list' -%}
    {%- do plan['list_subsets'][subsets]['totals'].update({'sm_' ~ total: sqlmetrics.filled(plan, sum)}) -%}
    {%- do sqlmetrics.note_reads(plan, subsets, sqlmetrics.holes(sum)) -%}
    {%- do return(sqlmetrics.declare(plan, subsets, total)) -%}
{%- endmacro %}

{#
  The exposure of a subset: the sum of the expected position weights of its items.

  Args:
    k: cutoff; items below it have no exposure
    p: the persistence of the user, as for rbp; none for 1 / log2(rank + 1)
#}
{% macro exposure_of_subset(plan, subsets, k, p) -%}
    {%- do return(sqlmetrics.sum_in_list_subset(
        plan, subsets, 'exposure' ~ ('' if p is none else '_' ~ sqlmetrics.column_name(p))
            ~ sqlmetrics.cutoff_suffix(plan, k),
        sqlmetrics.expected_discount(plan, k, grain=subsets ~ '_items') if p is none
            else sqlmetrics.expected_attention(plan, k, p),
        k
    )) -%}
{%- endmacro %}

{# The number of items of a subset. #}
{% macro items_of_subset(plan, subsets) -%}
    {%- do return(sqlmetrics.sum_in_list_subset(plan, subsets, 'items', '1')) -%}
{%- endmacro %}


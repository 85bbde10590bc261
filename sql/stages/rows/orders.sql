{#
  Rows in the order of their labels, scores or errors, inside each slice and over all rows, for the metrics
  that need it.
#}

{#
  sm_label_quantiles, sm_error_quantiles, sm_column_1_quantiles: values at a share of the weight. sm_share: the share of
    the weight down to sm_value.
#}
{% macro stage_quantiles(plan, grain) -%}
{%- set value = plan['orders'][grain] -%}
{%- if sqlmetrics.sql_distributed() -%}
    {%- do return(sqlmetrics.quantiles_in_buckets(plan, grain, value)) -%}
{%- endif -%}
-- values at a share of the rows or of their weight
sm_{{ grain }} as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + sqlmetrics.aggregates(plan, grain), 8) }}
    from (
        {%- for part in sqlmetrics.slices_and_total(plan) %}
        {{ 'union all\n        ' if not loop.first }}select
            {%- if plan['facts']['weight'] is none -%}
                {%- set share = 'cume_dist() over (' ~ part['partition'] ~ 'order by ' ~ value ~ ' asc)' -%}
            {%- else -%}
                {%- set share = sqlmetrics.ratio(
                    'sum(sm_weight) over (' ~ part['partition'] ~ 'order by ' ~ value ~ ' asc'
                        ~ sqlmetrics.sql_with_ties() ~ ')',
                    'sum(sm_weight) over (' ~ part['partition'] | trim ~ ')',
                ) -%}
            {%- endif -%}
            {{- sqlmetrics.lines(part['keys'] + [value ~ ' as sm_value', share ~ ' as sm_share'], 12) }}
        from {{ part['source'] }}
        where sm_problem = 0
        {%- endfor %}
    ) as sm_valued
    {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
)
{%- endmacro %}

{#
  sm_rank_sums: sums over the ranks of label and score. sm_label_first, sm_score_first: the first rank of a
    block of equal values; sm_label_share, sm_score_share: the share of rows down to the end of the block.
#}
{% macro stage_ranks(plan) -%}
{%- set keys = sqlmetrics.slice_keys(plan, 'sm_both_ranked.') -%}
{%- if sqlmetrics.sql_distributed() -%}
{{ sqlmetrics.ranks_in_buckets(plan) }},
{%- else -%}
-- ranks of the labels and of the scores
sm_both_ranked as{{ sqlmetrics.sql_cte_materialized() if plan['needs']['rank_halves']
    else sqlmetrics.sql_cte_inline() }} (
    {%- for part in sqlmetrics.slices_and_total(plan) %}
    {{ 'union all\n    ' if not loop.first }}select
        {%- set columns = [] -%}
        {%- for role in ('label', 'score') -%}
            {%- set ordered = ' over (' ~ part['partition'] ~ 'order by sm_' ~ role ~ ' asc) as sm_' ~ role -%}
            {%- do columns.extend(['rank()' ~ ordered ~ '_first', 'cume_dist()' ~ ordered ~ '_share']) -%}
        {%- endfor -%}
        {{- sqlmetrics.lines(part['keys'] + columns, 8) }}
    from {{ part['source'] }}
    where sm_problem = 0
    {%- endfor %}
),
{%- endif %}

-- what is summed over those ranks
sm_rank_sums as (
    select
        {{- sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, 'ranks'), 8) }}
    from sm_both_ranked
    inner join sm_row_sums on {{ sqlmetrics.same_slice(plan, 'sm_both_ranked', 'sm_row_sums') }}
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

{# The two sorts: the rows by slice, and all rows for the total. #}
{% macro slices_and_total(plan) -%}
    {%- set parts = [
        {
            'source': sqlmetrics.sliced(plan), 'keys': plan['facts']['keys'],
            'partition': sqlmetrics.partition_by(plan['facts']['keys']),
        },
    ] -%}
    {%- if plan['facts']['total'] -%}
        {%- do parts.append({
            'source': 'sm_rows', 'keys': sqlmetrics.total_keys(plan),
            'partition': sqlmetrics.partition_by(sqlmetrics.model_keys(plan)),
        }) -%}
    {%- endif -%}
    {%- do return(parts) -%}
{%- endmacro %}

{# The quantiles that are needed. #}
{% macro stages_of_quantiles(plan) -%}
    {%- set stages = [] -%}
    {%- for grain in plan['orders'] if plan['needs'][grain] -%}
        {%- do stages.append(sqlmetrics.stage_quantiles(plan, grain)) -%}
    {%- endfor -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# The ranks of labels and scores, where they are needed. #}
{% macro stages_of_ranks(plan) -%}
    {%- do return(
        ([sqlmetrics.stage_ranks(plan)] if plan['needs']['ranks'] else [])
        + ([sqlmetrics.stages_of_rank_halves(plan)] if plan['needs']['rank_halves'] else [])
    ) -%}
{%- endmacro %}

{#
  The grain of score levels, from the highest score down. Columns, as numbers of rows or, with weights, as
  sums of weights:

  sm_level_rows, sm_level_positives: at this level (or of this one row of it)
  sm_above: strictly above the level
  sm_through: down to the level, itself included
  sm_place: the sum of sm_above and sm_through, which gives the mean rank of the level's rows
  sm_positives_through: the positive ones of sm_through
  sm_level_negatives, sm_negatives_above, sm_negatives_through: with weights, the negative ones; each is a sum of its
    own, since a difference has no digits left if positives are much heavier
  sm_positives_above: with weights, the positive ones of sm_above
  sm_negatives_place: the sum of the negative ones of sm_above and of sm_through
  sm_score: the score of the level, in whole levels only

  Two plans give the same numbers. `sorted` sorts the rows once and costs the same for any scores. `counted`
  counts the rows of each distinct score first, which is far cheaper if scores repeat and more expensive if
  they do not. It is the only plan if whole levels of weighted rows are read, or their discordant rows, and if rows are
  spread over machines, where one sort is not.
#}

{#
  The stages of levels and bins: sm_levels, its sums, the bins, and the second pass for the score at a
  maximum.
#}
{% macro stages_of_levels(plan) -%}
    {%- set readers = (['sums'] if plan['needs']['levels'] else []) + (['peaks'] if plan['needs']['peaks'] else [])
        + ((['points'] if plan['band'] is none else ['points', 'band']) if plan['reads'].get('points') else []) -%}
    {%- set stages = [] -%}
    {%- for bins in plan['bins'].values() if bins['equal'] == 'count' -%}{%- do readers.append(bins) -%}{%- endfor -%}
    {%- set discordant = sqlmetrics.reads_discordant(plan) -%}
    {%- if sqlmetrics.levels_are_counted(plan) -%}
        {%- if discordant -%}{%- do readers.append('discordant') -%}{%- endif -%}
        {%- if readers -%}{%- do stages.append(sqlmetrics.levels_counted(plan, readers | length > 1)) -%}{%- endif -%}
    {%- elif readers or discordant -%}
        {%- do stages.append(sqlmetrics.stage_ranks_of_rows(plan, readers and discordant)) -%}
        {%- if readers -%}{%- do stages.append(sqlmetrics.levels_sorted(plan, readers | length > 1)) -%}{%- endif -%}
    {%- endif -%}
    {%- if discordant -%}{%- do stages.extend(sqlmetrics.stages_of_discordant(plan)) -%}{%- endif -%}
    {%- if plan['needs']['levels'] -%}
        {%- do stages.append(sqlmetrics.stage_level_sums(plan, 'levels', 'sm_levels')) -%}
    {%- endif -%}
    {%- if plan['needs']['peaks'] -%}
        {%- do stages.append(sqlmetrics.stage_level_sums(plan, 'peaks', 'sm_levels')) -%}
    {%- endif -%}
    {%- for grain in plan['bins'] -%}
        {%- do stages.append(sqlmetrics.stage_bins(plan, grain)) -%}
        {%- if plan['needs'][grain] -%}
            {%- do stages.append(sqlmetrics.stage_level_sums(plan, grain, 'sm_' ~ grain)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# True if distinct scores are counted. #}
{% macro levels_are_counted(plan) -%}
    {%- do return(
        plan['facts']['score_levels'] == 'counted'
        or sqlmetrics.sql_distributed()
        or (
            plan['facts']['weight'] is not none
            and (sqlmetrics.levels_read(plan, 'whole') or sqlmetrics.reads_discordant(plan))
        )
    ) -%}
{%- endmacro %}

{#
  The sums of metrics over levels or bins, one row for each slice. They may read the sums over rows and, for
  the score at a maximum, those over levels.
#}
{% macro stage_level_sums(plan, grain, source) -%}
{%- set keys = sqlmetrics.slice_keys(plan, source ~ '.') -%}
-- what is summed over score levels or bins, a row for each slice
sm_{{ grain }}_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, grain), 8) }}
    from {{ source }}
    {%- if grain != 'levels' or sqlmetrics.reads_sums(plan, 'levels', 'rows') %}
    inner join sm_row_sums on {{ sqlmetrics.same_slice(plan, source, 'sm_row_sums') }}
    {%- endif %}
    {%- if grain == 'peaks' %}
    inner join sm_levels_sums on {{ sqlmetrics.same_slice(plan, source, 'sm_levels_sums') }}
    {%- endif %}
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

{#
  Whether metrics read something of the levels: a column (above, place or positives_through), `whole` (each
  level as one row), or `all` (also the levels without a positive row).
#}
{% macro levels_read(plan, column) -%}
    {%- if column == 'whole' -%}
        {%- if plan['reads'].get('points') or plan['bins'].values() | selectattr('equal', 'equalto', 'count') | list -%}
            {%- do return(true) -%}
        {%- endif -%}
        {%- for grain in ('levels', 'peaks') -%}
            {%- for need in plan['needs'][grain].values() if need.get('whole') -%}{%- do return(true) -%}{%- endfor -%}
            {%- if sqlmetrics.reads(plan, grain, 'score') -%}{%- do return(true) -%}{%- endif -%}
        {%- endfor -%}
        {%- do return(false) -%}
    {%- elif column == 'all' -%}
        {%- for need in plan['needs']['levels'].values() if need['aggregate'] != 'sum' -%}
            {%- do return(true) -%}
        {%- endfor -%}
        {%- do return(false) -%}
    {%- endif -%}
    {%- for reader in ('levels', 'peaks', 'points') if sqlmetrics.reads(plan, reader, column) -%}
        {%- do return(true) -%}
    {%- endfor -%}
    {%- do return(false) -%}
{%- endmacro %}

{# Whether a column of levels is read, or may be, by the bins that hold levels. #}
{% macro levels_or_bins_read(plan, name) -%}
    {%- set of_levels = plan['bins'].values() | selectattr('equal', 'equalto', 'count') | list | length > 0 -%}
    {%- do return(
        sqlmetrics.levels_read(plan, name)
        or (of_levels and name in ('score', 'level_rows', 'level_positives', 'through'))
    ) -%}
{%- endmacro %}

{# The columns of levels that sum the weight of negative rows. #}
{% macro columns_of_negatives() -%}
    {%- do return(['level_negatives', 'negatives_above', 'negatives_through', 'negatives_place']) -%}
{%- endmacro %}

{# Which columns with counts of positive and negative rows are read of levels, or of a grain of bins. #}
{% macro weighed_columns_read(plan, grain=none) -%}
    {%- set read = {} -%}
    {%- for name in ['positives_above'] + sqlmetrics.columns_of_negatives() -%}
        {%- set of_grain = sqlmetrics.reads(plan, grain, name) if grain is not none
            else sqlmetrics.levels_read(plan, name)
                or (name == 'negatives_place' and sqlmetrics.reads_discordant(plan)
                    and plan['facts']['weight'] is not none) -%}
        {%- do read.update({name: of_grain}) -%}
    {%- endfor -%}
    {%- do return(read) -%}
{%- endmacro %}

{# Whether the discordant rows are read, of which AUC and its variance are made. #}
{% macro reads_discordant(plan) -%}{%- do return(plan['auc_variance'] is not none) -%}{%- endmacro %}

{#
  The sums of two models taken together. In the test both models are alike, so the influence of a row on a function of
  sums over rows, such as mcc, is that at the mean of both models' sums. At a model's own sums the influence may be 0
  for all rows, as where the one positive row is right, and nothing seems to vary. Ratios over decided rows, such as
  precision, need no stage for it: their pairs have the sums of both (inference/pairs.sql).

  Source: the score test; of predictive values of the same rows: Leisenring, Alonzo, Pepe (2000), Comparisons of
    predictive values of binary medical diagnostic tests for paired designs, Biometrics 56(2), 345-351; Kosinski (2013),
    doi:10.1002/sim.5587
#}

{#
  A template over a row that reads the sums of both models in place of those of its own; none for a template that reads
  more than sums over rows, such as those of a second pass, for the spreads of roots and losses, which two models
  have not each of its own (api/compare.sql), for a total, whose influences sum to 0 about its own mean alone, and where
  models are not alike under a test.

  Args:
    spread: of the metric
    template: the influence of a row
#}
{% macro at_sums_of_both(plan, spread, template) -%}
    {%- if not plan['question']['own'].get('alike', true) or spread.get('grows') -%}{%- do return(none) -%}{%- endif -%}
    {%- set pooled = {} -%}
    {%- for hole in sqlmetrics.holes(template) if hole in plan['sums'] -%}
        {%- if plan['sums'][hole] != 'rows' or 'root_of' in spread or 'loss' in spread -%}
            {%- do return(none) -%}
        {%- endif -%}
        {%- do pooled.update({hole: sqlmetrics.short_name('pooled_' ~ hole)}) -%}
    {%- endfor -%}
    {#- a value may read fewer sums than its spread -#}
    {%- do sqlmetrics.note_reads(plan, 'stages', pooled) -%}
    {%- set texts = {} -%}
    {%- for hole, name in pooled.items() -%}
        {%- do plan['sums'].update({name: 'rows'}) -%}
        {%- do plan['pooled_sums'].update({name: hole}) -%}
        {%- do texts.update({hole: '{' ~ name ~ '}'}) -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.with_holes(template, texts)) -%}
{%- endmacro %}

{#
  sm_pooled_sums: sm_row_sums, a row for each pair of models (sm_candidate is its number) and each of the two, with the
    means of both models' sums. None if no metric reads them.
#}
{% macro stages_of_pooled_sums(plan) -%}
    {%- if not plan['pooled_sums'] -%}{%- do return([]) -%}{%- endif -%}
    {%- set keys, columns, models = sqlmetrics.keys_beside_models(plan) + ['sm_candidate'], [], [] -%}
    {%- set of_pair = ' over (partition by ' ~ keys | join(', ') ~ ')' -%}
    {%- for name, sum in plan['pooled_sums'].items() -%}
        {%- do columns.append('avg(' ~ sqlmetrics.sql_double('sm_' ~ sum) ~ ')' ~ of_pair ~ ' as sm_' ~ name) -%}
    {%- endfor -%}
    {%- for pair in ([] if sqlmetrics.matches_pairs(plan) else sqlmetrics.compared_pairs(plan)) -%}
        {%- for side in ('baseline', 'candidate') -%}
            {%- do models.append('select ' ~ pair['number'] ~ ' as sm_candidate, ' ~ pair[side] ~ ' as sm_of_model') -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(['-- the sums over rows of both models of each pair, and what both are on average
sm_pooled_sums as' ~ sqlmetrics.sql_cte_shared() ~ ' (
    select' ~ sqlmetrics.lines(['sm_row_sums.*', 'sm_candidate'] + columns, 8) ~ '
    from sm_row_sums
    inner join ' ~ ('(' ~ models | join(' union all ') ~ ') as sm_models_of_pairs on sm_row_sums.sm_model = sm_of_model'
        if models else sqlmetrics.matched_models(plan) ~ ' on sm_row_sums.sm_model in (sm_of_baseline, sm_of_candidate)'
    ) ~ '
)']) -%}
{%- endmacro %}

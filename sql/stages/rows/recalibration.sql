{#
  The grain of recalibration: the labels as a logistic function of the logits of the scores, fitted by 12 steps of
  Newton's method, each a scan of the rows. It begins at the share of positive rows with a slope of 0, from where it
  takes 5 to 10 steps on ordinary data.

  sm_centred_logits: the usable rows, in the slices and in total. sm_logit: the logit of the score less its mean, so
    that the sums below keep their digits; sm_hit: 1 for a positive row
  sm_fit_0 to sm_fit_12: the coefficients after so many steps, a row for each slice. sm_at_mean and sm_slope: those of
    a line, where it is at the mean of the logits and its slope; sm_offset: the same place beside a slope of 1. Those
    after the last step are NULL if it moved the logits by more than a millionth. After it sm_q, sm_qx and sm_qxx are
    the sums of p (1 - p), times sm_logit and its square, the information of the line; sm_offset_q is the information of
    the offset
#}

{# These stages, where they are needed. #}
{% macro stages_of_recalibration(plan) -%}
    {%- set stages, last = [sqlmetrics.stage_centred_logits(plan), sqlmetrics.stage_first_fit(plan)], 12 -%}
    {%- for step in range(1, last + 1) -%}
        {%- do stages.append(sqlmetrics.stage_fit(plan, step, step == last)) -%}
    {%- endfor -%}
    {%- do stages.append(sqlmetrics.stage_recalibration_sums(plan, 'sm_fit_' ~ last)) -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# sm_centred_logits. #}
{% macro stage_centred_logits(plan) -%}
{%- set mean = sqlmetrics.sums_of_stage(plan, sqlmetrics.mean_logit(plan)) -%}
{%- set positive = sqlmetrics.filled(plan, sqlmetrics.is_relevant(plan)) -%}
-- the logit of each score, less the mean of all
sm_centred_logits as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_row_sums.')
            + (['sm_weight'] if plan['facts']['weight'] is not none else []) + [
            sqlmetrics.filled(plan, sqlmetrics.logit_of_row()) ~ ' - ' ~ mean ~ ' as sm_logit',
            'case when ' ~ positive ~ ' then 1 else 0 end as sm_hit',
        ], 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    inner join sm_row_sums on {{ sqlmetrics.same_or_total(plan, sqlmetrics.sliced(plan), 'sm_row_sums') }}
    where sm_problem = 0
)
{%- endmacro %}

{# sm_fit_0: NULL where no coefficients fit best. #}
{% macro stage_first_fit(plan) -%}
{%- set positives, negatives = sqlmetrics.row_positives(plan), sqlmetrics.row_negatives(plan) -%}
{%- set odds, columns = sqlmetrics.sql_ln(sqlmetrics.ratio(positives, negatives)), [] -%}
{%- if sqlmetrics.fits_line(plan) -%}
    {%- set fits = 'case when ' ~ sqlmetrics.classes_overlap(plan) ~ ' then ' -%}
    {%- set zero = sqlmetrics.sql_double('0') -%}
    {%- do columns.extend([fits ~ odds ~ ' end as sm_at_mean', fits ~ zero ~ ' end as sm_slope']) -%}
{%- endif -%}
{%- if sqlmetrics.fits_offset(plan) -%}
    {%- set scores, total = sqlmetrics.row_sum(plan, 'scores', '{score}'), sqlmetrics.row_total(plan) -%}
    {%- set expected = sqlmetrics.ratio(scores, total ~ ' - ' ~ scores) -%}
    {%- do columns.append(
        'case when ' ~ positives ~ ' > 0 and ' ~ negatives ~ ' > 0 then ' ~ sqlmetrics.mean_logit(plan)
            ~ ' + case when ' ~ scores ~ ' > 0 and ' ~ scores ~ ' < ' ~ total ~ ' then ' ~ odds ~ ' - '
            ~ sqlmetrics.sql_ln(expected) ~ ' else 0 end end as sm_offset'
    ) -%}
{%- endif -%}
{%- set made = [] -%}
{%- for column in columns -%}{%- do made.append(sqlmetrics.sums_of_stage(plan, column)) -%}{%- endfor -%}
-- where a fit of the labels to the logits begins
sm_fit_0 as (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + made, 8) }}
    from sm_row_sums
)
{%- endmacro %}

{# sm_fit_<step>. #}
{% macro stage_fit(plan, step, is_last) -%}
{%- set keys, from, weighted = plan['facts']['keys'], 'sm_fit_' ~ (step - 1), plan['facts']['weight'] is not none -%}
{%- set known, fitted, sums, found = [], [], [], [] -%}
{%- if sqlmetrics.fits_line(plan) -%}
    {%- do known.extend(['sm_at_mean', 'sm_slope']) -%}
    {%- do fitted.append(sqlmetrics.logistic('(sm_at_mean + sm_slope * sm_logit)') ~ ' as sm_p') -%}
    {%- for name, factors in {
        'sm_g': '(sm_hit - sm_p)', 'sm_gx': '(sm_hit - sm_p) * sm_logit', 'sm_q': 'sm_p * (1 - sm_p)',
        'sm_qx': 'sm_p * (1 - sm_p) * sm_logit', 'sm_qxx': 'sm_p * (1 - sm_p) * sm_logit * sm_logit',
    }.items() -%}
        {%- do sums.append('sum(' ~ ('sm_weight * ' if weighted) ~ factors ~ ') as ' ~ name) -%}
    {%- endfor -%}
    {%- set det = '(sm_q * sm_qxx - sm_qx * sm_qx)' -%}
    {%- set moved = sqlmetrics.ratio(
        'sm_qxx * sm_g * sm_g - 2 * sm_qx * sm_g * sm_gx + sm_q * sm_gx * sm_gx', det ~ ' * sm_q'
    ) -%}
    {%- for name, step in {
        'sm_at_mean': 'sm_qxx * sm_g - sm_qx * sm_gx', 'sm_slope': 'sm_q * sm_gx - sm_qx * sm_g',
    }.items() if not is_last or name == 'sm_slope' or sqlmetrics.reads(plan, 'recalibration', 'at_mean') -%}
        {%- set value = 'sm_summed.' ~ name ~ ' + ' ~ sqlmetrics.ratio(step, det) -%}
        {%- do found.append((sqlmetrics.if_moved_little(moved, value) if is_last else value) ~ ' as ' ~ name) -%}
    {%- endfor -%}
    {%- if is_last and sqlmetrics.reads(plan, 'recalibration', 'q') -%}
        {%- do found.extend(['sm_q', 'sm_qx', 'sm_qxx']) -%}
    {%- endif -%}
{%- endif -%}
{%- if sqlmetrics.fits_offset(plan) -%}
    {%- do known.append('sm_offset') -%}
    {%- do fitted.append(sqlmetrics.logistic('(sm_offset + sm_logit)') ~ ' as sm_offset_p') -%}
    {%- for name, factors in {
        'sm_offset_g': '(sm_hit - sm_offset_p)', 'sm_offset_q': 'sm_offset_p * (1 - sm_offset_p)',
    }.items() -%}
        {%- do sums.append('sum(' ~ ('sm_weight * ' if weighted) ~ factors ~ ') as ' ~ name) -%}
    {%- endfor -%}
    {%- set moved = sqlmetrics.ratio('sm_offset_g * sm_offset_g', 'sm_offset_q * sm_offset_q') -%}
    {%- set value = 'sm_summed.sm_offset + ' ~ sqlmetrics.ratio('sm_offset_g', 'sm_offset_q') -%}
    {%- do found.append((sqlmetrics.if_moved_little(moved, value) if is_last else value) ~ ' as sm_offset') -%}
    {%- if is_last and sqlmetrics.reads(plan, 'recalibration', 'offset_q') -%}
        {%- do found.append('sm_offset_q') -%}
    {%- endif -%}
{%- endif -%}
-- the fit after {{ step }} step{{ 's' if step > 1 }}
sm_fit_{{ step }} as (
    select
        {{- sqlmetrics.lines(keys + found, 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + known + sums, 12) }}
        from (
            select
                {{- sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_centred_logits.')
                    + (['sm_weight'] if weighted else []) + (['sm_logit'] if sqlmetrics.fits_line(plan) else [])
                    + ['sm_hit'] + known + fitted, 16) }}
            from sm_centred_logits
            {{ sqlmetrics.inner_join(keys, 'sm_centred_logits', from) }}
        ) as sm_fitted
        group by {{ (keys + known) | join(', ') }}
    ) as sm_summed
)
{%- endmacro %}

{# A coefficient, NULL if the last step still moved it: `moved` is the mean square of how far it moved the logits. #}
{% macro if_moved_little(moved, value) -%}
    {%- do return('case when ' ~ moved ~ ' <= 1e-12 then ' ~ value ~ ' end') -%}
{%- endmacro %}

{# sm_recalibration_sums. #}
{% macro stage_recalibration_sums(plan, fit) -%}
{%- set keys = sqlmetrics.slice_keys(plan, 'sm_row_sums.') -%}
-- the coefficients that were found, a row for each slice
sm_recalibration_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, 'recalibration'), 8) }}
    from sm_row_sums
    {{ sqlmetrics.join_sums(plan, 'sm_row_sums', fit) }}
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

{# Whether the line is fitted, and whether the intercept beside a slope of 1 is. #}
{% macro fits_line(plan) -%}{%- do return(sqlmetrics.reads(plan, 'recalibration', 'slope')) -%}{%- endmacro %}
{% macro fits_offset(plan) -%}{%- do return(sqlmetrics.reads(plan, 'recalibration', 'offset')) -%}{%- endmacro %}

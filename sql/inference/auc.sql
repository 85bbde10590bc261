{# Intervals of AUC. stages/levels/discordant_sums.sql and discordant_lists.sql make the sums. #}

{#
  True if the variance of AUC has a closed form: not for weighted rows, and not if the interval comes from
  resamples.
#}
{% macro auc_has_variance(plan) -%}
    {%- do return(
        plan['facts']['interval'] is not none and plan['facts']['interval_method'] != 'bootstrap'
            and plan['facts']['weight'] is none
    ) -%}
{%- endmacro %}

{#
  A value: AUC from the discordant rows, whose squares give its variance. One sort serves both. The spread has
  a factor: the value is factor * AUC - (factor - 1). The factor is 1 for AUC and 2 for Gini.
#}
{% macro auc_with_variance(plan) -%}
    {{- sqlmetrics.role_given(plan, 'score') -}}
    {%- do plan.update({'auc_variance': '{auc_variance}'}) -%}
    {%- set positives = sqlmetrics.sql_double(sqlmetrics.row_positives(plan)) -%}
    {%- set negatives = sqlmetrics.sql_double(sqlmetrics.row_negatives(plan)) -%}
    {%- set auc = '(1 - ' ~ sqlmetrics.ratio('{auc_discordant}', '2 * ' ~ positives ~ ' * ' ~ negatives) ~ ')' -%}
    {%- do return(sqlmetrics.spreading_value(
        auc, {'kind': 'auc', 'auc': auc, 'factor': 1, 'variance': plan['auc_variance']}
    )) -%}
{%- endmacro %}

{#
  The ends of an interval of AUC or of a value computed from it (see auc_with_variance). Rows use the normal
  distribution and lists use Student's t; the ends are cut at 0 and 1. With interval_method=logit the
  distribution is that of ln(AUC / (1 - AUC)), whose ends stay inside; they are null if AUC is 0 or 1 or has no
  spread.
#}
{% macro ends_of_auc(plan, value, spread) -%}
    {%- set auc, variance = spread['auc'], spread['variance'] -%}
    {%- set reach = sqlmetrics.critical_value_of_auc(plan) ~ ' * sqrt(' ~ variance ~ ')' -%}
    {%- set ends = {} -%}
    {%- for name, sign in {'low': -1, 'high': 1}.items() -%}
        {%- if plan['facts']['interval_method'] == 'logit' -%}
            {%- set odds = sqlmetrics.sql_exp(
                ('-' if sign > 0 else '') ~ reach ~ ' / (' ~ auc ~ ' * (1 - ' ~ auc ~ '))'
            ) -%}
            {%- set end = 'case when ' ~ auc ~ ' > 0 and ' ~ auc ~ ' < 1 and ' ~ variance ~ ' > 0 then ' ~ auc ~ ' / ('
                ~ auc ~ ' + (1 - ' ~ auc ~ ') * ' ~ odds ~ ') end' -%}
        {%- else -%}
            {%- set end = auc ~ (' - ' if sign < 0 else ' + ') ~ reach -%}
            {%- set end = 'case when ' ~ end ~ (' < 0 then 0' if sign < 0 else ' > 1 then 1') ~ ' else ' ~ end
                ~ ' end' -%}
        {%- endif -%}
        {%- do ends.update({
            name: '(' ~ end ~ ')'
                if spread['factor'] == 1
                else '(' ~ spread['factor'] ~ ' * (' ~ end ~ ') - ' ~ (spread['factor'] - 1) ~ ')',
        }) -%}
    {%- endfor -%}
    {%- do return(ends) -%}
{%- endmacro %}

{#
  The number of standard errors that an interval of AUC reaches to either side. Over lists it is Student's t,
  with one degree of freedom less than the number of lists with a positive row or with a negative row,
  whichever is smaller: with few lists the normal distribution would be too narrow.
#}
{% macro critical_value_of_auc(plan) -%}
    {%- if plan['facts']['group'] is none -%}
        {%- do return(sqlmetrics.normal_critical_value((1 + plan['facts']['interval']) / 2)) -%}
    {%- endif -%}
    {{- sqlmetrics.critical_value(plan, 'sm_auc_spreads', 'sm_auc_lists - 1') -}}
{%- endmacro %}

{#
  The variance of AUC over rows: an expression over sm_discordant_sums and sm_class_sizes, null if a class has
  fewer than two rows.

  It is S10 / P + S01 / N, where S10 and S01 are the variances of the shares of correctly ordered pairs of the
  positive and the negative rows.

  Source: DeLong, DeLong, Clarke-Pearson (1988), doi:10.2307/2531595; Sun and Xu (2014),
    doi:10.1109/LSP.2014.2337313
#}
{% macro variance_over_rows() -%}
    {%- set terms = [] -%}
    {%- for name in ('positive', 'negative') -%}
        {%- set rows, sums = sqlmetrics.sql_double('sm_all_' ~ name), 'sm_' ~ name ~ '_discordant' -%}
        {%- set squares = '(' ~ sums ~ '_squares - ' ~ sqlmetrics.sql_double('sm_auc_discordant') ~ ' * '
            ~ sqlmetrics.ratio('sm_auc_discordant', rows) ~ ')' -%}
        {%- do terms.append(sqlmetrics.ratio(
            rows ~ ' * case when ' ~ sums ~ '_least < ' ~ sums ~ '_most and ' ~ squares ~ ' > 0 then ' ~ squares
                ~ ' else 0 end',
            rows ~ ' - 1',
        )) -%}
    {%- endfor -%}
    {%- set pairs = '(2 * ' ~ sqlmetrics.sql_double('sm_all_positive') ~ ' * sm_all_negative)' -%}
    {%- do return(sqlmetrics.ratio(terms | join(' + '), pairs ~ ' * ' ~ pairs)) -%}
{%- endmacro %}

{#
  The variance of AUC over lists: an aggregate over sm_auc_deviations, null if fewer than two lists have a row
  of a class.

  It is S10 / P + S01 / N + 2 S11 / (P N): the variances of the sums over the rows of each class of a list,
  and their covariance. Each is corrected by its number of lists: I10 / (I10 - 1), I01 / (I01 - 1) and I / (I
  - 1). With lists of one row it equals `variance_over_rows`.

  Args:
    positive, negative: the deviations of a list; the differences of those of two models give the variance of
      the difference
  Source: Obuchowski (1997), doi:10.2307/2533958
#}
{% macro variance_over_lists(positive='sm_positive_deviation', negative='sm_negative_deviation') -%}
    {%- set terms = [] -%}
    {%- for product, lists in [
        (positive ~ ' * ' ~ positive, 'sum(sm_has_positive)'), (negative ~ ' * ' ~ negative, 'sum(sm_has_negative)'),
        ('2 * ' ~ positive ~ ' * ' ~ negative, 'count(*)'),
    ] -%}
        {%- do terms.append(sqlmetrics.ratio(
            lists ~ ' * ' ~ sqlmetrics.sql_aggregate('sum', product), lists ~ ' - 1'
        )) -%}
    {%- endfor -%}
    {%- do return('(' ~ terms | join(' + ') ~ ')') -%}
{%- endmacro %}

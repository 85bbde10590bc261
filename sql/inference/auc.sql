{# Intervals of AUC. stages/levels/discordant_sums.sql and discordant_units.sql make the sums. #}

{#
  True if AUC has units of its own, whose deviations are summed: lists, or rows that have weights. Rows without weights
  are fewer sums.
#}
{% macro auc_by_units(plan) -%}
    {%- do return(plan['facts']['group'] is not none or plan['facts']['weight'] is not none) -%}
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
  The ends of an interval of AUC or of a value computed from it (see auc_with_variance): those of a mean of as many
  units as the rarer class has rows, or lists, since no variance of AUC is larger than that of such a mean. With
  interval_method=logit they are those of ln(AUC / (1 - AUC)), whose ends stay inside; they are null if AUC is 0 or 1
  or has no spread.

  Source: van Dantzig (1951), for the largest variance
#}
{% macro ends_of_auc(plan, value, spread, name) -%}
    {%- set auc, variance, factor = spread['auc'], spread['variance'], spread['factor'] -%}
    {%- set critical = sqlmetrics.critical_value_of_auc(plan) -%}
    {%- if plan['facts']['interval_method'] != 'logit' -%}
        {%- set sums = dict(sqlmetrics.sums_of_auc(plan, spread), critical=critical) -%}
        {%- do return(sqlmetrics.ask_ends(plan, name, value, sums, closed=true, by_units=false)) -%}
    {%- endif -%}
    {%- set reach, ends = critical ~ ' * sqrt(' ~ variance ~ ')', {} -%}
    {%- for end, sign in {'low': '', 'high': '-'}.items() -%}
        {%- set odds = sqlmetrics.sql_exp(sign ~ reach ~ ' / (' ~ auc ~ ' * (1 - ' ~ auc ~ '))') -%}
        {%- set there = 'case when ' ~ auc ~ ' > 0 and ' ~ auc ~ ' < 1 and ' ~ variance ~ ' > 0 then ' ~ auc ~ ' / ('
            ~ auc ~ ' + (1 - ' ~ auc ~ ') * ' ~ odds ~ ') end' -%}
        {%- do ends.update({
            end: '(' ~ there ~ ')' if factor == 1 else '(' ~ factor ~ ' * (' ~ there ~ ') - ' ~ (factor - 1) ~ ')',
        }) -%}
    {%- endfor -%}
    {%- do return(ends) -%}
{%- endmacro %}

{# What the ends of AUC, or of a value computed from it, are made of (ends.sql). #}
{% macro sums_of_auc(plan, spread) -%}
    {%- set units, factor = sqlmetrics.auc_units(plan), spread['factor'] -%}
    {%- do plan.update({'auc_skew': true}) -%}
    {%- do return({
        'variance': factor * factor ~ ' * ' ~ spread['variance'] ~ ' * (' ~ units ~ ' - 1) / nullif(' ~ units ~ ', 0)',
        'units': units,
        'skew': 'case when abs({positive_skew}) > abs({negative_skew}) then {positive_skew}'
            ~ ' when {positive_skew} is not null then {negative_skew} end',
    }) -%}
{%- endmacro %}

{# The effective number of rows of the rarer class, or of lists with a row of it. #}
{% macro auc_units(plan) -%}
    {%- if sqlmetrics.auc_by_units(plan) -%}{%- do return('sm_units_of_auc') -%}{%- endif -%}
    {%- do return('(' ~ sqlmetrics.fewer_of(sqlmetrics.row_positives(plan), sqlmetrics.row_negatives(plan)) ~ ')') -%}
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
    {{- sqlmetrics.critical_value(plan, 'sm_auc_spreads', 'sm_units_of_auc - 1') -}}
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
  The columns sm_positive_skew and sm_negative_skew: the skewness of the placements of the rows of a class over the root
  of their number, null if they have one placement; over sm_discordant_sums and sm_class_sizes.
#}
{% macro skews_over_rows() -%}
    {%- set columns = [] -%}
    {%- for name in ('positive', 'negative') -%}
        {%- set n, sums = sqlmetrics.sql_double('sm_all_' ~ name), 'sm_' ~ name ~ '_discordant' -%}
        {%- set mean = sqlmetrics.ratio('sm_auc_discordant', n) -%}
        {%- set second = '(' ~ sums ~ '_squares - sm_auc_discordant * ' ~ mean ~ ')' -%}
        {%- set third = '(' ~ sums ~ '_cubes - ' ~ mean ~ ' * (3 * ' ~ sums ~ '_squares - 2 * sm_auc_discordant * '
            ~ mean ~ '))' -%}
        {%- do columns.append(
            'case when ' ~ sums ~ '_least < ' ~ sums ~ '_most and ' ~ second ~ ' > 0 then '
            ~ sqlmetrics.ratio(third, second ~ ' * sqrt(' ~ second ~ ')') ~ ' end as sm_' ~ name ~ '_skew'
        ) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# The same over units, whose deviations have the mean 0: aggregates over sm_auc_deviations. #}
{% macro skews_over_units() -%}
    {%- set columns = [] -%}
    {%- for name in ('positive', 'negative') -%}
        {%- set deviation = 'sm_' ~ name ~ '_deviation' -%}
        {%- set second = sqlmetrics.sql_aggregate('sum', deviation ~ ' * ' ~ deviation) -%}
        {%- set third = sqlmetrics.sql_aggregate('sum', deviation ~ ' * ' ~ deviation ~ ' * ' ~ deviation) -%}
        {%- do columns.append(
            sqlmetrics.ratio(third, second ~ ' * sqrt(' ~ second ~ ')') ~ ' as sm_' ~ name ~ '_skew'
        ) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{#
  The variance of AUC over units, lists or weighted rows: an aggregate over sm_auc_deviations, null if fewer than two
  units have a row of a class.

  It is S10 / P + S01 / N + 2 S11 / (P N): the variances of the sums over the rows of each class of a unit, and their
  covariance. Each is corrected by its number of units m: m / (m - 1). With units of one row of equal weight it equals
  `variance_over_rows`.

  Args:
    positive, negative: the deviations of a unit; the differences of those of two models give the variance of
      the difference
  Source: Obuchowski (1997), doi:10.2307/2533958; weights enter the influence of a row, w (V - AUC) / sum(w)
#}
{% macro variance_over_units(plan, positive='sm_positive_deviation', negative='sm_negative_deviation') -%}
    {%- set terms = [] -%}
    {%- for product, has in [
        (positive ~ ' * ' ~ positive, 'sm_has_positive'), (negative ~ ' * ' ~ negative, 'sm_has_negative'),
        ('2 * ' ~ positive ~ ' * ' ~ negative, none),
    ] -%}
        {%- set units = 'count(*)' if has is none else sqlmetrics.number_of_units(plan, has) -%}
        {%- do terms.append(sqlmetrics.ratio(
            units ~ ' * ' ~ sqlmetrics.sql_aggregate('sum', product), units ~ ' - 1'
        )) -%}
    {%- endfor -%}
    {%- do return('(' ~ terms | join(' + ') ~ ')') -%}
{%- endmacro %}

{#
  The number of units with a row of a class: an aggregate over sm_has_positive or sm_has_negative. With weights these
  are mean weights, and the number is that of units of equal weight.

  Source: Kish, Survey Sampling (1965), 11.7
#}
{% macro number_of_units(plan, has) -%}
    {%- if plan['facts']['weight'] is none -%}{%- do return('sum(' ~ has ~ ')') -%}{%- endif -%}
    {%- do return(sqlmetrics.ratio('sum(' ~ has ~ ') * sum(' ~ has ~ ')', 'sum(' ~ has ~ ' * ' ~ has ~ ')')) -%}
{%- endmacro %}

{# The number of units with a row of the class that fewer have. #}
{% macro number_of_rarer_units(plan) -%}
    {{- sqlmetrics.fewer_of(
        sqlmetrics.number_of_units(plan, 'sm_has_positive'), sqlmetrics.number_of_units(plan, 'sm_has_negative')
    ) -}}
{%- endmacro %}

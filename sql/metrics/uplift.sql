{#
  Metrics of a score that says who gains by a treatment, on the rows of an experiment. The score predicts the uplift,
  the label is 0 or 1, and the parameter treatment names the column that is 1 for treated rows and 0 for the control.
  Task: Uplift and policies
  Grain: score levels by arm (stages/levels/arms.sql). Rows of equal score make one point of a curve, as in
  scikit-uplift.

  Returns: float; weighted by the row weight
#}

{#
  Qini coefficient: the area between the Qini curve and the line of a random order, as a share of the perfect area. The
  curve has, from the highest score down, the positive treated rows less those of the control, scaled to as many rows.

  The perfect order has positive treated rows first and positive rows of the control last.

  Formula: \text{Qini} = \frac{A - A^0}{A^* - A^0}, \quad A = \sum_l (n_l - n_{l-1}) \frac{f_{l-1} + f_l}{2}
    f_l = Y_1(t_l) - Y_0(t_l) \frac{T_1(t_l)}{T_0(t_l)}
    n_l = T_1(t_l) + T_0(t_l)
  Better: higher
  Range: (-inf, inf)
  Unit: none
  Undefined: null if an arm has no row, or if no row is positive
  Traps: it is about the order and not the effect: a treatment that harms on average may have a high value;
    libraries differ in the curve and in what they divide by; without random assignment it is not an uplift; on
    few positive rows it is mostly chance
  Errors: a label or a treatment other than 0 and 1
  Source: Radcliffe (2007), Using control groups to target on predicted lift; scikit-uplift, qini_auc_score
  Example: qini(treatment=treated)
#}
{% macro metric_qini(plan, treatment=none) -%}
    {%- set n = sqlmetrics.counts_of_experiment(plan, treatment) -%}
    {%- set area = sqlmetrics.area_of_arms(
        plan, 'qini_area', sqlmetrics.qini_height('_above'), sqlmetrics.qini_height('_through')
    ) -%}
    {%- set end = '(' ~ n['treated_positives'] ~ ' - ' ~ n['control_positives'] ~ ' * '
        ~ sqlmetrics.ratio(n['treated'], n['control']) ~ ')' -%}
    {%- set total = sqlmetrics.sql_double('(' ~ n['treated'] ~ ' + ' ~ n['control'] ~ ')') -%}
    {%- set up, down = sqlmetrics.sql_double(n['treated_positives']), sqlmetrics.sql_double(n['control_positives']) -%}
    {%- set perfect = '(' ~ up ~ ' * ' ~ up ~ ' / 2 + (' ~ total ~ ' - ' ~ up ~ ' - ' ~ down ~ ') * ' ~ up ~ ' + '
        ~ down ~ ' * (' ~ up ~ ' + ' ~ end ~ ') / 2)' -%}
    {%- do return(sqlmetrics.over_perfect(n, area, perfect, total, end)) -%}
{%- endmacro %}

{#
  Area under the uplift curve: the area between the uplift curve and the line of a random order, as a share of the
  perfect area. The curve has, from the highest score down, the difference of the positive shares of both arms, times
  the rows.

  The perfect order has positive treated rows first, then the negative ones of the control.

  Formula: \text{AUUC} = \frac{A - A^0}{A^* - A^0}, \quad A = \sum_l (n_l - n_{l-1}) \frac{f_{l-1} + f_l}{2}
    f_l = \left( \frac{Y_1(t_l)}{T_1(t_l)} - \frac{Y_0(t_l)}{T_0(t_l)} \right) n_l
    n_l = T_1(t_l) + T_0(t_l)
  Better: higher
  Range: (-inf, inf)
  Unit: none
  Undefined: null if an arm has no row, or if the perfect order has the area of a random one
  Traps: it is about the order and not the effect: a treatment that harms on average may have a high value;
    libraries differ in the curve and in what they divide by; without random assignment it is not an uplift; the
    top of the order has few rows of each arm
  Errors: a label or a treatment other than 0 and 1
  Source: Devriendt, Van Belle, Guns and Verbeke (2020), doi:10.1109/TKDE.2020.3048510; scikit-uplift,
    uplift_auc_score
  Example: auuc(treatment=treated)
#}
{% macro metric_auuc(plan, treatment=none) -%}
    {%- set n = sqlmetrics.counts_of_experiment(plan, treatment) -%}
    {%- set area = sqlmetrics.area_of_arms(
        plan, 'uplift_area', sqlmetrics.uplift_height('_above'), sqlmetrics.uplift_height('_through')
    ) -%}
    {%- set up, down = sqlmetrics.sql_double(n['treated_positives']), sqlmetrics.sql_double(n['control_positives']) -%}
    {#- sums of their own: a difference of sums would say which of two equal groups is the larger by its rounding -#}
    {%- set idle = sqlmetrics.sql_double(sqlmetrics.negatives_of_arm(plan, 'idle', plan['treatment'] ~ ' = 1')) -%}
    {%- set still = sqlmetrics.sql_double(sqlmetrics.negatives_of_arm(plan, 'still', plan['treatment'] ~ ' <> 1')) -%}
    {%- set total = '(' ~ up ~ ' + ' ~ still ~ ' + ' ~ down ~ ' + ' ~ idle ~ ')' -%}
    {%- set rates = [
        'coalesce(' ~ sqlmetrics.ratio(up, '(' ~ up ~ ' + ' ~ idle ~ ')') ~ ', 0)',
        'coalesce(' ~ sqlmetrics.ratio(down, '(' ~ down ~ ' + ' ~ still ~ ')') ~ ', 0)',
    ] -%}
    {%- set end = '((' ~ rates[0] ~ ' - ' ~ rates[1] ~ ') * ' ~ total ~ ')' -%}
    {#- the corners of the perfect curve: treated positives, idle control, then whichever is the smaller group last -#}
    {%- set all_of_treated = '(case when ' ~ up ~ ' > 0 then 1 else 0 end)' -%}
    {%- set second = '(' ~ all_of_treated ~ ' * (' ~ up ~ ' + ' ~ still ~ '))' -%}
    {%- set by_control = '(' ~ all_of_treated ~ ' - ' ~ rates[1] ~ ') * (' ~ total ~ ' - ' ~ idle ~ ')' -%}
    {%- set by_treated = rates[0] ~ ' * (' ~ total ~ ' - ' ~ down ~ ')' -%}
    {%- set half = [] -%}
    {%- for third, width, rest in ((by_control, down, idle), (by_treated, idle, down)) -%}
        {%- do half.append(
            width ~ ' * (' ~ second ~ ' + ' ~ third ~ ') + ' ~ rest ~ ' * (' ~ third ~ ' + ' ~ end ~ ')'
        ) -%}
    {%- endfor -%}
    {%- set perfect = '((' ~ up ~ ' * ' ~ up ~ ' + ' ~ still ~ ' * (' ~ up ~ ' + ' ~ second ~ ') + case when ' ~ down
        ~ ' > 1.000000000001 * ' ~ idle ~ ' then ' ~ half[0] ~ ' else ' ~ half[1] ~ ' end) / 2)' -%}
    {%- do return(sqlmetrics.over_perfect(n, area, perfect, total, end)) -%}
{%- endmacro %}

{#
  Uplift in the top share of rows by score: the share of positive rows among the treated ones less that among the
  control. If the share cuts a score level, its rows are spread evenly. With share=1 it is the effect of the treatment
  on all rows.

  Formula: \text{uplift} = \frac{Y_1(\text{share})}{T_1(\text{share})} - \frac{Y_0(\text{share})}{T_0(\text{share})}
  Args:
    share: share of the rows, of both arms together, > 0 and <= 1
  Better: higher
  Range: [-1, 1]
  Unit: share
  Undefined: null if an arm has no row in the top share
  Traps: without random assignment a difference of the arms counts as an effect; a small share has few rows of
    each arm, so that it is mostly chance; it says nothing on the rows below; values of different shares are not
    comparable
  Errors: a label or a treatment other than 0 and 1; share outside (0, 1]
  Source: scikit-uplift, uplift_at_k with strategy overall, which breaks ties by the order of rows
  Example: uplift(treatment=treated, share=0.3)
#}
{% macro metric_uplift(plan, treatment=none, share=0.3) -%}
    {{- sqlmetrics.number(plan, 'share', share, 1e-300, 1) -}}
    {%- set n = sqlmetrics.counts_of_experiment(plan, treatment, ['treated', 'control']) -%}
    {%- set part = sqlmetrics.level_part_within(
        share ~ ' * (' ~ n['treated'] ~ ' + ' ~ n['control'] ~ ')',
        '({treated_above} + {control_above})', '({treated_through} + {control_through})'
    ) -%}
    {%- set top = {} -%}
    {%- for name in sqlmetrics.counts_of_arms('', '') -%}
        {%- do top.update({name: sqlmetrics.need(
            plan, 'arms', name ~ '_in_top_' ~ sqlmetrics.column_name(share), '{' ~ name ~ '} * ' ~ part
        )}) -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.bounded_value(
        '(' ~ sqlmetrics.ratio(top['treated_positives'], top['treated']) ~ ' - '
            ~ sqlmetrics.ratio(top['control_positives'], top['control']) ~ ')', least=-1
    )) -%}
{%- endmacro %}

{#
  Name -> sum over rows: the rows of each arm and the positive rows of each arm, or those that `only` names. Checks
  label and treatment.
#}
{% macro counts_of_experiment(plan, treatment, only=none) -%}
    {%- set arm = sqlmetrics.row_column(plan, 'treatment', treatment, boolean=true) -%}
    {%- if plan['treatment'] is not none and plan['treatment'] != arm -%}
        {{- sqlmetrics.refuse_metric(
            plan, "one call reads one treatment=, and another metric names another column; ask them in two calls"
        ) -}}
    {%- endif -%}
    {%- do plan.update({'treatment': arm}) -%}
    {%- do sqlmetrics.require(
        plan, 'rows', 'rows_not_treatment', arm ~ ' not in (0, 1)',
        'rows have a treatment (' ~ treatment ~ ') that is neither 0 nor 1, such as {value}', arm
    ) -%}
    {%- set counts = {} -%}
    {%- for name, condition in sqlmetrics.counts_of_arms(arm ~ ' = 1', sqlmetrics.is_positive(plan)).items()
        if only is none or name in only -%}
        {%- do counts.update({
            name: sqlmetrics.row_sum(plan, 'all_' ~ name, sqlmetrics.row_count_if(plan, '(' ~ condition ~ ')')),
        }) -%}
    {%- endfor -%}
    {%- do return(counts) -%}
{%- endmacro %}

{# The weight of the negative rows of an arm. #}
{% macro negatives_of_arm(plan, name, arm) -%}
    {{- sqlmetrics.row_sum(
        plan, 'all_' ~ name, sqlmetrics.row_count_if(plan, arm ~ ' and not (' ~ sqlmetrics.is_positive(plan) ~ ')')
    ) -}}
{%- endmacro %}

{# The height of the Qini curve above a level, or down to it. #}
{% macro qini_height(place) -%}
    {%- set scale = sqlmetrics.ratio('{treated' ~ place ~ '}', '{control' ~ place ~ '}') -%}
    ({{ '{treated_positives' ~ place ~ '}' }} - {{ '{control_positives' ~ place ~ '}' }} * coalesce({{ scale }}, 0))
{%- endmacro %}

{# That of the uplift curve. #}
{% macro uplift_height(place) -%}
    {%- set shares = [] -%}
    {%- for arm in ('treated', 'control') -%}
        {%- set share = sqlmetrics.ratio('{' ~ arm ~ '_positives' ~ place ~ '}', '{' ~ arm ~ place ~ '}') -%}
        {%- do shares.append('coalesce(' ~ share ~ ', 0)') -%}
    {%- endfor -%}
    (({{ shares | join(' - ') }}) * ({{ '{treated' ~ place ~ '} + {control' ~ place ~ '}' }}))
{%- endmacro %}

{# The area below a curve over score levels, by trapezoids. #}
{% macro area_of_arms(plan, name, above, through) -%}
    {{- sqlmetrics.need(
        plan, 'arms', name, sqlmetrics.ratio('({treated} + {control}) * (' ~ above ~ ' + ' ~ through ~ ')', '2')
    ) -}}
{%- endmacro %}

{# What an area is above that of a line to the same end, over what the perfect one is. Returns a value. #}
{% macro over_perfect(n, area, perfect, total, end) -%}
    {%- set random = '(' ~ total ~ ' * ' ~ end ~ ' / 2)' -%}
    {#- where no order is better than a random one, only rounding is left of the difference -#}
    {%- set best = sqlmetrics.less_rounding(perfect ~ ' - ' ~ random, 'abs(' ~ random ~ ')') -%}
    {%- do return(sqlmetrics.plain_value(
        'case when ' ~ n['treated'] ~ ' > 0 and ' ~ n['control'] ~ ' > 0 then ' ~ sqlmetrics.ratio(
            '(' ~ area ~ ' - ' ~ random ~ ')', best
        ) ~ ' end'
    )) -%}
{%- endmacro %}

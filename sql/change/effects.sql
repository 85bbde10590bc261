{# From sums to the effects of slices, and to their intervals. #}

{#
  The parts of an effect, in order: mix, rate, interaction (with base=before) and effect, their sum.

  Returns: name -> a mapping of expressions over sm_change_shares
    estimate: the part
    share_1, share_2: its derivative with respect to the share of the slice in each period
    value_1, value_2: with respect to the value of the slice, where the slice has units
    whole_1, whole_2: with respect to the metric of all slices
    left_1, left_2: with respect to what a slice without a divisor adds to the metric of all
#}
{% macro parts_of_effect(plan) -%}
    {%- set both = 'sm_own_1 is not null and sm_own_2 is not null' -%}
    {%- if plan['question']['own']['base'] == 'midpoint' -%}
        {%- set of_mix = 'case when ' ~ both ~ ' then sm_moved / 2 else sm_moved end' -%}
        {%- set parts = {
            'mix': {
                'estimate': 'sm_moved * sm_apart + sm_left_2 - sm_left_1', 'left_1': '-1', 'left_2': '1',
                'share_1': '-sm_apart', 'share_2': 'sm_apart', 'value_1': of_mix,
                'value_2': of_mix, 'whole_1': '-sm_moved / 2', 'whole_2': '-sm_moved / 2',
            },
            'rate': {
                'estimate': 'sm_weight * sm_rise', 'share_1': 'sm_rise / 2', 'share_2': 'sm_rise / 2', 'left_1': '0',
                'left_2': '0',
                'value_1': 'case when ' ~ both ~ ' then -sm_weight else 0 end',
                'value_2': 'case when ' ~ both ~ ' then sm_weight else 0 end', 'whole_1': '0', 'whole_2': '0',
            },
        } -%}
    {%- else -%}
        {%- set parts = {
            'mix': {
                'estimate': 'sm_moved * sm_apart + sm_left_2 - sm_left_1', 'left_1': '-1', 'left_2': '1',
                'share_1': '-sm_apart', 'share_2': 'sm_apart', 'value_1': 'sm_moved',
                'value_2': 'case when ' ~ both ~ ' then 0 else sm_moved end', 'whole_1': '-sm_moved', 'whole_2': '0',
            },
            'rate': {
                'estimate': 'sm_weight * sm_rise', 'left_1': '0', 'left_2': '0', 'share_1': 'sm_rise', 'share_2': '0',
                'value_1': 'case when ' ~ both ~ ' then -sm_weight else 0 end',
                'value_2': 'case when ' ~ both ~ ' then sm_weight else 0 end', 'whole_1': '0', 'whole_2': '0',
            },
            'interaction': {
                'estimate': 'sm_moved * sm_rise', 'share_1': '-sm_rise', 'share_2': 'sm_rise', 'left_1': '0',
                'left_2': '0',
                'value_1': 'case when ' ~ both ~ ' then -sm_moved else 0 end',
                'value_2': 'case when ' ~ both ~ ' then sm_moved else 0 end', 'whole_1': '0', 'whole_2': '0',
            },
        } -%}
    {%- endif -%}
    {%- set effect = {} -%}
    {%- for name in parts['mix'] -%}
        {%- set terms = [] -%}
        {%- for part in parts.values() if part[name] != '0' -%}
            {%- do terms.append('(' ~ part[name] ~ ')') -%}
        {%- endfor -%}
        {%- do effect.update({name: terms | join(' + ') or '0'}) -%}
    {%- endfor -%}
    {%- do return(dict(parts, effect=effect)) -%}
{%- endmacro %}

{#
  sm_change_shares: the shares and values of each slice, and the metric of all slices.
    sm_share_1, sm_own_1, sm_whole_1: the share of the slice, its value (NULL without units) and the metric of all, in
      the period before; _2: in the period after
    sm_left_1, sm_left_2: the numerator of a slice whose divisor is 0, over the divisor of all. The slice has no value,
      but belongs to the metric of all
    sm_moved, sm_rise: how far share and value moved. A slice without units in one period has the value of the other
    sm_apart, sm_weight: what mix and rate are weighed by
#}
{% macro stage_change_shares(plan) -%}
{%- set sums, windows, shares, filled = plan['compared_metrics'][0]['sums'] | list, [], [], [] -%}
{%- for side in (1, 2) -%}
    {#- units are counted in each slice alone -#}
    {%- for name in sums if name != 'units' -%}
        {%- set column = 'sm_' ~ name ~ '_' ~ side -%}
        {%- do windows.append('sum(' ~ column ~ ') over () as sm_all_' ~ name ~ '_' ~ side) -%}
    {%- endfor -%}
    {%- set d, all_n, all_d = 'sm_d_' ~ side, 'sm_all_n_' ~ side, 'sm_all_d_' ~ side -%}
    {%- set sound = 'case when sm_any_broken = 0 then ' -%}
    {%- do shares.extend([
        sound ~ sqlmetrics.ratio(d, all_d) ~ ' end as sm_share_' ~ side,
        sound ~ sqlmetrics.ratio('sm_n_' ~ side, d) ~ ' end as sm_own_' ~ side,
        sound ~ sqlmetrics.ratio(all_n, all_d) ~ ' end as sm_whole_' ~ side,
        'case when ' ~ d ~ ' = 0 then ' ~ sqlmetrics.ratio('sm_n_' ~ side, all_d) ~ ' else 0 end as sm_left_' ~ side,
    ]) -%}
    {%- do filled.append(
        'coalesce(sm_own_' ~ side ~ ', sm_own_' ~ (3 - side) ~ ', 0) as sm_value_' ~ side
    ) -%}
{%- endfor -%}
{%- set midpoint = plan['question']['own']['base'] == 'midpoint' -%}
-- the share and the value of each slice, and how far they moved
sm_change_shares as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines([
            'sm_values_filled.*', 'sm_share_2 - sm_share_1 as sm_moved', 'sm_value_2 - sm_value_1 as sm_rise',
            ('(sm_value_1 + sm_value_2) / 2 - (sm_whole_1 + sm_whole_2) / 2' if midpoint
                else 'sm_value_1 - sm_whole_1') ~ ' as sm_apart',
            ('(sm_share_1 + sm_share_2) / 2' if midpoint else 'sm_share_1') ~ ' as sm_weight',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(['sm_shared.*'] + filled, 12) }}
        from (
            select
                {{- sqlmetrics.lines(['sm_summed.*'] + shares, 16) }}
            from (
                select
                    {{- sqlmetrics.lines(
                        ['sm_change_sums.*', 'max(sm_broken) over () as sm_any_broken'] + windows, 20
                    ) }}
                from sm_change_sums
            ) as sm_summed
        ) as sm_shared
    ) as sm_values_filled
)
{%- endmacro %}

{#
  sm_change_parts: one row for each slice and part of its effect (sm_part), with the part and its derivatives. The
    derivatives with respect to shares and to the metric of all are also summed over slices, for the total.
#}
{% macro stage_change_parts(plan) -%}
{%- set parts = sqlmetrics.parts_of_effect(plan) -%}
{%- set numbers, columns, windows = [], [], [] -%}
{%- for part in parts -%}{%- do numbers.append('select ' ~ loop.index ~ ' as sm_part') -%}{%- endfor -%}
{%- for name in (parts['mix'] if plan['question']['reads'] == 'rows' else ['estimate']) -%}
    {%- set cases = [] -%}
    {%- for part in parts.values() -%}
        {%- do cases.append('when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_double('(' ~ part[name] ~ ')')) -%}
    {%- endfor -%}
    {%- do columns.append('case sm_part ' ~ cases | join(' ') ~ ' end as sm_by_' ~ name) -%}
{%- endfor -%}
{%- for side in ((1, 2) if plan['question']['reads'] == 'rows' else ()) -%}
    {%- do windows.extend([
        'sum(sm_by_share_' ~ side ~ ' * sm_share_' ~ side ~ ') over (partition by sm_part) as sm_all_by_share_' ~ side,
        'sum(sm_by_whole_' ~ side ~ ') over (partition by sm_part) as sm_all_by_whole_' ~ side,
        'sum(sm_by_left_' ~ side ~ ' * sm_left_' ~ side ~ ') over (partition by sm_part) as sm_all_by_left_' ~ side,
    ]) -%}
{%- endfor -%}
-- the parts of the effect of each slice{{ ', and how they depend on shares and values' if windows }}
sm_change_parts as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(['sm_parts_of_slices.*'] + windows, 8) }}
    from (
        select
            {{- sqlmetrics.lines(['sm_change_shares.*', 'sm_part'] + columns, 12) }}
        from sm_change_shares
        cross join (
            {{ numbers | join('\n            union all\n            ') }}
        ) as sm_parts
    ) as sm_parts_of_slices
)
{%- endmacro %}

{#
  The sum of the squared influences of units; 0 if it is within the rounding of its terms, or of the slopes, which are
  differences. The influence of a unit is slope_n * n + slope_d * d.

  Args:
    slope_n, slope_d: columns
    products: the sums of n * n, n * d and d * d over the units

  sm_size: the sum of the squared influences with slopes that are no differences
#}
{% macro squares_of_influences(slope_n, slope_d, products) -%}
    {%- set nn, nd, dd = products -%}
    {%- set ends = slope_n ~ ' * ' ~ slope_n ~ ' * ' ~ nn ~ ' + ' ~ slope_d ~ ' * ' ~ slope_d ~ ' * ' ~ dd -%}
    {%- set middle = '2 * ' ~ slope_n ~ ' * ' ~ slope_d ~ ' * ' ~ nd -%}
    {%- set squares = ends ~ ' + ' ~ middle -%}
    case when {{ squares }} > 1e-14 * ({{ ends }}) + 1e-28 * sm_size then {{ squares }} else 0 end
{%- endmacro %}

{#
  sm_change_effects: one row for each part of each slice, and of the total (slice 0), with
    sm_estimate: the part
    sm_inside_1: the sum of squared influences of the slice's own units of the period before; sm_outside_1 that of
      other units, which move the shares and the metric of all
    sm_n_inside_1, sm_n_outside_1, sm_n_all_1: the effective numbers of these units, and of all
#}
{% macro stage_change_effects(plan) -%}
{%- set info, squares, slopes, sizes = sqlmetrics.facts_of_effects(plan), [], [], [] -%}
{%- for side in ((1, 2) if plan['question']['reads'] == 'rows' else ()) -%}
    {%- set all_d, whole, value = 'sm_all_d_' ~ side, 'sm_whole_' ~ side, 'sm_own_' ~ side -%}
    {%- set by_share, by_whole = 'sm_by_share_' ~ side, 'sm_by_whole_' ~ side -%}
    {%- set by_left = '(case when sm_d_' ~ side ~ ' = 0 then sm_by_left_' ~ side ~ ' else 0 end)' -%}
    {%- set left = 'sm_by_left_' ~ side ~ ' * sm_left_' ~ side -%}
    {%- set of_left = '(case when sm_in_total = 1 then sm_all_by_left_' ~ side ~ ' else ' ~ left ~ ' end)' -%}
    {%- set moved = by_share ~ ' * (1 - sm_share_' ~ side ~ ')' -%}
    {%- set of_all = by_share ~ ' - sm_all_by_share_' ~ side -%}
    {%- set of_whole = '(case when sm_in_total = 1 then sm_all_by_whole_' ~ side ~ ' else ' ~ by_whole ~ ' end)' -%}
    {%- set of_value = 'coalesce(' ~ sqlmetrics.ratio('sm_by_value_' ~ side, 'sm_d_' ~ side) -%}
    {%- do slopes.extend([
        of_value ~ ', 0) + ' ~ sqlmetrics.ratio('(' ~ of_whole ~ ' + ' ~ by_left ~ ')', all_d)
            ~ ' as sm_slope_n_' ~ side,
        sqlmetrics.ratio('(case when sm_in_total = 1 then ' ~ of_all ~ ' else ' ~ moved ~ ' end)', all_d)
            ~ ' - ' ~ of_value ~ ' * ' ~ value ~ ', 0) - '
            ~ sqlmetrics.ratio('(' ~ of_whole ~ ' * ' ~ whole ~ ' + ' ~ of_left ~ ')', all_d)
            ~ ' as sm_slope_d_' ~ side,
        sqlmetrics.ratio(by_whole, all_d) ~ ' as sm_other_slope_n_' ~ side,
        '-' ~ sqlmetrics.ratio(
            '(' ~ by_share ~ ' * sm_share_' ~ side ~ ' + ' ~ by_whole ~ ' * ' ~ whole ~ ' + ' ~ left ~ ')', all_d
        )
            ~ ' as sm_other_slope_d_' ~ side,
    ]) -%}
    {%- do sizes.append('coalesce(' ~ sqlmetrics.ratio('sm_all_nn_' ~ side, all_d ~ ' * ' ~ all_d) ~ ', 0)') -%}
    {%- set sums, rest = [], [] -%}
    {%- for name in ('nn', 'nd', 'dd') -%}
        {%- do sums.append('sm_' ~ name ~ '_' ~ side) -%}
        {%- do rest.append('(sm_all_' ~ name ~ '_' ~ side ~ ' - sm_' ~ name ~ '_' ~ side ~ ')') -%}
    {%- endfor -%}
    {%- set inside = sqlmetrics.squares_of_influences('sm_slope_n_' ~ side, 'sm_slope_d_' ~ side, sums) -%}
    {%- set outside = sqlmetrics.squares_of_influences('sm_other_slope_n_' ~ side, 'sm_other_slope_d_' ~ side, rest) -%}
    {%- set own_d, rest_d = 'sm_d_' ~ side, '(' ~ all_d ~ ' - sm_d_' ~ side ~ ')' -%}
    {%- set n_all = sqlmetrics.ratio(all_d ~ ' * ' ~ all_d, 'sm_all_dd_' ~ side) -%}
    {%- set n_own = sqlmetrics.ratio(own_d ~ ' * ' ~ own_d, sums[2]) -%}
    {%- do squares.extend([
        'sum(' ~ inside ~ ') as sm_inside_' ~ side,
        'sum(case when sm_in_total = 0 then ' ~ outside ~ ' else 0 end) as sm_outside_' ~ side,
        'max(' ~ n_all ~ ') as sm_n_all_' ~ side,
        'max(case when sm_in_total = 1 then ' ~ n_all ~ ' else ' ~ n_own ~ ' end) as sm_n_inside_' ~ side,
        'max(' ~ sqlmetrics.ratio(rest_d ~ ' * ' ~ rest_d, rest[2]) ~ ') as sm_n_outside_' ~ side,
    ]) -%}
{%- endfor -%}
{%- if sizes -%}{%- do slopes.append(sizes | join(' + ') ~ ' as sm_size') -%}{%- endif -%}
{%- set slice = 'case when sm_in_total = 1 then 0 else sm_slice end' -%}
-- the same for all slices together; and how much the units of each period vary
sm_change_effects as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(
            [slice ~ ' as sm_counted_in', 'sm_part', 'sum(sm_by_estimate) as sm_estimate'] + info + squares, 8
        ) }}
    from (
        select
            {{- sqlmetrics.lines(['sm_change_parts.*', 'sm_in_total'] + slopes, 12) }}
        from sm_change_parts
        cross join {{ sqlmetrics.slice_or_total() }}
    ) as sm_influences
    group by {{ slice }}, sm_part
)
{%- endmacro %}

{# What the result has of a slice besides its effect, as entries of sm_change_effects. #}
{% macro facts_of_effects(plan) -%}
    {%- set info = [] -%}
    {%- for side in (1, 2) -%}
        {%- for name in ['rows', 'share'] + (['units'] if plan['question']['reads'] == 'rows' else []) -%}
            {%- do info.append('sum(sm_' ~ name ~ '_' ~ side ~ ') as sm_' ~ name ~ '_' ~ side) -%}
        {%- endfor -%}
        {%- do info.append(
            'max(case when sm_in_total = 1 then sm_whole_' ~ side ~ ' else sm_own_' ~ side ~ ' end) as sm_value_' ~ side
        ) -%}
    {%- endfor -%}
    {%- for name in plan['result']['counts'] -%}
        {%- do info.append(sqlmetrics.count_of_change(name, loop.index)) -%}
    {%- endfor -%}
    {%- for column in sqlmetrics.examples_of_change(plan) -%}
        {%- do info.append('max(' ~ column ~ ') as ' ~ column) -%}
    {%- endfor -%}
    {%- do return(info) -%}
{%- endmacro %}

{#
  sm_change_ends: the effects with sm_reach, the half of their interval. The units of a slice and all others are two
    samples of a period, of which each has its degrees of freedom; those of the total are one sample.

  The units that a slice has in one period alone do not tell how much they vary: of few, the rare large ones may be
    lacking. So those of both periods are pooled (sm_pooled), as of two samples that are compared, where this makes an
    interval wider. A unit counts by the share of its slice in an effect, and alike in other parts; the mix does not
    follow from units of a value.
#}
{% macro stage_change_ends(plan) -%}
{%- set variances, kinds, terms, scaled, parts = [], [], [], [], sqlmetrics.parts_of_effect(plan) | list -%}
{%- set of_effect, of_mix = 'sm_part = ' ~ (parts | length), 'sm_part = ' ~ (parts.index('mix') + 1) -%}
{%- for side in (1, 2) -%}
    {%- set n = 'sm_n_all_' ~ side -%}
    {%- set share = 'sm_share_' ~ side -%}
    {%- do scaled.append('(case when ' ~ of_effect ~ ' then ' ~ share ~ ' * ' ~ share ~ ' else 1 end)') -%}
    {%- for kind in ('inside', 'outside') -%}
        {%- set squares, variance = 'sm_' ~ kind ~ '_' ~ side, 'sm_variance_' ~ kind ~ '_' ~ side -%}
        {%- do variances.append('case when ' ~ squares ~ ' = 0 then 0 when ' ~ n ~ ' >= 2 then '
            ~ squares ~ ' * ' ~ n ~ ' / (' ~ n ~ ' - 1) end as ' ~ variance) -%}
        {%- do kinds.append(variance) -%}
        {%- set units, share = 'sm_n_' ~ kind ~ '_' ~ side, '(' ~ variance ~ ' / sm_variance)' -%}
        {#- of fewer than two units a variance says nothing -#}
        {%- do terms.append('case when ' ~ variance ~ ' = 0 then 0 when ' ~ units ~ ' >= 2 then '
            ~ share ~ ' * ' ~ share ~ ' / (' ~ units ~ ' - 1) end') -%}
    {%- endfor -%}
{%- endfor -%}
{%- set pooled = sqlmetrics.pooled_square_of_scaled(
    sqlmetrics.ratio('sm_variance_inside_1 * sm_n_inside_1', scaled[0]), 'sm_n_inside_1', scaled[0],
    sqlmetrics.ratio('sm_variance_inside_2 * sm_n_inside_2', scaled[1]), 'sm_n_inside_2', scaled[1],
) -%}
-- how far the interval of each part reaches to either side
sm_change_ends as{{ sqlmetrics.sql_cte_inline() }} (
    select
        sm_change_freedoms.*,
        {{ sqlmetrics.student_t_quantile((1 + plan['facts']['interval']) / 2, 'sm_df') }}
            * sqrt(case when sm_pooled > sm_variance then sm_pooled else sm_variance end) as sm_reach
    from (
        select
            sm_varying.*,
            1 / nullif({{ terms | join('\n                + ') }}, 0) as sm_df,
            case when {{ of_mix }} then 0 else sm_variance_outside_1 + sm_variance_outside_2 + {{ pooled }} end
                as sm_pooled
        from (
            select
                sm_variances.*,
                nullif({{ kinds | join(' + ') }}, 0) as sm_variance
            from (
                select
                    {{- sqlmetrics.lines(['sm_change_effects.*'] + variances, 20) }}
                from sm_change_effects
            ) as sm_variances
        ) as sm_varying
    ) as sm_change_freedoms
)
{%- endmacro %}

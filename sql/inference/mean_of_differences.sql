{#
  The mean over slices of the differences of two models (mean_of_slices.sql). A pair moves it by its influences on the
  differences of its slices. The mean is tested by Student's t, of AUC and of shares of rows, too.
#}

{# Rejects a comparison whose mean of slices has no test. #}
{% macro check_mean_of_differences(by, total, test, paired, gold, of_state) -%}
    {{- sqlmetrics.check_mean_of_slices(by, total) -}}
    {%- if of_state -%}
        {{- sqlmetrics.refuse(
            "total_of='slices' needs the rows, and a state keeps sums of the pairs of its models; leave it out, or"
                ~ " compare the rows themselves"
        ) -}}
    {%- elif gold is not none -%}
        {{- sqlmetrics.refuse("gold= has no mean of slices; leave it or total_of= out") -}}
    {%- elif not paired -%}
        {{- sqlmetrics.refuse(
            "total_of='slices' compares models on the same data; leave it out with paired=False"
        ) -}}
    {%- elif test not in (none, 't', 'anytime') -%}
        {{- sqlmetrics.refuse(
            "test='" ~ test ~ "' has no mean of slices, whose tests are t and anytime; leave test= or total_of= out"
        ) -}}
    {%- endif -%}
{%- endmacro %}

{#
  The stages of the mean of differences, from sm_pairs.

  sm_compared_slices: the differences of the slices.
  sm_mean_of_differences: their mean as a row of slice 0, with the columns of sm_compared_slices. Its pairs are the
    units, each once; its values are NULL if a slice has none, and its standard error also if a slice has fewer than
    two pairs.

  Args:
    compared: the select of sm_compared_slices
    counts: its counts
#}
{% macro stages_of_mean_of_differences(plan, compared, counts) -%}
{%- set keys, of_mean, columns = sqlmetrics.pair_keys(plan), ['sm_metric', 'sm_candidate'], [] -%}
{%- set move = 'sm_influence' -%}
{%- if sqlmetrics.compared_by(plan, ['areas']) -%}
    {%- set move = 'coalesce(sm_influence, 0) + coalesce(sm_negative_influence, 0)' -%}
{%- endif -%}
{%- for name in counts -%}
    {%- do columns.append({
        'sm_n_pairs': 'max(sm_n_moves)', 'sm_n_unpaired': 'sum(sm_n_unpaired)',
    }.get(name, sqlmetrics.sql_integer('null')) ~ ' as ' ~ name) -%}
{%- endfor -%}
{%- for side in ('baseline', 'candidate') -%}
    {%- set value = 'sm_' ~ side ~ '_value' -%}
    {%- do columns.append(
        'case when count(' ~ value ~ ') = max(sm_all_slices) then avg(' ~ value ~ ') end as ' ~ value
    ) -%}
{%- endfor -%}
-- the differences of the slices
sm_compared_slices as{{ sqlmetrics.sql_cte_shared() }} (
    {{ compared.replace('\n    ', '\n') }}
),

-- how far each pair moves those of its slices
sm_moves as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + ['sm_unit', 'sm_units', sqlmetrics.move_of_unit(move) ~ ' as sm_move'], 8) }}
    from sm_pairs
),

{{ sqlmetrics.stages_of_moves_of_mean(keys, of_mean, 'sm_moves') }},

-- the mean of the differences, as of one slice more
sm_mean_of_differences as (
    select
        {{- sqlmetrics.lines(['0 as sm_slice'] + sqlmetrics.prefixed(of_mean, 'sm_compared_slices.') + columns + [
            'max(sm_free) as sm_df',
            'nullif(sqrt(max(case when sm_n_slices = sm_all_slices then sm_square end)), 0) as sm_standard_error',
        ], 8) }}
    from sm_compared_slices
    cross join (select count(*) as sm_all_slices from sm_slices) as sm_every_slice
    left join (
        select
            {{- sqlmetrics.lines(sqlmetrics.prefixed(of_mean, 'sm_powers.') + [
                'sm_n_moves', 'case when sm_fewest > 1 then sm_square end as sm_square', 'sm_n_slices',
                sqlmetrics.sql_double(sqlmetrics.freedom_of_mean()) ~ ' as sm_free',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines(
                    of_mean + ['count(*) as sm_n_moves', 'sum(sm_move * sm_move) as sm_square'], 16
                ) }}
            from sm_moves_of_mean
            group by {{ of_mean | join(', ') }}
        ) as sm_powers
        inner join sm_strata on {{ sqlmetrics.same_keys(of_mean, 'sm_powers', 'sm_strata') }}
    ) as sm_spreads on {{ sqlmetrics.same_keys(of_mean, 'sm_compared_slices', 'sm_spreads') }}
    group by {{ sqlmetrics.prefixed(of_mean, 'sm_compared_slices.') | join(', ') }}
)
{%- endmacro %}

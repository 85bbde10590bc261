with

-- the columns that are asked for, with their types, a row for each row and model
sm_given as not materialized (
    select day as sm_by_1, cast(clicked as double) as sm_label, cast(p as double) as sm_score
    from predictions
),

-- a number for each slice, with 0 for all slices together
sm_slices as (
    select
        sm_by_1,
        cast(row_number() over (order by sm_by_1 asc) as integer) as sm_slice
    from (
        select unnest(list(sm_values), max_depth := 2)
        from (select distinct sm_by_1 from sm_given) as sm_values
    ) as sm_distinct
),

-- the rows, an unusable one without its numbers; sm_problem is 0, or why a row is unusable: 1 rows_bad_label, 2 rows_bad_score
sm_rows as not materialized (
    select
        sm_by_1,
        case when sm_problem = 0 then sm_label end as sm_label,
        case when sm_problem = 0 then sm_score end as sm_score,
        sm_problem
    from (
        select
            sm_given.*,
            case
                when not (sm_label is not null and isfinite(sm_label)) then 1
                when not (sm_score is not null and (isfinite(sm_score) or (isinf(sm_score) and sm_score < 0))) then 2
                else 0
            end as sm_problem
        from sm_given
    ) as sm_marked
),

-- the rows with the number of their slice
sm_sliced as not materialized (
    select coalesce(sm_slices.sm_slice, 0) as sm_slice, sm_rows.*
    from sm_rows
    left join sm_slices on (sm_rows.sm_by_1 is not distinct from sm_slices.sm_by_1)
),

-- what is summed over rows, a row for each slice
sm_slice_sums as (
    select
        sm_slice, count(*) as sm_n_rows,
        sum(case when sm_problem = 1 then 1 else 0 end) as sm_rows_bad_label,
        sum(case when sm_problem = 2 then 1 else 0 end) as sm_rows_bad_score,
        sum(case when sm_label >= 1 then 1 else 0 end) as sm_positives,
        sum(case when sm_problem = 0 and not (sm_label >= 1) then 1 else 0 end) as sm_negatives
    from sm_sliced
    group by sm_slice
),

-- the same with a row for all slices together
sm_row_sums as (
    select sm_slice, sm_n_rows, sm_rows_bad_label, sm_rows_bad_score, sm_positives, sm_negatives
    from sm_slice_sums
    union all
    select
        0 as sm_slice, sum(sm_n_rows) as sm_n_rows, sum(sm_rows_bad_label) as sm_rows_bad_label,
        sum(sm_rows_bad_score) as sm_rows_bad_score, sum(sm_positives) as sm_positives,
        sum(sm_negatives) as sm_negatives
    from sm_slice_sums
),

-- rows of each distinct score
sm_level_counts as (
    select
        sm_slice, sm_score, sum(1) as sm_level_rows,
        sum(case when sm_label >= 1 then 1 else 0 end) as sm_level_positives
    from sm_sliced
    where sm_problem = 0
    group by sm_slice, sm_score
),

-- score levels: the rows strictly above each level, and those down to it
sm_levels as not materialized (
    select
        sm_slice, sm_level_positives,
        sum(sm_level_rows) over (partition by sm_slice order by sm_score desc rows unbounded preceding) as sm_through,
        2 * (sum(sm_level_rows) over (partition by sm_slice order by sm_score desc rows unbounded preceding)) - sm_level_rows as sm_place,
        sum(sm_level_positives) over (partition by sm_slice order by sm_score desc rows unbounded preceding) as sm_positives_through
    from (
        select sm_slice, sm_score, sm_level_rows, sm_level_positives from sm_level_counts
        union all
        select 0 as sm_slice, sm_score, sum(sm_level_rows) as sm_level_rows, sum(sm_level_positives) as sm_level_positives
        from sm_level_counts
        group by sm_score
    ) as sm_leveled
),

-- what is summed over score levels or bins, a row for each slice
sm_levels_sums as (
    select
        sm_levels.sm_slice, sum(sm_level_positives * sm_place) as sm_auc_ranks,
        max(abs((cast(sm_positives_through as double) / nullif(sm_positives, 0)) - (cast((sm_through - sm_positives_through) as double) / nullif(sm_negatives, 0)))) as sm_ks
    from sm_levels
    inner join sm_row_sums on sm_levels.sm_slice = sm_row_sums.sm_slice
    group by sm_levels.sm_slice
)

select
    day, is_total, n_rows, rows_dropped, rows_bad_label, rows_bad_score,
    case when abs(sm_auc_value) <= 1.7976931348623157e308 then sm_auc_value end as "auc",
    case when abs(sm_ks_value) <= 1.7976931348623157e308 then sm_ks_value end as "ks"
from (
    select
        sm_row_sums.sm_slice, sm_slices.sm_by_1 as day,
        case when sm_row_sums.sm_slice = 0 then 1 else 0 end as is_total,
        cast(coalesce(sm_n_rows, 0) as bigint) as n_rows,
        cast(coalesce(sm_rows_bad_label + sm_rows_bad_score, 0) as bigint) as rows_dropped,
        cast(coalesce(sm_rows_bad_label, 0) as bigint) as rows_bad_label,
        cast(coalesce(sm_rows_bad_score, 0) as bigint) as rows_bad_score,
        cast((1 - (cast(sm_auc_ranks as double) - cast(sm_positives as double) * cast(sm_positives as double)) / nullif(2 * cast(sm_positives as double) * cast(sm_negatives as double), 0)) as double) as sm_auc_value,
        cast(sm_ks as double) as sm_ks_value
    from sm_row_sums
    left join sm_slices on sm_row_sums.sm_slice = sm_slices.sm_slice
    left join sm_levels_sums on sm_row_sums.sm_slice = sm_levels_sums.sm_slice
) as sm_measures
order by case when sm_measures.sm_slice = 0 then 1 else 0 end asc, sm_measures.sm_slice asc

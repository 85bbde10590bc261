with

-- the columns that are asked for, with their types, a row for each row and model
sm_given as (
    select day as sm_by_1, guess as sm_predicted, kind as sm_class
    from predictions
),

-- a number for each slice, with 0 for all slices together
sm_slices as (
    select
        sm_by_1,
        cast(row_number() over (order by sm_by_1 asc) as integer) as sm_slice
    from (select distinct sm_by_1 from sm_given) as sm_distinct
),

-- the rows, an unusable one without its numbers; sm_problem is 0, or why a row is unusable: 1 rows_bad_label, 8 rows_bad_prediction
sm_rows as (
    select sm_by_1, sm_predicted, sm_class, sm_problem
    from (
        select
            sm_given.*,
            case when (sm_class is null or not (coalesce(coalesce((case
    when typeof(sm_class) in ('double', 'float') or substr(typeof(sm_class), 1, 7) = 'decimal'
    then cast(cast(sm_class as string) as double)
end), 0) between -1.7976931348623157e308 and 1.7976931348623157e308, false))) then 1 when (sm_predicted is null or not (coalesce(coalesce((case
    when typeof(sm_predicted) in ('double', 'float') or substr(typeof(sm_predicted), 1, 7) = 'decimal'
    then cast(cast(sm_predicted as string) as double)
end), 0) between -1.7976931348623157e308 and 1.7976931348623157e308, false))) then 8 else 0 end as sm_problem
        from sm_given
    ) as sm_marked
),

-- the rows with the number of their slice
sm_sliced as (
    select coalesce(sm_slices.sm_slice, 0) as sm_slice, sm_rows.*
    from sm_rows
    left join sm_slices on (sm_rows.sm_by_1 <=> sm_slices.sm_by_1)
),

-- what is summed over rows, a row for each slice
sm_slice_sums as (
    select
        sm_slice, count(*) as sm_n_rows,
        sum(case when sm_problem = 1 then 1 else 0 end) as sm_rows_bad_label,
        sum(case when sm_problem = 8 then 1 else 0 end) as sm_rows_bad_prediction,
        sum(case when sm_problem = 0 and (case
    when typeof(sm_predicted) in ('double', 'float') or substr(typeof(sm_predicted), 1, 7) = 'decimal'
    then cast(cast(sm_predicted as string) as double)
end) <> round((case
    when typeof(sm_predicted) in ('double', 'float') or substr(typeof(sm_predicted), 1, 7) = 'decimal'
    then cast(cast(sm_predicted as string) as double)
end)) then 1 else 0 end) as sm_rows_prediction_fraction
    from sm_sliced
    group by sm_slice
),

-- the same with a row for all slices together
sm_row_sums as (
    select
        sm_counted_in as sm_slice, sum(sm_n_rows) as sm_n_rows,
        sum(sm_rows_bad_label) as sm_rows_bad_label,
        sum(sm_rows_bad_prediction) as sm_rows_bad_prediction,
        sum(sm_rows_prediction_fraction) as sm_rows_prediction_fraction
    from (
        select sm_slice_sums.*, case when sm_in_total = 1 then 0 else sm_slice end as sm_counted_in
        from (select 0 as sm_in_total union all select 1 as sm_in_total) as sm_twice
        left join sm_slice_sums on 1 = 1
        where sm_in_total = 1 or sm_slice is not null
    ) as sm_slices_and_total
    group by sm_counted_in
),

-- rows of each label and prediction
sm_slice_cells as (
    select sm_slice, sm_class, sm_predicted, sum(1) as sm_weight
    from sm_sliced
    where sm_problem = 0
    group by sm_slice, sm_class, sm_predicted
),

-- rows of each label and prediction, in the slices and in total
sm_cells as (
    select sm_slice, sm_class, sm_predicted, sm_weight
    from sm_slice_cells
    union all
    select 0 as sm_slice, sm_class, sm_predicted, sum(sm_weight) as sm_weight
    from sm_slice_cells
    group by sm_class, sm_predicted
),

-- classes: how many rows have each as label, as prediction, as both
sm_points as (
    select
        sm_slice, sm_class, sum(sm_sides.sm_support) as sm_support,
        sum(sm_sides.sm_predicted_as) as sm_predicted_as, sum(sm_sides.sm_right) as sm_right
    from (
        select
            sm_slice, sm_class, sm_weight as sm_support, 0 as sm_predicted_as,
            case when sm_class = sm_predicted then sm_weight else 0 end as sm_right
        from sm_cells
        union all
        select sm_slice, sm_predicted, 0, sm_weight, 0
        from sm_cells
    ) as sm_sides
    group by sm_slice, sm_class
)

select
    sm_slices.sm_by_1 as day,
    case when sm_row_sums.sm_slice = 0 then 1 else 0 end as is_total,
    cast(coalesce(sm_n_rows, 0) as bigint) as n_rows,
    cast(coalesce(sm_rows_bad_label + sm_rows_bad_prediction, 0) as bigint) as rows_dropped,
    cast(coalesce(sm_rows_bad_label, 0) as bigint) as rows_bad_label,
    cast(coalesce(sm_rows_bad_prediction, 0) as bigint) as rows_bad_prediction,
    cast(coalesce(sm_rows_prediction_fraction, 0) as bigint) as rows_prediction_fraction,
    sm_class as `class`, cast(sm_support as bigint) as `support`,
    cast(sm_predicted_as as bigint) as `predicted`, cast(sm_right as bigint) as `correct`,
    case when abs(cast(case when sm_rows_prediction_fraction = 0 then (cast(sm_right as double) / nullif(sm_predicted_as, 0)) end as double)) <= 1.7976931348623157e308 then cast(case when sm_rows_prediction_fraction = 0 then (cast(sm_right as double) / nullif(sm_predicted_as, 0)) end as double) end as `precision`,
    case when abs(cast(case when sm_rows_prediction_fraction = 0 then (cast(sm_right as double) / nullif(sm_support, 0)) end as double)) <= 1.7976931348623157e308 then cast(case when sm_rows_prediction_fraction = 0 then (cast(sm_right as double) / nullif(sm_support, 0)) end as double) end as `recall`,
    case when abs(cast(case when sm_rows_prediction_fraction = 0 then (cast(2 * sm_right as double) / nullif(sm_support + sm_predicted_as, 0)) end as double)) <= 1.7976931348623157e308 then cast(case when sm_rows_prediction_fraction = 0 then (cast(2 * sm_right as double) / nullif(sm_support + sm_predicted_as, 0)) end as double) end as `f1`
from sm_row_sums
left join sm_slices on sm_row_sums.sm_slice = sm_slices.sm_slice
left join sm_points on sm_row_sums.sm_slice = sm_points.sm_slice
order by case when sm_row_sums.sm_slice = 0 then 1 else 0 end asc, sm_row_sums.sm_slice asc, sm_class asc

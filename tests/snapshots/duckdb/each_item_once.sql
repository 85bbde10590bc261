with

-- the columns that are asked for, with their types, a row for each row and model
sm_given as not materialized (
    select
        day as sm_by_1, user_id as sm_group, item_id as sm_item,
        cast(clicked as double) as sm_label, cast(p as double) as sm_score
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

-- the rows, an unusable one without its numbers; sm_problem is 0, or why a row is unusable: 1 rows_bad_label, 2 rows_bad_score, 4 rows_bad_group, 5 rows_bad_item
sm_rows as not materialized (
    select
        sm_by_1, sm_group, sm_item,
        case when sm_problem = 0 then sm_label end as sm_label,
        case when sm_problem = 0 then sm_score end as sm_score,
        sm_problem
    from (
        select
            sm_given.*,
            case
                when sm_group is null then 4
                when sm_item is null then 5
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
        sum(case when sm_problem = 4 then 1 else 0 end) as sm_rows_bad_group,
        sum(case when sm_problem = 5 then 1 else 0 end) as sm_rows_bad_item,
        sum(case when sm_label < 0 then 1 else 0 end) as sm_rows_negative_grade,
        sum(case when sm_label > 500 then 1 else 0 end) as sm_rows_huge_grade
    from sm_sliced
    group by sm_slice
),

-- the same with a row for all slices together
sm_row_sums as (
    select
        sm_slice, sm_n_rows, sm_rows_bad_label, sm_rows_bad_score, sm_rows_bad_group,
        sm_rows_bad_item, sm_rows_negative_grade, sm_rows_huge_grade
    from sm_slice_sums
    union all
    select
        0 as sm_slice, sum(sm_n_rows) as sm_n_rows, sum(sm_rows_bad_label) as sm_rows_bad_label,
        sum(sm_rows_bad_score) as sm_rows_bad_score, sum(sm_rows_bad_group) as sm_rows_bad_group,
        sum(sm_rows_bad_item) as sm_rows_bad_item,
        sum(sm_rows_negative_grade) as sm_rows_negative_grade,
        sum(sm_rows_huge_grade) as sm_rows_huge_grade
    from sm_slice_sums
),

sm_unique as (
    select *
    from (
        select
            sm_sliced.*,
            row_number() over (partition by sm_group, sm_item order by sm_score desc, sm_label desc) as sm_copy,
            min(sm_slice) over (partition by sm_group, sm_item) as sm_first_slice,
            max(sm_slice) over (partition by sm_group, sm_item) as sm_last_slice
        from sm_sliced
        where sm_problem = 0
    ) as sm_numbered
    where sm_copy = 1
),

-- how many items of each grade a list has, taken whole
sm_whole_grades as (
    select
        sm_group, 0 as sm_part, sm_label, count(*) as sm_n,
        min(sm_unique.sm_first_slice) as sm_slice, max(sm_unique.sm_last_slice) as sm_last_slice
    from sm_unique
    where sm_problem = 0
    group by sm_group, sm_label
),

-- lists that lie in several slices
sm_spanning as (
    select sm_group
    from sm_whole_grades
    group by sm_group
    having min(sm_slice) < max(sm_last_slice)
),

-- their rows: each part is a list of its slice
sm_part_rows as not materialized (
    select sm_sliced.sm_slice as sm_part, sm_sliced.*
    from sm_sliced
    inner join sm_spanning on sm_sliced.sm_group = sm_spanning.sm_group
    where sm_problem = 0
),

-- each item once in a part
sm_unique_parts as (
    select *
    from (
        select
            sm_part_rows.*,
            row_number() over (partition by sm_group, sm_part, sm_item order by sm_score desc, sm_label desc) as sm_copy
        from sm_part_rows
        where sm_problem = 0
    ) as sm_numbered
    where sm_copy = 1
),

-- how many items of each grade a list has
sm_grades as (
    select * from sm_whole_grades
    union all
    select
        sm_group, sm_part, sm_label, count(*) as sm_n, sm_part as sm_slice,
        sm_part as sm_last_slice
    from sm_unique_parts
    group by sm_group, sm_part, sm_label
),

-- for each rank, the sums of the discounts down to it
sm_positions as (
    select
        sm_position,
        sum(1 / log2(cast(sm_position + 1 as double))) over (order by sm_position asc rows unbounded preceding) as sm_discount
    from (select unnest(range(1, cast(10 as bigint) + 1)) as sm_position) as sm_ranks
),

-- those sums at the cutoffs
sm_cutoffs as (
    select
        max(case when sm_position <= 10 then sm_discount end) as sm_discount_10
    from sm_positions
),

-- the ranks that the items of each grade hold in the best order
sm_ideal as (
    select
        sm_grades.*,
        sum(sm_n) over (partition by sm_group, sm_part order by sm_label desc rows unbounded preceding) - sm_n as sm_judged_above,
        sum(sm_n) over (partition by sm_group, sm_part order by sm_label desc rows unbounded preceding) as sm_judged_through
    from sm_grades
),

-- a row for each list: its length, its relevant items, and the best that it could gain
sm_grade_sums as (
    select
        sm_group, sm_part,
        cast(row_number() over (order by sm_group asc, sm_part asc) as integer) as sm_list,
        min(sm_slice) as sm_slice, max(sm_last_slice) as sm_last_slice,
        sum(case
            when sm_judged_above < 10 then (case when sm_label <= 500 then power(2, sm_label) - 1 end) * (case
                when sm_judged_through <= 10 then coalesce(sm_ideal_judged_through.sm_discount, 0)
                else sm_cutoffs.sm_discount_10
            end - coalesce(sm_ideal_judged_above.sm_discount, 0))
            else 0
        end) as sm_ideal_dcg_exponential_10,
        sum(case when sm_label >= 1 then sm_n else 0 end) as sm_relevant,
        sum(sm_n) as sm_listed
    from sm_ideal
    left join sm_positions as sm_ideal_judged_above on sm_ideal_judged_above.sm_position = sm_judged_above
    left join sm_positions as sm_ideal_judged_through on sm_ideal_judged_through.sm_position = sm_judged_through
    cross join sm_cutoffs
    group by sm_group, sm_part
),

-- one sort of each list: the first rank of an item and of those that tie with it, and the share of the list down to the last
sm_ranked as not materialized (
    select
        sm_group, 0 as sm_part, sm_label,
        rank() over (partition by sm_group order by sm_score desc) as sm_tie_first,
        cume_dist() over (partition by sm_group order by sm_score desc) as sm_share
    from sm_unique
    where sm_problem = 0
    union all
    select
        sm_group, sm_part, sm_label,
        rank() over (partition by sm_group, sm_part order by sm_score desc) as sm_tie_first,
        cume_dist() over (partition by sm_group, sm_part order by sm_score desc) as sm_share
    from sm_unique_parts
    where sm_problem = 0
),

-- the items that gain something, and what stands above them
sm_gaining_items as not materialized (
    select sm_list, sm_label, sm_tie_first, sm_tie_last
    from (
        select
            sm_ranked.*,
            cast(round(sm_share * sm_listed) as bigint) as sm_tie_last,
            sm_list
        from sm_ranked
        inner join sm_grade_sums on sm_ranked.sm_group = sm_grade_sums.sm_group and sm_ranked.sm_part = sm_grade_sums.sm_part
    ) as sm_placed
    where sm_label > 0
),

-- what a list gains: the numerators of the metrics
sm_item_sums as (
    select
        sm_list,
        sum((case when sm_label <= 500 then power(2, sm_label) - 1 end) * case
            when sm_tie_first > 10 then 0
            when sm_tie_first < sm_tie_last then (case when sm_tie_last <= 10 then coalesce(sm_through.sm_discount, 0) else sm_cutoffs.sm_discount_10 end - coalesce(sm_above.sm_discount, 0)) / (sm_tie_last - sm_tie_first + 1)
            else 1 / log2(cast(sm_tie_first + 1 as double))
        end) as sm_dcg_exponential_10,
        max(case when sm_tie_first < sm_tie_last and (sm_label > 0) then 1 else 0 end) as sm_tied
    from sm_gaining_items
    left join sm_positions as sm_above on sm_above.sm_position = case when sm_tie_first < sm_tie_last then sm_tie_first - 1 end
    left join sm_positions as sm_through on sm_through.sm_position = case when sm_tie_first < sm_tie_last then sm_tie_last end
    cross join sm_cutoffs
    group by sm_list
),

-- how many rows repeat an item of their list
sm_duplicates as (
    select sm_group, sm_part, sum(sm_copies - 1) as sm_duplicate_rows
    from (
        select sm_group, sm_part, count(*) as sm_copies
        from (
            select sm_group, 0 as sm_part, sm_item from sm_rows where sm_problem = 0
            union all
            select sm_group, sm_part, sm_item from sm_part_rows
        ) as sm_items
        group by sm_group, sm_part, sm_item
        having count(*) > 1
    ) as sm_repeated
    group by sm_group, sm_part
),

-- a row for each list: all that its metrics read
sm_lists as (
    select
        sm_grade_sums.sm_part, sm_slice, sm_last_slice, sm_ideal_dcg_exponential_10, sm_relevant,
        coalesce(sm_dcg_exponential_10, 0) as sm_dcg_exponential_10, sm_tied,
        coalesce(sm_duplicate_rows, 0) as sm_duplicate_rows
    from sm_grade_sums
    left join sm_item_sums on sm_grade_sums.sm_list = sm_item_sums.sm_list
    left join sm_duplicates on sm_grade_sums.sm_group = sm_duplicates.sm_group and sm_grade_sums.sm_part = sm_duplicates.sm_part
),

-- what is summed over lists, a row for each slice
sm_list_sums as (
    select
        sm_counted_in as sm_slice, sum(sm_ndcg_10_total) as sm_ndcg_10_total,
        sum(sm_ndcg_10_counted) as sm_ndcg_10_counted, sum(sm_n_groups) as sm_n_groups,
        sum(sm_groups_empty) as sm_groups_empty, sum(sm_groups_tied) as sm_groups_tied,
        sum(sm_rows_duplicate) as sm_rows_duplicate
    from (
        select sm_added_up.*, sm_in_total, case when sm_in_total = 1 then 0 else sm_slice end as sm_counted_in
        from (
            select
                sm_slice,
                case when sm_slice = sm_last_slice then 1 else 0 end as sm_of_slice,
                case when sm_part = 0 then 1 else 0 end as sm_of_total,
                sum(case
                    when sm_ideal_dcg_exponential_10 = 0 then null
                    else coalesce((cast(sm_dcg_exponential_10 as double) / nullif(sm_ideal_dcg_exponential_10, 0)), 0)
                end) as sm_ndcg_10_total,
                sum(case when sm_ideal_dcg_exponential_10 = 0 then null else 1 end) as sm_ndcg_10_counted,
                sum(1) as sm_n_groups,
                sum(case when sm_relevant = 0 then 1 else 0 end) as sm_groups_empty,
                sum(case when sm_tied = 1 then 1 else 0 end) as sm_groups_tied,
                sum(sm_duplicate_rows) as sm_rows_duplicate
            from sm_lists
            group by sm_slice, case when sm_slice = sm_last_slice then 1 else 0 end, case when sm_part = 0 then 1 else 0 end
        ) as sm_added_up
        cross join (select 0 as sm_in_total union all select 1 as sm_in_total) as sm_twice -- a row for the slice, one for the total
    ) as sm_added_up_twice
    where case when sm_in_total = 1 then sm_of_total else sm_of_slice end = 1
    group by sm_counted_in
)

select
    day, is_total, n_rows, rows_dropped, rows_bad_label, rows_bad_score, rows_bad_group,
    rows_bad_item, n_groups, groups_empty, groups_tied, rows_duplicate, rows_negative_grade,
    rows_huge_grade,
    case when abs(sm_ndcg_10_value) <= 1.7976931348623157e308 then sm_ndcg_10_value end as "ndcg_10"
from (
    select
        sm_row_sums.sm_slice, sm_slices.sm_by_1 as day,
        case when sm_row_sums.sm_slice = 0 then 1 else 0 end as is_total,
        cast(coalesce(sm_n_rows, 0) as bigint) as n_rows,
        cast(coalesce(sm_rows_bad_label + sm_rows_bad_score + sm_rows_bad_group + sm_rows_bad_item, 0) as bigint) as rows_dropped,
        cast(coalesce(sm_rows_bad_label, 0) as bigint) as rows_bad_label,
        cast(coalesce(sm_rows_bad_score, 0) as bigint) as rows_bad_score,
        cast(coalesce(sm_rows_bad_group, 0) as bigint) as rows_bad_group,
        cast(coalesce(sm_rows_bad_item, 0) as bigint) as rows_bad_item,
        cast(coalesce(sm_n_groups, 0) as bigint) as n_groups,
        cast(coalesce(sm_groups_empty, 0) as bigint) as groups_empty,
        cast(coalesce(sm_groups_tied, 0) as bigint) as groups_tied,
        cast(coalesce(sm_rows_duplicate, 0) as bigint) as rows_duplicate,
        cast(coalesce(sm_rows_negative_grade, 0) as bigint) as rows_negative_grade,
        cast(coalesce(sm_rows_huge_grade, 0) as bigint) as rows_huge_grade,
        cast(case
            when sm_rows_negative_grade = 0 and sm_rows_huge_grade = 0 then (cast(sm_ndcg_10_total as double) / nullif(sm_ndcg_10_counted, 0))
        end as double) as sm_ndcg_10_value
    from sm_row_sums
    left join sm_slices on sm_row_sums.sm_slice = sm_slices.sm_slice
    left join sm_list_sums on sm_row_sums.sm_slice = sm_list_sums.sm_slice
) as sm_measures
order by case when sm_measures.sm_slice = 0 then 1 else 0 end asc, sm_measures.sm_slice asc

"""SQL by hand for lists that lie in one slice, to set beside statements of sqlmetrics.

It has what an analyst would write for these numbers: no checks of rows, no counts, and nothing for ties. Those that
are AUDITED have all three, so that each column of sqlmetrics is there. `{double}` is the engine's type of floats.
"""

LOG_LOSS = """
    select -avg(ln(case
        when label >= 1 then case when score < 1e-15 then 1e-15 else score end
        else case when 1 - score < 1e-15 then 1e-15 else 1 - score end
    end)) as log_loss
    from data
"""

LOG_LOSS_AUDITED = """
    with checked as (
        select
            label, score,
            case
                when not coalesce(label between -1.7976931348623157e308 and 1.7976931348623157e308, false) then 1
                when not coalesce(score between -1.7976931348623157e308 and 1.7976931348623157e308, false) then 2
                else 0
            end as reason
        from data
    ),

    sums as (
        select
            count(*) as n_rows,
            sum(case when reason = 1 then 1 else 0 end) as rows_bad_label,
            sum(case when reason = 2 then 1 else 0 end) as rows_bad_score,
            sum(case when reason = 0 and label >= 1 then 1 else 0 end) as rows_positive,
            sum(case when reason = 0 and label < 1 then 1 else 0 end) as rows_negative,
            sum(case
                when reason = 0 and score in (0, 1, 2, 3, 4) and label not in (0, 1, 2, 3, 4) then 1 else 0
            end) as rows_swapped,
            sum(case when reason = 0 and (score < 0 or score > 1) then 1 else 0 end) as rows_not_probability,
            sum(case when reason = 0 then -ln(case
                when label >= 1 then case when score < 1e-15 then 1e-15 else score end
                else case when 1 - score < 1e-15 then 1e-15 else 1 - score end
            end) end) as losses
        from checked
    )

    select
        n_rows, rows_bad_label, rows_bad_score, rows_positive, rows_negative, rows_swapped, rows_not_probability,
        case when rows_not_probability = 0 then losses / (rows_positive + rows_negative) end as log_loss
    from sums
"""

NDCG_BY_SLICE = """
    with ranked as (
        select
            country, list, label,
            row_number() over (partition by list order by score desc) as place,
            row_number() over (partition by list order by label desc) as ideal_place
        from data
    ),

    lists as (
        select
            country, list,
            sum(case
                when place <= 10 then (power(2, label) - 1) / (ln(cast(place + 1 as {double})) / ln(2))
                else 0
            end) as dcg,
            sum(case
                when ideal_place <= 10 then (power(2, label) - 1) / (ln(cast(ideal_place + 1 as {double})) / ln(2))
                else 0
            end) as ideal
        from ranked
        group by country, list
    )

    select country, avg(dcg / ideal) as ndcg_10 from lists where ideal > 0 group by country
    union all
    select null as country, avg(dcg / ideal) as ndcg_10 from lists where ideal > 0
"""

# How both statements of lists begin: why a row cannot be used, and the sums of the discounts down to each place.
WITH_CHECKED_ROWS_AND_DISCOUNTS = """
    with checked as (
        select
            country, list, label, score,
            case
                when list is null then 4
                when not coalesce(label between -1.7976931348623157e308 and 1.7976931348623157e308, false) then 1
                when not coalesce(score between -1.7976931348623157e308 and 1.7976931348623157e308, false) then 2
                else 0
            end as reason
        from data
    ),

    places as (
        select 1 as place union all select 2 union all select 3 union all select 4 union all select 5
        union all select 6 union all select 7 union all select 8 union all select 9 union all select 10
    ),

    discounts as (
        select place, sum(ln(2) / ln(cast(place + 1 as {double}))) over (order by place) as down_to
        from places
    ),
"""

# The columns of sqlmetrics: rows that cannot be used are left out and counted, tied items share their discounts.
NDCG_AUDITED = (
    WITH_CHECKED_ROWS_AND_DISCOUNTS
    + """
    ranked as (
        select
            country, list, label,
            rank() over (partition by list order by score desc) as first_place,
            count(*) over (partition by list order by score desc) as last_place,
            row_number() over (partition by list order by label desc) as ideal_place
        from checked
        where reason = 0
    ),

    lists as (
        select
            country, list,
            sum(case when first_place <= 10 then
                (power(2, label) - 1) * (below.down_to - coalesce(above.down_to, 0)) / (last_place - first_place + 1)
            else 0 end) as dcg,
            sum(case
                when ideal_place <= 10 then (power(2, label) - 1) / (ln(cast(ideal_place + 1 as {double})) / ln(2))
                else 0
            end) as ideal,
            sum(case when label >= 1 then 1 else 0 end) as relevant,
            max(case when first_place < last_place and label > 0 then 1 else 0 end) as tied
        from ranked
        left join discounts as above on above.place = first_place - 1
        left join discounts as below on below.place = case when last_place < 10 then last_place else 10 end
        group by country, list
    ),

    of_lists as (
        select
            country,
            sum(case when ideal > 0 then dcg / ideal end) as ndcg_sum,
            count(case when ideal > 0 then 1 end) as ndcgs,
            count(*) as n_groups,
            sum(case when relevant = 0 then 1 else 0 end) as groups_empty,
            sum(tied) as groups_tied
        from lists
        group by country
    ),

    of_rows as (
        select
            country,
            count(*) as n_rows,
            sum(case when reason = 1 then 1 else 0 end) as rows_bad_label,
            sum(case when reason = 2 then 1 else 0 end) as rows_bad_score,
            sum(case when reason = 4 then 1 else 0 end) as rows_bad_group,
            sum(case when reason = 0 and label < 0 then 1 else 0 end) as rows_negative_grade,
            sum(case when reason = 0 and label > 500 then 1 else 0 end) as rows_huge_grade
        from checked
        group by country
    ),

    slices as (
        select
            of_rows.country, n_rows, rows_bad_label, rows_bad_score, rows_bad_group, rows_negative_grade,
            rows_huge_grade, ndcg_sum, ndcgs, n_groups, groups_empty, groups_tied
        from of_rows
        left join of_lists on of_rows.country = of_lists.country
    ),

    with_total as (
        select * from slices
        union all
        select
            null, sum(n_rows), sum(rows_bad_label), sum(rows_bad_score), sum(rows_bad_group),
            sum(rows_negative_grade), sum(rows_huge_grade), sum(ndcg_sum), sum(ndcgs), sum(n_groups),
            sum(groups_empty), sum(groups_tied)
        from slices
    )

    select
        country, n_rows, rows_bad_label, rows_bad_score, rows_bad_group, rows_negative_grade, rows_huge_grade,
        n_groups, groups_empty, groups_tied,
        case when rows_negative_grade = 0 and rows_huge_grade = 0 then ndcg_sum / ndcgs end as ndcg_10
    from with_total
"""
)

DEMO = """
    with ranked as (
        select
            country, list, label, score,
            row_number() over (partition by list order by score desc) as place,
            row_number() over (partition by list order by label desc) as ideal_place,
            sum(case when label >= 1 then 1 else 0 end)
                over (partition by list order by score desc rows unbounded preceding) as hits,
            exp(coalesce(sum(ln(1 - (power(2, label) - 1) / 16)) over (
                partition by list order by score desc rows between unbounded preceding and 1 preceding
            ), 0)) as reached,
            row_number() over (partition by country order by score) as place_in_country,
            row_number() over (order by score) as place_in_all
        from data
    ),

    lists as (
        select
            country, list,
            count(*) as items,
            sum(case when label >= 1 then 1 else 0 end) as relevant,
            sum(case when label >= 1 then place else 0 end) as places,
            sum(case
                when place <= 10 then (power(2, label) - 1) / (ln(cast(place + 1 as {double})) / ln(2))
                else 0
            end) as dcg,
            sum(case
                when ideal_place <= 10 then (power(2, label) - 1) / (ln(cast(ideal_place + 1 as {double})) / ln(2))
                else 0
            end) as ideal,
            sum(case when place <= 10 and label >= 1 then cast(hits as {double}) / place else 0 end) as precisions,
            min(case when label >= 1 then place end) as first_hit,
            sum(case
                when place <= 10 then (power(2, label) - 1) / 16 * reached / cast(place as {double}) else 0
            end) as err,
            sum(cast(label >= 1 as integer) * cast(place_in_country as {double})) as places_in_country,
            sum(cast(label >= 1 as integer) * cast(place_in_all as {double})) as places_in_all,
            -sum(ln(case when label >= 1 then score else 1 - score end)) as losses
        from ranked
        group by country, list
    ),

    scored as (
        select
            lists.*,
            case when relevant > 0 and relevant < items then items end as weight,
            case when relevant > 0 and relevant < items then
                1 - (places - cast(relevant as {double}) * (relevant + 1) / 2) / (relevant * (items - relevant))
            end as auc,
            case when ideal > 0 then dcg / ideal end as ndcg,
            case when relevant > 0 then precisions / case when relevant < 10 then relevant else 10 end end as ap,
            case when relevant > 0 then cast(1 as {double}) / first_hit end as rr,
            case when relevant > 0 then err end as err_10
        from lists
    ),

    slices as (
        select
            country,
            sum(items) as n, sum(relevant) as positives,
            sum(places_in_country) as places, sum(places_in_all) as all_places,
            sum(weight * auc) as gauc_sum, sum(weight) as weights,
            sum(ndcg) as ndcg_sum, count(ndcg) as ndcgs,
            sum(ap) as ap_sum, sum(rr) as rr_sum, sum(err_10) as err_sum, count(ap) as n_lists,
            sum(losses) as loss_sum
        from scored
        group by country
    ),

    with_total as (
        select * from slices
        union all
        select
            null, sum(n), sum(positives), sum(all_places), null, sum(gauc_sum), sum(weights), sum(ndcg_sum),
            sum(ndcgs), sum(ap_sum), sum(rr_sum), sum(err_sum), sum(n_lists), sum(loss_sum)
        from slices
    )

    select
        country,
        (places - cast(positives as {double}) * (positives + 1) / 2)
            / (cast(positives as {double}) * (n - positives)) as auc,
        gauc_sum / weights as gauc,
        ndcg_sum / ndcgs as ndcg_10,
        ap_sum / n_lists as map_10,
        rr_sum / n_lists as mrr,
        err_sum / n_lists as err_10,
        loss_sum / n as log_loss
    from with_total
"""

# Tied items share their places in AUC and GAUC and their discounts in nDCG; in AP, RR and ERR they stay as they come.
DEMO_AUDITED = (
    WITH_CHECKED_ROWS_AND_DISCOUNTS
    + """
    ranked as (
        select
            country, list, label, score,
            row_number() over (partition by list order by score desc) as place,
            rank() over (partition by list order by score desc) as first_place,
            count(*) over (partition by list order by score desc) as last_place,
            row_number() over (partition by list order by label desc) as ideal_place,
            sum(case when label >= 1 then 1 else 0 end)
                over (partition by list order by score desc rows unbounded preceding) as hits,
            exp(coalesce(sum(case when label <= 4 then ln(1 - (power(2, label) - 1) / 16) end) over (
                partition by list order by score desc rows between unbounded preceding and 1 preceding
            ), 0)) as reached,
            rank() over (partition by country order by score) as first_in_country,
            count(*) over (partition by country order by score) as last_in_country,
            rank() over (order by score) as first_in_all,
            count(*) over (order by score) as last_in_all
        from checked
        where reason = 0
    ),

    lists as (
        select
            country, list,
            count(*) as items,
            sum(case when label >= 1 then 1 else 0 end) as relevant,
            sum(case when label >= 1 then cast(first_place + last_place as {double}) / 2 else 0 end) as places,
            sum(case when first_place <= 10 then
                (power(2, label) - 1) * (below.down_to - coalesce(above.down_to, 0)) / (last_place - first_place + 1)
            else 0 end) as dcg,
            sum(case
                when ideal_place <= 10 then (power(2, label) - 1) / (ln(cast(ideal_place + 1 as {double})) / ln(2))
                else 0
            end) as ideal,
            sum(case
                when ranked.place <= 10 and label >= 1 then cast(hits as {double}) / ranked.place else 0
            end) as precisions,
            min(case when label >= 1 then ranked.place end) as first_hit,
            sum(case
                when ranked.place <= 10 then (power(2, label) - 1) / 16 * reached / cast(ranked.place as {double})
                else 0
            end) as err,
            max(case when first_place < last_place and label > 0 then 1 else 0 end) as tied,
            sum(case
                when label >= 1 then cast(first_in_country + last_in_country as {double}) / 2 else 0
            end) as places_in_country,
            sum(case when label >= 1 then cast(first_in_all + last_in_all as {double}) / 2 else 0 end) as places_in_all,
            -sum(ln(case when label >= 1 then score else 1 - score end)) as losses
        from ranked
        left join discounts as above on above.place = first_place - 1
        left join discounts as below on below.place = case when last_place < 10 then last_place else 10 end
        group by country, list
    ),

    scored as (
        select
            lists.*,
            case when relevant > 0 and relevant < items then items end as weight,
            case when relevant > 0 and relevant < items then
                1 - (places - cast(relevant as {double}) * (relevant + 1) / 2) / (relevant * (items - relevant))
            end as auc,
            case when ideal > 0 then dcg / ideal end as ndcg,
            case when relevant > 0 then precisions / case when relevant < 10 then relevant else 10 end end as ap,
            case when relevant > 0 then cast(1 as {double}) / first_hit end as rr,
            case when relevant > 0 then err end as err_10
        from lists
    ),

    of_lists as (
        select
            country,
            sum(items) as n, sum(relevant) as positives,
            sum(places_in_country) as places, sum(places_in_all) as all_places,
            sum(weight * auc) as gauc_sum, sum(weight) as weights,
            sum(ndcg) as ndcg_sum, count(ndcg) as ndcgs,
            sum(ap) as ap_sum, sum(rr) as rr_sum, sum(err_10) as err_sum, count(ap) as n_lists,
            sum(losses) as loss_sum,
            count(*) as n_groups,
            sum(case when relevant = 0 then 1 else 0 end) as groups_empty,
            sum(case when weight is null then 1 else 0 end) as groups_single_class,
            sum(tied) as groups_tied
        from scored
        group by country
    ),

    of_rows as (
        select
            country,
            count(*) as n_rows,
            sum(case when reason = 1 then 1 else 0 end) as rows_bad_label,
            sum(case when reason = 2 then 1 else 0 end) as rows_bad_score,
            sum(case when reason = 4 then 1 else 0 end) as rows_bad_group,
            sum(case when reason = 0 and label < 0 then 1 else 0 end) as rows_negative_grade,
            sum(case when reason = 0 and label > 500 then 1 else 0 end) as rows_huge_grade,
            sum(case when reason = 0 and label > 4 then 1 else 0 end) as rows_above_max_grade,
            sum(case when reason = 0 and (score < 0 or score > 1) then 1 else 0 end) as rows_not_probability
        from checked
        group by country
    ),

    with_total as (
        select
            of_rows.country, n_rows, rows_bad_label, rows_bad_score, rows_bad_group, rows_negative_grade,
            rows_huge_grade, rows_above_max_grade, rows_not_probability, n, positives, places, gauc_sum, weights,
            ndcg_sum, ndcgs, ap_sum, rr_sum, err_sum, n_lists, loss_sum, n_groups, groups_empty,
            groups_single_class, groups_tied
        from of_rows
        left join of_lists on of_rows.country = of_lists.country
        union all
        select
            null, sum(n_rows), sum(rows_bad_label), sum(rows_bad_score), sum(rows_bad_group),
            sum(rows_negative_grade), sum(rows_huge_grade), sum(rows_above_max_grade), sum(rows_not_probability),
            sum(n), sum(positives), sum(all_places), sum(gauc_sum), sum(weights), sum(ndcg_sum), sum(ndcgs),
            sum(ap_sum), sum(rr_sum), sum(err_sum), sum(n_lists), sum(loss_sum), sum(n_groups), sum(groups_empty),
            sum(groups_single_class), sum(groups_tied)
        from of_rows
        left join of_lists on of_rows.country = of_lists.country
    )

    select
        country, n_rows, rows_bad_label, rows_bad_score, rows_bad_group, rows_negative_grade, rows_huge_grade,
        rows_above_max_grade, rows_not_probability, n_groups, groups_empty, groups_single_class, groups_tied,
        (places - cast(positives as {double}) * (positives + 1) / 2)
            / (cast(positives as {double}) * (n - positives)) as auc,
        gauc_sum / weights as gauc,
        case when rows_negative_grade = 0 and rows_huge_grade = 0 then ndcg_sum / ndcgs end as ndcg_10,
        ap_sum / n_lists as map_10,
        rr_sum / n_lists as mrr,
        case when rows_negative_grade = 0 and rows_above_max_grade = 0 then err_sum / n_lists end as err_10,
        case when rows_not_probability = 0 then loss_sum / n end as log_loss
    from with_total
"""
)

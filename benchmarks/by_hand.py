"""SQL by hand for scores without ties and lists that lie in one slice, to set beside statements of sqlmetrics.

It has what an analyst would write for these numbers: no checks of rows, no counts, and nothing for ties. `{double}`
is the engine's type of floats.
"""

LOG_LOSS = """
    select -avg(ln(case
        when label >= 1 then case when score < 1e-15 then 1e-15 else score end
        else case when 1 - score < 1e-15 then 1e-15 else 1 - score end
    end)) as log_loss
    from data
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

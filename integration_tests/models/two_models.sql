-- two models side by side, from a CTE: brackets make a query within a query of what the macro gives
with second_day as (
    select * from {{ ref('predictions') }} where day >= '2026-05-02'
)

select *
from (
    {{ sqlmetrics.evaluate(
        'second_day', {'best': 'ndcg(gain=linear)@3', 'mrr': 'mrr', 'recall at 2': 'recall@2'},
        label='grade', score={'new': 'score', 'old': 'score_b'}, group='query_id', by='country', ties='worst'
    ) }}
) as evaluated

-- what intervals and comparisons of two models are made of, by day
{{ config(materialized='table') }}
{{ sqlmetrics.state(
    ref('predictions'), 'ndcg@3', label='grade', score={'new': 'score', 'old': 'score_b'}, group='query_id',
    item='product_id', period='day', by='country', intervals=true
) }}

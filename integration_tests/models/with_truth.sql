-- depends_on: {{ ref('predictions') }}
{{ sqlmetrics.evaluate(
    source('shop', 'predictions'), ['ndcg@3', 'recall@2', 'map', 'err@3'],
    score='score', group='query_id', item='product_id', truth=ref('relevant'), label='grade', max_grade=2, by='country'
) }}

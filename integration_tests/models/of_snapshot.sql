-- labels as they are known today
{{ sqlmetrics.evaluate(
    ref('labels'), ['auc', 'ndcg@3', 'rmse'], label='clicked', score='score', group='query_id', item='product_id', by='country',
    where='dbt_valid_to is null'
) }}

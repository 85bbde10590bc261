{{ sqlmetrics.evaluate_long(
    ref('predictions'), ['auc', 'ndcg@3', 'rmse'], label='clicked', score='score', group='query_id', item='product_id', by='country'
) }}

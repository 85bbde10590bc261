{{ sqlmetrics.evaluate(
    ref('predictions'), ['auc', 'gauc', 'ndcg@10', 'map@3', 'log_loss', 'precision(threshold=0.45)', 'rmse'],
    label='clicked', score='score', group='query_id', item='product_id', by=['day', 'country']
) }}

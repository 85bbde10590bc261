-- the facts are those of the state
{{ sqlmetrics.finish(
    ref('daily_state'), ['auc', 'ks', 'average_precision', 'log_loss', 'ndcg@3', 'gauc', 'r2'],
    label='clicked', score='score', group='query_id', item='product_id', period='day', by='country'
) }}

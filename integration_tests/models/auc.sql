{{ sqlmetrics.evaluate(ref('predictions'), ['auc', 'ndcg@10', 'log_loss'], label='clicked', score='score', group='query_id', by=['day', 'country']) }}

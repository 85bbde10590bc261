{{ sqlmetrics.per_group(ref('predictions'), ['ndcg@3', 'mrr'], label='grade', score='score', group='query_id') }}

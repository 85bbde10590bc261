{{ sqlmetrics.evaluate(ref('first_day'), ['auc', 'hit_rate@1'], label='clicked', score='score', group='query_id', convention='trec_eval', ties='average') }}

{{ sqlmetrics.evaluate(
    ref('predictions'), ['auc', 'ndcg@3', 'precision(threshold=0.45)'],
    label=adapter.quote('clicked'), score={'new': adapter.quote('score'), 'mean': 'score_b / 2 + score / 2'}, group=adapter.quote('query_id'),
    by=[adapter.quote('day'), adapter.quote('country')]
) }}

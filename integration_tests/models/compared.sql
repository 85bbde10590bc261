{{ sqlmetrics.compare(
    ref('predictions'), ['ndcg@3', 'mrr'], baseline='score_b', candidate={'new': 'score'}, label='grade', group='query_id', by='country', ties='worst',
    test='sign'
) }}

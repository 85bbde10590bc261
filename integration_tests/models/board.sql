{{ sqlmetrics.leaderboard(
    ref('predictions'), ['ndcg@3', 'mrr'], score={'new': 'score', 'old': 'score_b'}, label='grade', group='query_id', by='country', ties='worst'
) }}

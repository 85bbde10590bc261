{{ sqlmetrics.find_slices(
    ref('predictions'), ['mrr', 'auc'], ['day', 'country'], baseline='score', candidate='score_b', label='grade',
    group='query_id', positive=1, dates='day', dates_by='month', min_units=2
) }}

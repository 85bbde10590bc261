{{ sqlmetrics.explain_change(
    ref('predictions'), 'log_loss', 'country', period='day', before='2026-05-01', after='2026-05-02', label='clicked',
    score='score'
) }}

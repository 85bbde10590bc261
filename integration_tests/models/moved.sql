-- whether the days of the state have the same countries; no prediction is read again
{{ sqlmetrics.drift(
    ref('daily_state'), 'country', period='day', before='2026-05-01', after='2026-05-02', of_state=true
) }}

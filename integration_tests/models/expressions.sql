{% set rows = "select *, upper(country) || '!' as land from " ~ ref('predictions') %}
{{ sqlmetrics.evaluate(
    rows, ['auc', 'brier', 'f1(threshold=0.5)'],
    label='grade > 1', score='(score + score_b) / 2', by=[{'sql': 'land', 'alias': 'country_name'}, {'first letter': "substr(query_id, 1, 1)"}], total=false,
    where="query_id <> 'q1' -- a comment ends with its line"
) }}

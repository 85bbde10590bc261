-- refused while dbt compiles it, as the state was not made for mrr; dbt run --vars '{lacking: true}'
{{ config(enabled=var('lacking', false)) }}
{{ sqlmetrics.finish(
    ref('daily_state'), ['auc', 'mrr'], label='clicked', score='score', group='query_id', item='product_id',
    period='day', by='country'
) }}

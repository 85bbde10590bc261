-- total_name gives the total and the slice of NULL a key, so that a run replaces them as any other slice
{{ config(materialized='incremental', incremental_strategy=var('strategy', 'delete+insert'), unique_key=['country']) }}
{{ sqlmetrics.evaluate(
    ref('predictions'), ['auc', 'rmse'], label='clicked', score='score', by={'country': "nullif(country, 'FR')"},
    total_name='all'
) }}

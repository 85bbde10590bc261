-- a metric that comes later brings new columns, which dbt drops by default
{{ config(
    materialized='incremental', incremental_strategy='delete+insert', unique_key='day',
    on_schema_change='append_new_columns'
) }}
-- days that are read take the place of what was there of them: dbt run --vars '{since: 2026-05-02}'
with read_now as (
    select * from {{ ref('predictions') }}
    where day between '{{ var("since", "1900-01-01") }}' and '{{ var("until", "2999-12-31") }}'
)

select *
from (
    {{ sqlmetrics.state(
        'read_now', ['auc', 'ks', 'average_precision', 'log_loss', 'ndcg@3', 'gauc', 'r2'],
        label='clicked', score='score', group='query_id', item='product_id', period='day', by='country'
    ) }}
) as state

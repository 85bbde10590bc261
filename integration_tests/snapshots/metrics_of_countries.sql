{# The metrics as they were: a snapshot finds each slice, and the total, by its key. #}
{% snapshot metrics_of_countries %}
{{ config(target_schema=target.schema, unique_key='country', strategy='check', check_cols=['auc', 'rmse']) }}
select country, auc, rmse from {{ ref('kept_by_country') }}
{% endsnapshot %}

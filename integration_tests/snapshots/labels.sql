{# Labels that may change later: each version of a row is kept, and the one that holds has no end. #}
{% snapshot labels %}
{{ config(target_schema=target.schema, unique_key='row_key', strategy='check', check_cols=['grade', 'clicked']) }}
select predictions.*, cast(day as {{ dbt.type_string() }}) || query_id || product_id as row_key
from {{ ref('predictions') }} as predictions
{% endsnapshot %}

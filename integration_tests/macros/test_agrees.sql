{# A model's metrics, at each slice, are those of seeds/expected.csv, whose values are not ours (see tests/dbt_project.py). #}
{% test agrees(model, slice, metrics) %}
with actual as (
    {%- for metric in metrics %}
    {{ 'union all ' if not loop.first }}select {{ slice }} as slice, '{{ metric }}' as metric, {{ adapter.quote(metric) }} as value from {{ model }}
    {%- endfor %}
),

expected as (
    select * from {{ ref('expected') }} where model = '{{ model.identifier }}'
)

select
    coalesce(actual.slice, expected.slice) as slice, coalesce(actual.metric, expected.metric) as metric,
    actual.value as actual_value, expected.value as expected_value
from actual
full join expected on actual.slice = expected.slice and actual.metric = expected.metric
where actual.metric is null or expected.metric is null
    or (actual.value is null) <> (expected.value is null)
    or abs(actual.value - expected.value) > 1e-9
{% endtest %}

{#
  DuckDB: scores that Langfuse exports, as JSON or CSV. A sample is a trace, or a session. A score of categories has
  its word as `label`.
#}
{% macro duckdb__sql_evals_of_langfuse(logs, objects) %}
    select
        file, name, stem,
        json ->> '$.datasetRunId' as model,
        sm_logs.task,
        coalesce(json ->> '$.traceId', json ->> '$.sessionId') as sample,
        1 as epoch,
        json ->> '$.name' as scorer,
        case when json ->> '$.dataType' = 'CATEGORICAL' then json ->> '$.stringValue' else json ->> '$.value' end
            as value,
        null as answer,
        case json ->> '$.source' when 'ANNOTATION' then 'person' when 'EVAL' then 'judge' end as scored_by,
        null as cost,
        null as latency,
        null as tokens,
        json ->> '$.metadata' as metadata,
        json ->> '$.id' as part,
        null as problem
    from {{ objects }} as sm_objects
    join {{ logs }} as sm_logs using (file)
{%- endmacro %}

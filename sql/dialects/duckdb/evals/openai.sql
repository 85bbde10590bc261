{#
  DuckDB: lines of OpenAI evals: a specification, events, a final report. A match is a score of 0 or 1; of metrics each
  number is a score.
#}
{% macro duckdb__sql_evals_of_openai(logs, objects) %}
    select
        file, name, stem,
        run.spec ->> '$.completion_fns[0]' as model,
        run.spec ->> '$.eval_name' as task,
        json ->> '$.sample_id' as sample,
        1 as epoch,
        score.key as scorer,
        score.value ->> '$' as value,
        coalesce(json ->> '$.data.picked', json ->> '$.data.sampled') as answer,
        'code' as scored_by,
        null as cost,
        null as latency,
        null as tokens,
        null as metadata,
        json ->> '$.event_id' as part,
        case when run.report is null then 'it has no final_report, as that of a run that did not end; run it again, or'
            || ' leave the log out' end as problem
    from (
        select *, unnest(case json ->> '$.type'
            when 'match' then [{'key': 'match', 'value': json -> '$.data.correct'}]
            when 'metrics' then map_entries(cast(json -> '$.data' as map(varchar, json)))
        end) as score
        from {{ objects }} as sm_objects
    ) as sm_events
    join (
        select file, any_value(json -> '$.spec') as spec, any_value(json -> '$.final_report') as report
        from {{ objects }} as sm_objects
        group by file
    ) as run using (file)
    join {{ logs }} as sm_logs using (file)
    where json_type(score.value) not in ('ARRAY', 'OBJECT')
{%- endmacro %}

{#
  DuckDB: lines of `samples_TASK_DATE.jsonl` of lm-evaluation-harness. A scorer is a metric of the task, with its
  filter if that has a name. A metric without a number of a sample, such as bleu and perplexity, whose samples have
  parts of the whole, has no row.
#}
{% macro duckdb__sql_evals_of_lm_eval(logs, objects) -%}
{%- set others = [
    'doc_id', 'doc', 'target', 'arguments', 'resps', 'filtered_resps', 'filter', 'metrics', 'doc_hash', 'prompt_hash',
    'target_hash',
] %}
    select
        file, name, stem, sm_logs.model, sm_logs.task,
        fields[1] as sample,
        1 as epoch,
        metric || coalesce(',' || nullif(fields[2], 'none'), '') as scorer,
        measured ->> '$' as value,
        fields[3] as answer,
        'code' as scored_by,
        null as cost,
        null as latency,
        null as tokens,
        null as metadata,
        case when fields[1] is null then 'a line has no doc_id' end as problem
    from (
        select *, json_extract(json, '$."' || replace(metric, '"', '\"') || '"') as measured
        from (
            select *, unnest(coalesce(
                cast(fields[4] as varchar[]),
                list_filter(json_keys(json), lambda key: key not in ({%- for name in others -%}
                    {{ sqlmetrics.sql_text(name) }}{{ ', ' if not loop.last }}
                {%- endfor %}))
            )) as metric
            from (
                select file, json,
                    json_extract_string(json, ['$.doc_id', '$.filter', '$.filtered_resps[0]', '$.metrics']) as fields
                from {{ objects }} as sm_objects
            ) as sm_fields
        ) as sm_metrics
    ) as sm_measured
    join {{ logs }} as sm_logs using (file)
    where json_type(measured) not in ('ARRAY', 'OBJECT')
{%- endmacro %}

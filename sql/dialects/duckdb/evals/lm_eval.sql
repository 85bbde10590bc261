{#
  DuckDB: lines of `samples_TASK_DATE.jsonl` of lm-evaluation-harness. A scorer is a metric of the task, with its
  filter if that has a name. A metric without a number of a sample, such as bleu and perplexity, whose samples have
  parts of the whole, has no row. A line that lacks a metric has a row without a value; its metrics are those that it
  lists, or else those of the other lines.
#}
{% macro duckdb__sql_evals_of_lm_eval(logs, objects) -%}
{%- set others = [
    'doc_id', 'doc', 'target', 'arguments', 'resps', 'filtered_resps', 'filter', 'metrics', 'doc_hash', 'prompt_hash',
    'target_hash',
] %}
    with sm_lines as (
        select file, fields, listed, list_transform(
            coalesce(listed, list_filter(json_keys(json), lambda key: key not in ({%- for name in others -%}
                {{ sqlmetrics.sql_text(name) }}{{ ', ' if not loop.last }}
            {%- endfor %}))),
            lambda metric: {
                'metric': metric, 'value': json_extract(json, '$."' || replace(metric, '"', '\"') || '"')
            }
        ) as measures
        from (
            select *, nullif(cast(fields[4] as varchar[]), []) as listed
            from (
                select file, json,
                    json_extract_string(json, ['$.doc_id', '$.filter', '$.filtered_resps[0]', '$.metrics']) as fields
                from {{ objects }} as sm_objects
            ) as sm_fields
        ) as sm_listed
    )
    select
        file, name, stem, sm_logs.model, sm_logs.task,
        fields[1] as sample,
        1 as epoch,
        one.metric || coalesce(',' || nullif(fields[2], 'none'), '') as scorer,
        one.value ->> '$' as value,
        fields[3] as answer,
        'code' as scored_by,
        null as cost,
        null as latency,
        null as tokens,
        null as metadata,
        null as part,
        case when fields[1] is null then 'a line has no doc_id' end as problem
    from (
        select *, unnest(list_concat(measures, case when listed is null then list_filter(
            known, lambda one: not list_contains(list_transform(measures, lambda other: other.metric), one.metric)
        ) end)) as one
        from sm_lines
        left join (
            select file, fields[2] as of_filter, list_transform(
                list(distinct one.metric), lambda metric: {'metric': metric, 'value': cast(null as json)}
            ) as known
            from (select file, fields, unnest(measures) as one from sm_lines) as sm_measures
            where json_type(one.value) not in ('ARRAY', 'OBJECT')
            group by file, of_filter
        ) as sm_known on sm_known.file = sm_lines.file and sm_known.of_filter is not distinct from fields[2]
    ) as sm_measured
    join {{ logs }} as sm_logs using (file)
    where coalesce(json_type(one.value) not in ('ARRAY', 'OBJECT'), true)
{%- endmacro %}

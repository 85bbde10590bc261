{#
  DuckDB: logs of Inspect, version 2, a header with the samples or their summaries. A score of C is 1, of P 0.5, of I
  and N 0, as in Inspect's `value_to_float`. A score with several values has a row for each. A sample that ended in an
  error has a row without a value for each scorer.
#}
{% macro duckdb__sql_evals_of_inspect(logs, objects=none) %}
    select
        file, name, stem,
        header ->> '$.eval.model' as model,
        header ->> '$.eval.task' as task,
        sample ->> '$.id' as sample,
        sample ->> '$.epoch' as epoch,
        named.key as scorer,
        case named.value ->> '$'
            when 'C' then '1' when 'P' then '0.5' when 'I' then '0' when 'N' then '0'
            when 'yes' then '1' when 'no' then '0'
            else named.value ->> '$'
        end as value,
        score.value ->> '$.answer' as answer,
        case
            when json_array_length(score.value -> '$.history') > 1 then 'person'
            when score.key like 'model\_graded\_%' escape '\' then 'judge'
            when score.key in ('match', 'includes', 'pattern', 'answer', 'exact', 'f1', 'choice', 'math') then 'code'
        end as scored_by,
        list_sum(list_transform(uses, lambda used: try_cast(used ->> '$.total_cost' as double))) as cost,
        coalesce(sample ->> '$.working_time', sample ->> '$.total_time') as latency,
        list_sum(list_transform(uses, lambda used: try_cast(used ->> '$.total_tokens' as bigint))) as tokens,
        sample ->> '$.metadata' as metadata,
        case when status <> 'success' then 'the evaluation did not end (status: ' || status
            || '); finish it with inspect eval-retry, or leave the log out' end as problem
    from (
        select
            *,
            unnest(case
                when json_type(score.value -> '$.value') = 'OBJECT' then list_transform(
                    map_entries(cast(score.value -> '$.value' as map(varchar, json))),
                    lambda part: {'key': score.key || '.' || part.key, 'value': part.value}
                )
                else [{'key': score.key, 'value': score.value -> '$.value'}]
            end) as named
        from (
            select
                *,
                unnest(list_concat(scores, list_transform(
                    list_filter(
                        case when scores is null or (sample -> '$.error') is not null
                            then scorers end,
                        lambda scorer: not list_contains(coalesce(map_keys(cast(sample -> '$.scores'
                            as map(varchar, json))), []), parse_filename(scorer))
                    ),
                    lambda scorer: {'key': parse_filename(scorer), 'value': cast('{}' as json)}
                ))) as score
            from (
                select
                    *,
                    header ->> '$.status' as status,
                    nullif(map_entries(cast(sample -> '$.scores' as map(varchar, json))), []) as scores,
                    map_values(cast(sample -> '$.model_usage' as map(varchar, json))) as uses,
                    header ->> '$.eval.scorers[*].name' as scorers
                from (
                    {%- if objects is none %}
                    select file, name, stem, cast(header as json) as header,
                        unnest(cast(header -> '$.samples' as json[])) as sample
                    from {{ logs }} as sm_logs
                    {%- else %}
                    select file, name, stem, cast(header as json) as header, json as sample
                    from {{ objects }} as sm_objects
                    join {{ logs }} as sm_logs using (file)
                    {%- endif %}
                ) as sm_samples
            ) as sm_used
        ) as sm_scores
    ) as sm_named
{%- endmacro %}

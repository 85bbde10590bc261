{#
  DuckDB: logs of Inspect, version 2, a header with the samples or their summaries. A score of C is 1, of P 0.5, of I
  and N 0, as in Inspect's `value_to_float`. A score with several values has a row for each. A sample that lacks the
  score of a scorer, as one that ended in an error, has a row without a value for each value of that scorer.
#}
{% macro duckdb__sql_evals_of_inspect(logs, objects=none) %}
    with sm_samples as (
        select
            file,
            sample ->> '$.id' as id,
            sample ->> '$.epoch' as epoch,
            coalesce(sample ->> '$.working_time', sample ->> '$.total_time') as latency,
            sample ->> '$.metadata' as metadata,
            map_values(cast(sample -> '$.model_usage' as map(varchar, json))) as uses,
            coalesce(cast(sample -> '$.scores' as map(varchar, json)), map {}) as scores,
            flatten(list_transform(
                map_entries(scores),
                lambda score: case
                    when coalesce(lower(score.value ->> '$.value'), 'nan') = 'nan' then []
                    when json_type(score.value -> '$.value') = 'OBJECT' then list_transform(
                        map_entries(cast(score.value -> '$.value' as map(varchar, json))),
                        lambda part: {'scorer': score.key, 'part': score.key || '.' || part.key, 'value': part.value}
                    )
                    else [{'scorer': score.key, 'part': score.key, 'value': score.value -> '$.value'}]
                end
            )) as parts
        from (
            {%- if objects is none %}
            select file, unnest(cast(header -> '$.samples' as json[])) as sample from {{ logs }} as sm_logs
            {%- else %}
            select file, json as sample from {{ objects }} as sm_objects
            {%- endif %}
        ) as sm_read
    ),
    sm_known as (
        {#- the values of each scorer in a log; those of one that gave none are one, under its name #}
        select file, list(known) as known
        from (
            select file, scorer, unnest(list_transform(
                coalesce(list(distinct part) filter (where part is not null), [scorer]),
                lambda part: {'scorer': scorer, 'part': part, 'value': cast(null as json)}
            )) as known
            from (
                select file, one.scorer as scorer, one.part as part
                from (select file, unnest(parts) as one from sm_samples) as sm_parts
                union
                select file, unnest(map_keys(scores)), null from sm_samples
                union
                {#- the results know of scores that were made anew, the scorers of the evaluation do not #}
                select file, parse_filename(unnest(coalesce(
                    nullif(header ->> '$.results.scores[*].scorer', []), header ->> '$.eval.scorers[*].name'
                ))), null
                from {{ logs }} as sm_logs
            ) as sm_seen
            group by file, scorer
        ) as sm_scorers
        group by file
    )
    select
        file, name, stem, model, task,
        id as sample,
        epoch,
        one.part as scorer,
        case one.value ->> '$'
            when 'C' then '1' when 'P' then '0.5' when 'I' then '0' when 'N' then '0'
            when 'yes' then '1' when 'no' then '0'
            else one.value ->> '$'
        end as value,
        scores[one.scorer] ->> '$.answer' as answer,
        case
            when json_array_length(scores[one.scorer] -> '$.history') > 1 then 'person'
            when one.scorer like 'model\_graded\_%' escape '\' then 'judge'
            when one.scorer in ('match', 'includes', 'pattern', 'answer', 'exact', 'f1', 'choice', 'math') then 'code'
        end as scored_by,
        list_sum(list_transform(uses, lambda used: try_cast(used ->> '$.total_cost' as double))) as cost,
        latency,
        list_sum(list_transform(uses, lambda used: try_cast(used ->> '$.total_tokens' as bigint))) as tokens,
        metadata,
        null as part,
        case
            when status <> 'success' then 'the evaluation did not end (status: ' || status
                || '); finish it with inspect eval-retry, or leave the log out'
            {#- early stopping leaves samples out on purpose #}
            when held < planned and not stops_early then 'the log holds ' || held || ' of the ' || planned
                || ' samples of the evaluation (results.total_samples); finish it with inspect eval-retry, or leave the'
                || ' log out'
        end as problem
    from (
        select *, unnest(list_concat(parts, list_filter(
            known, lambda one: not list_contains(list_transform(parts, lambda part: part.scorer), one.scorer)
        ))) as one
        from sm_samples
        join sm_known using (file)
    ) as sm_scores
    join (
        select
            file, name, stem,
            header ->> '$.eval.model' as model,
            header ->> '$.eval.task' as task,
            header ->> '$.status' as status,
            try_cast(header ->> '$.results.total_samples' as bigint) as planned,
            json_type(header -> '$.results.early_stopping') = 'OBJECT' is true as stops_early
        from {{ logs }} as sm_logs
    ) as sm_headers using (file)
    join (select file, count(*) as held from sm_samples group by file) as sm_held using (file)
{%- endmacro %}

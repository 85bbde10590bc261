{#
  DuckDB: the JSON output of promptfoo. The scorer `pass` is whether all assertions of a test hold; each assertion has
  its score, too, under its metric or type. A test that is repeated has an epoch for each time. A call of a provider
  that failed has no value, and neither has an assertion that was not graded.
#}
{% macro duckdb__sql_evals_of_promptfoo(logs) %}
    select
        file, name, stem,
        provider || case when count(distinct prompt) over (partition by file) > 1 then ' | ' || prompt else '' end
            as model,
        task,
        min(place) over (partition by file, test) as sample,
        dense_rank() over (partition by file, test order by place) as epoch,
        score.scorer as scorer,
        case when failed then null else score.value end as value,
        result ->> '$.response.output' as answer,
        case
            when score.kind = 'human' then 'person'
            when regexp_matches(score.kind, '^(not-)?(llm-rubric|model-graded|factuality|g-eval|answer-relevance'
                || '|context-|conversation-relevance|search-rubric|pi|classifier|moderation|select-best)') then 'judge'
            when score.kind is not null then 'code'
        end as scored_by,
        coalesce(result ->> '$.cost', result ->> '$.response.cost') as cost,
        try_cast(result ->> '$.latencyMs' as double) / 1000 as latency,
        coalesce(result ->> '$.response.tokenUsage.total', result ->> '$.tokenUsage.total') as tokens,
        coalesce(result ->> '$.testCase.metadata', result ->> '$.metadata') as metadata,
        score.part as part,
        null as problem
    from (
        select *, unnest(list_concat(
            [{'scorer': 'pass', 'value': result ->> '$.success', 'kind': cast(null as varchar), 'part': 0}],
            list_filter(
                list_transform(
                    coalesce(graded, case when bool_or(graded is not null) over (partition by file) then asserted end),
                    lambda one, i: {
                        'scorer': coalesce(one ->> '$.assertion.metric', one ->> '$.assertion.type'),
                        'value': one ->> '$.score',
                        'kind': one ->> '$.assertion.type',
                        'part': i
                    }
                ),
                lambda one: one.scorer is not null
            )
        )) as score
        from (
            select
                file, name, stem, result,
                header ->> '$.config.description' as task,
                coalesce(
                    nullif(result ->> '$.provider.label', ''), result ->> '$.provider.id', result ->> '$.provider'
                ) as provider,
                coalesce(result ->> '$.prompt.label', result ->> '$.prompt.raw') as prompt,
                cast(result ->> '$.testIdx' as bigint) as place,
                cast(coalesce(result -> '$.testCase', result -> '$.vars') as varchar) as test,
                result ->> '$.failureReason' = '2' as failed,
                nullif(cast(result -> '$.gradingResult.componentResults' as json[]), []) as graded,
                {#- the assertions of a test, and those of its sets, as they stand beside a grade #}
                list_transform(
                    list_filter(
                        list_concat(
                            result -> '$.testCase.assert[*]', result -> '$.testCase.assert[*].assert[*]'
                        ),
                        lambda one: one ->> '$.type' <> 'assert-set'
                    ),
                    lambda one: json_object('assertion', one)
                ) as asserted
            from (
                select file, name, stem, header, unnest(cast(header -> '$.results.results' as json[])) as result
                from {{ logs }} as sm_logs
            ) as sm_results
        ) as sm_tests
    ) as sm_scores
{%- endmacro %}

{# DuckDB: test runs of DeepEval. Cost, latency and tokens are those of the model, not those of the judge. #}
{% macro duckdb__sql_evals_of_deepeval(logs) %}
    select
        file, name, stem,
        run ->> '$.hyperparameters.model' as model,
        run ->> '$.testFile' as task,
        coalesce(test ->> '$.name', test ->> '$.order') as sample,
        1 as epoch,
        metric ->> '$.name' as scorer,
        metric ->> '$.score' as value,
        test ->> '$.actualOutput' as answer,
        case when metric ->> '$.evaluationModel' is null then 'code' else 'judge' end as scored_by,
        test ->> '$.tokenCost' as cost,
        test ->> '$.completionTime' as latency,
        try_cast(test ->> '$.inputTokenCount' as bigint) + try_cast(test ->> '$.outputTokenCount' as bigint)
            as tokens,
        coalesce(test ->> '$.metadata', test ->> '$.additionalMetadata') as metadata,
        null as problem
    from (
        select *, unnest(cast(test -> '$.metricsData' as json[])) as metric
        from (
            select *, unnest(list_concat(
                cast(run -> '$.testCases' as json[]), cast(run -> '$.conversationalTestCases' as json[])
            )) as test
            from (
                select file, name, stem, coalesce(header -> '$.testRunData', cast(header as json)) as run
                from {{ logs }} as sm_logs
            ) as sm_runs
        ) as sm_tests
    ) as sm_metrics
{%- endmacro %}

{#
  DuckDB: test runs of DeepEval. Cost, latency and tokens are those of the model, not those of the judge. A test without
  metrics has a row without a value for each metric of the run.
#}
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
        concat_ws('.', test ->> '$.order', place) as part,
        null as problem
    from (
        select *, unnest(metrics) as metric, generate_subscripts(metrics, 1) as place
        from (
            select *, coalesce(nullif(cast(test -> '$.metricsData' as json[]), []), metrics_of_run) as metrics
            from (
                select *, unnest(tests) as test, list_distinct(list_transform(
                    flatten(list_transform(tests, lambda test: test -> '$.metricsData[*]')),
                    lambda one: json_object('name', one ->> '$.name', 'evaluationModel', one ->> '$.evaluationModel')
                )) as metrics_of_run
                from (
                    select *, list_concat(
                        cast(run -> '$.testCases' as json[]), cast(run -> '$.conversationalTestCases' as json[])
                    ) as tests
                    from (
                        select file, name, stem, coalesce(header -> '$.testRunData', cast(header as json)) as run
                        from {{ logs }} as sm_logs
                    ) as sm_runs
                ) as sm_lists
            ) as sm_tests
        ) as sm_tested
    ) as sm_metrics
{%- endmacro %}

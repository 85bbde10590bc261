{#
  DuckDB: tables of MLflow's evaluations. Columns such as `exact_match/v1/score` and `correctness/value` are the scores,
  unless the column `assessments` lists them with who scored. A sample is what went into the model, and otherwise the
  place of the row.
#}
{% macro duckdb__sql_evals_of_mlflow(logs, objects) -%}
{{ sqlmetrics.duckdb__sql_evals_of_mlflow_rows(logs, '(
            select file, row_number() over () as place, map_entries(cast(json as map(varchar, json))) as cells
            from ' ~ objects ~ ' as sm_objects
        )') }}
{%- endmacro %}

{# The same, of the names of columns and the rows, as MLflow writes eval_results_table.json. #}
{% macro duckdb__sql_evals_of_mlflow_split(logs) -%}
{{ sqlmetrics.duckdb__sql_evals_of_mlflow_rows(logs, '(
            select file, place, list_transform(range(1, len(names) + 1),
                lambda i: {\'key\': names[i], \'value\': cast(line as json[])[i]}) as cells
            from (
                select file, header ->> \'$.columns[*]\' as names, unnest(cast(header -> \'$.data\' as json[])) as line,
                    generate_subscripts(cast(header -> \'$.data\' as json[]), 1) as place
                from ' ~ logs ~ ' as sm_documents
            ) as sm_lines
        )') }}
{%- endmacro %}

{# Rows of cells, each a name and a JSON value. #}
{% macro duckdb__sql_evals_of_mlflow_rows(logs, cells) -%}
{%- set of = 'list_filter(cells, lambda cell: cell.key in ({}))[1].value ->> \'$\'' %}
    select
        file, name, stem, sm_logs.model, sm_logs.task, sample,
        row_number() over (partition by file, sample, score.key order by place) as epoch,
        regexp_replace(score.key, '(/v\d+)?/(score|value)$', '') as scorer,
        score.value ->> '$' as value,
        {{ of.format("'outputs', 'response', 'prediction'") }} as answer,
        case
            when score.source = 'HUMAN' then 'person'
            when score.source = 'CODE' then 'code'
            when score.source in ('LLM_JUDGE', 'AI_JUDGE') then 'judge'
            when len(list_filter(cells, lambda cell: cell.key
                = regexp_replace(score.key, '/(score|value)$', '/justification'))) > 0 then 'judge'
        end as scored_by,
        null as cost,
        {{ of.format("'latency'") }} as latency,
        {{ of.format("'token_count'") }} as tokens,
        null as metadata,
        null as part,
        null as problem
    from (
        select *, unnest(case
            {#- what MLflow knows of each score, and that it is no expectation -#}
            {{ ' ' }}when assessed is not null then list_transform(list_filter(
                cast(assessed as json[]), lambda one: json_type(one -> '$.feedback') = 'OBJECT'
            ), lambda one: {
                'key': (one ->> '$.assessment_name') || '/value',
                'value': one -> '$.feedback.value',
                'source': one ->> '$.source.source_type'
            })
            else list_transform(
                list_filter(cells, lambda cell: regexp_matches(cell.key, '/(score|value)$')),
                lambda cell: {'key': cell.key, 'value': cell.value, 'source': cast(null as varchar)}
            )
        end) as score
        from (
            select *,
                list_filter(cells, lambda cell: cell.key = 'assessments' and json_type(cell.value) = 'ARRAY')[1].value
                    as assessed,
                coalesce({{ of.format("'inputs', 'request', 'question'") }}, cast(place as varchar)) as sample
            from {{ cells }} as sm_cells
        ) as sm_samples
    ) as sm_scores
    join {{ logs }} as sm_logs using (file)
{%- endmacro %}

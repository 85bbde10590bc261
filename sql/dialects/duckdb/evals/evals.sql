{#
  DuckDB: logs of evaluations in long form, a row for each score of a sample. The Python API alone reads them, in
  sqlmetrics/evals. One file for each tool; `logs` is a relation of the files: `file`, `name` (of the model, where
  the caller gives one), `stem` (of the file), `model` and `task` where they stand beside the log, `header`, the text of
  a document, and `source`, what DuckDB opens.
#}

{#
  The rows of logs of one form, with the columns of `read_evals`, `part`, which tells the scores of a sample by one
  scorer apart where a tool gives several, and `problem`: why a row cannot be used.

  Args:
    form: the tool that wrote the logs
    logs: the relation of the files
    objects: a relation of `file` and `json`, the JSON objects of the files; none for what is whole in `header`
#}
{% macro duckdb__sql_evals(form, logs, objects=none) -%}
{%- set readers = {
    'inspect': sqlmetrics.duckdb__sql_evals_of_inspect,
    'promptfoo': sqlmetrics.duckdb__sql_evals_of_promptfoo,
    'deepeval': sqlmetrics.duckdb__sql_evals_of_deepeval,
    'lm_eval': sqlmetrics.duckdb__sql_evals_of_lm_eval,
    'openai': sqlmetrics.duckdb__sql_evals_of_openai,
    'mlflow': sqlmetrics.duckdb__sql_evals_of_mlflow,
    'mlflow_split': sqlmetrics.duckdb__sql_evals_of_mlflow_split,
    'langfuse': sqlmetrics.duckdb__sql_evals_of_langfuse,
    'rows': sqlmetrics.duckdb__sql_evals_of_rows,
} -%}
select
    coalesce(name, model, stem) as model,
    cast(task as varchar) as task,
    cast(sample as varchar) as sample,
    coalesce(cast(epoch as bigint), 1) as epoch,
    cast(scorer as varchar) as scorer,
    {{ sqlmetrics.duckdb__sql_eval_value('value') }} as value,
    case when try_cast(value as double) is null and lower(value) not in ('true', 'false') then value end as label,
    cast(answer as varchar) as answer,
    cast(scored_by as varchar) as scored_by,
    try_cast(cost as double) as cost,
    try_cast(latency as double) as latency,
    try_cast(tokens as bigint) as tokens,
    cast(metadata as varchar) as metadata,
    file as log,
    cast(part as varchar) as part,
    coalesce(problem, case when sample is null then 'a score names no sample' end) as problem
from (
    {{- readers[form](logs) if objects is none else readers[form](logs, objects) }}
) as sm_rows
{%- endmacro %}

{# The samples of a table of `read_evals` whose score is no number, with its word if it is one; where: of some rows. #}
{% macro duckdb__sql_evals_without_number(evals, where=none) -%}
select distinct sample, model, scorer, label from {{ evals }}
where value is null
    {%- if where is not none %}
    and ({{ where }}
    )
    {%- endif %}
order by all
{%- endmacro %}

{# A score, as text, as a number: true is 1, false is 0; NULL for a word and for NaN. #}
{% macro duckdb__sql_eval_value(x) -%}
case
        when isfinite(try_cast({{ x }} as double)) then try_cast({{ x }} as double)
        when lower({{ x }}) = 'true' then 1.0
        when lower({{ x }}) = 'false' then 0.0
    end
{%- endmacro %}

{#
  The JSON objects of files: `file` and `json`.

  Args:
    files: the files that DuckDB opens, the column `source` of `logs`
    container: json, an array or a page in a header; array, in a file; lines, csv or parquet
#}
{% macro duckdb__sql_eval_objects(files, container, logs) -%}
    {%- set listed = sqlmetrics.duckdb__sql_texts(files) -%}
    {%- if container == 'json' -%}
(select file, unnest(cast(case when left(ltrim(header), 1) = '[' then header else header -> '$.data' end as json[]))
            as json from {{ logs }} as sm_logs)
    {%- else -%}
        {%- set rows = {
            'array': "read_json_objects({}, format = 'array', filename = true)",
            'lines': 'read_ndjson_objects({}, filename = true)',
            'csv': 'read_csv({}, filename = true, all_varchar = true, union_by_name = true)',
            'parquet': 'read_parquet({}, filename = true, union_by_name = true)',
        }[container].format(listed) -%}
(select sm_logs.file, sm_opened.json
            from (
                select filename, {{ 'to_json(sm_row)' if container in ('csv', 'parquet') else 'json' }} as json
                from {{ rows }} as sm_row
            ) as sm_opened
            join {{ logs }} as sm_logs on sm_logs.source = sm_opened.filename)
    {%- endif -%}
{%- endmacro %}

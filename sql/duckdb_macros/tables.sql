{#
  Metrics and curves as table macros of a shell: the whole statement, over a relation whose name is an
  argument, like the names of its columns. Slices (`by`, `by2`) are a separate form, which DuckDB chooses by the
  arguments that are given.
#}

{#
  The statement that creates the table macro of a metric over lists or score levels; empty for others, for
  which an aggregate macro is enough.
#}
{% macro shell_table(metric, schema) -%}
    {%- set lists = 'list_sums' in metric['grains'] -%}
    {%- if not (lists or 'levels' in metric['grains'])
        or metric['grains'] | select('in', ['subtopics', 'classes', 'examples']) | list
        or metric['macro'] == 'metric_top_k_accuracy' -%}
        {%- do return('') -%}
    {%- endif -%}
    {%- set name = metric['macro'] | replace('metric_', '', 1) -%}
    {%- set forms = [] -%}
    {%- for more in ([], ['by', 'by2']) -%}
        {%- set shell = sqlmetrics.shell_plan_of(metric, name, raises=true) -%}
        {%- set columns = ['label', 'score'] + (['group'] if lists else []) + more -%}
        {%- set plan = sqlmetrics.plan(
            {name: sqlmetrics.shell_notation(metric, shell)}, sqlmetrics.question_of_shell(shell),
            max_grade='max_grade', examples=false, **sqlmetrics.shell_relation(columns, shell)
        ) -%}
        {%- set max_grade = ['max_grade'] if sqlmetrics.shell_reads_max_grade(plan) else [] -%}
        {%- do forms.append(sqlmetrics.shell_form(
            plan, sqlmetrics.shell_example_label(plan), columns, max_grade + sqlmetrics.shell_options(shell)
        )) -%}
    {%- endfor -%}
    {{- sqlmetrics.shell_table_macro(name, forms, schema, metric) -}}
{%- endmacro %}

{# The statement that creates the table macro of a curve. #}
{% macro shell_curve(curve, schema) -%}
    {%- set name = curve['name'] ~ '_curve' -%}
    {%- set forms = [] -%}
    {%- for more in ([], ['by', 'by2']) -%}
        {%- set shell = sqlmetrics.shell_plan_of(curve, name, raises=true) -%}
        {%- set columns = ['label', 'score'] + shell['columns'] + more -%}
        {%- set named = [] -%}
        {%- for column in shell['columns'] -%}{%- do named.append(column ~ '=sm_given_' ~ column) -%}{%- endfor -%}
        {%- set notation = curve['name'] ~ ('(' ~ named | join(', ') ~ ')' if named else '') -%}
        {%- set plan = sqlmetrics.curve_plan(
            notation, sqlmetrics.question_of_shell(shell, sqlmetrics.question_of_points()),
            **sqlmetrics.shell_relation(columns, shell)
        ) -%}
        {%- do forms.append(sqlmetrics.shell_form(plan, 'clicked', columns)) -%}
    {%- endfor -%}
    {{- sqlmetrics.shell_table_macro(name, forms, schema, curve) -}}
{%- endmacro %}

{#
  The statement that creates `evaluate`: a fixed set of metrics of rows and levels and, if lists are named, of
  lists.
#}
{% macro shell_evaluate(schema) -%}
    {%- set forms = [] -%}
    {%- set rows = ['auc', 'average_precision', 'ks', 'log_loss', 'brier', 'base_rate'] -%}
    {%- set lists = ['gauc', 'ndcg@10', 'map@10', 'mrr', 'hit_rate@10', 'precision@10', 'recall@10'] -%}
    {%- for more in ([], ['group'], ['group', 'by', 'by2']) -%}
        {%- set shell = {'name': 'evaluate', 'arguments': {}, 'raises': false, 'steps': false} -%}
        {%- set columns = ['label', 'score'] + more -%}
        {%- set plan = sqlmetrics.plan(
            rows + (lists if more else []), sqlmetrics.question_of_shell(shell),
            **sqlmetrics.shell_relation(columns, shell)
        ) -%}
        {%- do forms.append(sqlmetrics.shell_form(plan, 'clicked', columns)) -%}
    {%- endfor -%}
    {{- sqlmetrics.shell_table_macro('evaluate', forms, schema, {
        'summary': 'The metrics ' ~ rows | join(', ') ~ ' and, where group names the lists, ' ~ lists | join(', ')
            ~ '; null where the data are not what a metric takes, as rows_not_binary and rows_not_probability count',
            'doc': '', 'grains': [],
    }) -}}
{%- endmacro %}

{#
  A form of a table macro. The form with slices takes one or two columns of them: a form of its own for two would make
  the file longer by a third. Without by2 the second column is NULL in every row, and the result leaves it out.

  Args:
    label: the column of the label in the example
    columns: the roles that are arguments
    options: the other arguments, with defaults
#}
{% macro shell_form(plan, label, columns, options=[]) -%}
    {%- set statement, two = sqlmetrics.bare_statement(plan) | trim, 'by2' in columns -%}
    {%- if two -%}
        {%- set statement = "select columns(lambda sm_column: sm_column <> 'slice2' or by2 is not null)\nfrom (\n"
            ~ statement ~ '\n) as sm_sliced_twice' -%}
    {%- endif -%}
    {%- do return({
        'label': label, 'statement': statement,
        'arguments': columns | reject('equalto', 'by2') | list + options + (['by2 := null'] if two else []),
    }) -%}
{%- endmacro %}

{#
  The facts of a plan over a relation and columns that are arguments. A field of a struct is found whatever
  its case, and an unknown name is an error that names it. Without by2 the name is the label, since DuckDB looks
  for the field before it drops the case; a NULL of its type, a number, is grouped faster than a text.
#}
{% macro shell_relation(columns, shell) -%}
    {%- set fields, facts, slices = [], {}, [] -%}
    {%- for role in columns -%}
        {%- set name = 'coalesce(by2, label)' if role == 'by2' else sqlmetrics.shell_argument(role) -%}
        {%- set field = 'struct_extract(sm_row, ' ~ name ~ ')' -%}
        {%- if role == 'by2' -%}{%- set field = 'case when by2 is not null then ' ~ field ~ ' end' -%}{%- endif -%}
        {%- do fields.append(field ~ ' as sm_given_' ~ role) -%}
        {%- if role in ('by', 'by2') -%}
            {%- set slice = role | replace('by', 'slice') -%}
            {%- do slices.append({'sql': 'sm_given_' ~ role, 'alias': slice, 'name': slice}) -%}
        {%- elif role not in shell.get('columns', []) -%}
            {%- do facts.update({role: 'sm_given_' ~ role}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if slices -%}{%- do facts.update({'by': slices}) -%}{%- endif -%}
    {%- do return(dict(
        facts, relation='(select ' ~ fields | join(', ') ~ ' from query_table(data) as sm_row)', read_once=false
    )) -%}
{%- endmacro %}

{# The name of an argument; some differ because SQL reserves the word. #}
{% macro shell_argument(name) -%}{{ sqlmetrics.sql_quote(name) if name in ('group', 'by') else name }}{%- endmacro %}

{# The statement that creates a table macro from its forms. #}
{% macro shell_table_macro(name, forms, schema, entry) -%}
    {%- set written = [] -%}
    {%- for form in forms -%}
        {%- set arguments = [] -%}
        {%- for argument in ['data'] + form['arguments'] -%}
            {%- do arguments.append(sqlmetrics.shell_argument(argument)) -%}
        {%- endfor -%}
        {%- do written.append('(' ~ arguments | join(', ') ~ ') as table (\n' ~ form['statement'] | trim ~ '\n)') -%}
    {%- endfor -%}
    {{- sqlmetrics.shell_comment(entry, name, forms[0]['arguments'], 'table', forms[0]['label']) }}
create or replace macro {{ schema }}{{ name }}{{ written | join(',\n') }};
{{ sqlmetrics.shell_comment_on('macro table ' ~ schema ~ name, entry) }}
{%- endmacro %}

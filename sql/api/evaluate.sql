{#
  Any number of metrics over one or two relations, by slice and in total, in one statement.

  Args:
    relation: a table or CTE name, a dbt relation, or a query
    metrics: a list of notations (`auc`, `ndcg@10`, `precision(threshold=0.3)`), or a mapping of column names
      to notations
    label: the truth of a row: 0/1, a boolean, a grade, a number to predict, or a text (see `positive`). This
      and other columns are SQL: a name or an expression
    score: the score of a model, higher means more relevant; or a mapping of model names to columns, which
      gives one row for each model. A model with rows elsewhere is a mapping of sql (the column) and relation
    group: the list (query, user, session) that a row belongs to
    item: the listed item; joins `truth`. With it, an item that occurs twice in a list is counted and makes
      list metrics null
    weight: the weight of a row, >= 0; for list metrics the weight of the list, the same in all its rows
    by: the columns whose values are the slices, one or a list; an expression with a name is a mapping of sql
      and alias
    total: true adds a row for all slices together (`is_total`)
    truth: a relation of group, item and label: the relevant items, listed or not. The first relation then has
      no label
    truth_by: the columns of `by` that the truth has; each of its groups is expected in every value of the
      others
    subtopic: a column of the truth, which then has a row for each group, item and subtopic; an item is
      relevant if it is relevant for any subtopic
    prediction: the column of the predicted class, for the metrics of classes
    catalog: a relation of the items that could be recommended
    history: a relation of group and item, the past interactions
    distances: a relation of item_a, item_b and distance
    category: a column of the catalog
    max_grade: the highest grade of the scale
    positive: the least label of a positive row and of a relevant item; for a text label, the positive text
    ties: the rank of tied scores in a list: average (the default), worst, best, item or item desc
    convention: the library whose definitions are the defaults, such as trec_eval (see plan/conventions.sql)
    on_extra: treatment of a list without truth: drop (left out and counted) or error (counted, and the
      metrics are null)
    on_duplicate: treatment of an item that a list has twice: error (counted, and list metrics are null), or
      first (its best-ranked row is kept, the others are counted)
    unjudged: treatment of an unjudged item: not_relevant or drop (left out and counted), see
      plan/policies.sql
    score_levels: sorted, or counted for scores with few distinct values (see stages/levels/levels.sql)
    read_once: true stores the relation instead of reading it in each stage; by default only a query is stored
    interval: a confidence level such as 0.95: adds <metric>_low and <metric>_high, null if there are too few
      data
    interval_method: exact (Clopper-Pearson, for shares), logit (for AUC) or bootstrap (for all), instead of
      the metric's default
    n_resamples: number of draws of a bootstrap, of lists (with group=) or rows; it costs about this many
      times as much as its metrics. There is no bootstrap, and so no interval, with subtopic=, for counts
      (count, tp ...) and max_error, and for user_coverage with a history
  Returns: a query with one row for each model and slice: the by columns, is_total, model, the audit counts,
    and one column for each metric
  Errors: everything that cannot be read or computed, in one sentence; broken data give null metrics and a
    count
  Example: {{ sqlmetrics.evaluate(ref('predictions'), ['auc', 'ndcg@10'], label='clicked', score='score',
    group='user_id') }}
#}
{% macro evaluate(relation, metrics) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.plan(metrics, relation=relation, **kwargs)) -}}
{%- endmacro %}

{# The query of a plan: only the stages that its metrics need. #}
{% macro statement_of(plan) -%}
{%- if plan['state'] == 'made' -%}{%- do return(sqlmetrics.state_statement(plan)) -%}{%- endif -%}
{{ sqlmetrics.query(plan) if not plan['resampled'] else sqlmetrics.bootstrapped_comparison(plan) if plan['compared'] is not none else sqlmetrics.resampled_query(plan) }}
{{- sqlmetrics.order_of_result(plan, 'sm_row_sums') if not plan['resampled'] and plan['per_list'] is none and plan['compared'] is none }}{{ sqlmetrics.sql_tail() }}
{%- endmacro %}

{# The stages of a plan and its result, without an order by. #}
{% macro query(plan) -%}
{%- set stages = [] -%}
{%- set lists = sqlmetrics.reads_lists(plan) -%}
{%- if plan['per_list'] is not none -%}{%- do sqlmetrics.describe_lists(plan) -%}{%- endif -%}
{%- if lists -%}
    {%- do sqlmetrics.audit_lists(plan) -%}
{%- elif plan['over_items'] -%}
    {%- do sqlmetrics.audit_items(plan) -%}
{%- endif -%}
{%- do stages.extend(sqlmetrics.stages_of_input(plan)) -%}
{%- set levels = sqlmetrics.stages_of_levels(plan) -%}
{%- do stages.append(sqlmetrics.stage_row_sums(plan)) -%}
{%- for grain in ('label_quantiles', 'error_quantiles') if plan[grain] -%}{%- do stages.append(sqlmetrics.stage_quantiles(plan, grain)) -%}{%- endfor -%}
{%- if plan['second_pass'] -%}{%- do stages.append(sqlmetrics.stage_second_pass(plan)) -%}{%- endif -%}
{%- if plan['ranks'] -%}{%- do stages.append(sqlmetrics.stage_ranks(plan)) -%}{%- endif -%}
{%- do stages.extend(levels) -%}
{%- if plan['points'] -%}{%- do stages.append(plan['points']) -%}{%- endif -%}
{%- if lists -%}{%- do stages.extend(sqlmetrics.stages_of_lists(plan)) -%}{%- endif -%}
{%- if plan['list_deviations'] -%}{%- do stages.extend(sqlmetrics.stages_of_list_spreads(plan)) -%}{%- endif -%}
{%- if plan['row_deviations'] -%}{%- do stages.extend(sqlmetrics.stages_of_row_spreads(plan)) -%}{%- endif -%}
{%- if plan['group_sums'] -%}{%- do stages.extend(sqlmetrics.stages_of_groups(plan)) -%}{%- endif -%}
{%- if plan['cluster_deviations'] -%}{%- do stages.extend(sqlmetrics.stages_of_clusters(plan)) -%}{%- endif -%}
{%- if plan['over_items'] -%}{%- do stages.extend(sqlmetrics.stages_of_items(plan)) -%}{%- endif -%}
{%- if plan['classes'] -%}
    {%- do sqlmetrics.audit_classes(plan) -%}
    {%- do stages.append(sqlmetrics.stage_classes(plan)) -%}
{%- endif -%}
{%- if plan['areas'] -%}{%- do stages.append(sqlmetrics.stage_class_areas(plan)) -%}{%- endif -%}
{%- for stage in plan['critical_values'] -%}{%- do stages.append(sqlmetrics.stage_critical_values(plan, stage)) -%}{%- endfor -%}
{%- if plan['exact_shares'] -%}{%- do stages.extend(sqlmetrics.stages_of_exact_ends(plan)) -%}{%- endif -%}
{%- if plan['counts_units'] -%}{%- do stages.append(sqlmetrics.stage_counted_units(plan)) -%}{%- endif -%}
{{- sqlmetrics.note_columns(plan) -}}
{%- if plan['per_list'] is not none -%}{%- do stages.append(sqlmetrics.stage_counts(plan)) -%}{%- endif -%}
{%- if plan['compared'] is not none -%}{%- do stages.extend(sqlmetrics.stages_of_comparison(plan)) -%}{%- endif -%}
with

{{ stages | join(',\n\n') }}

{{ sqlmetrics.result_per_group(plan) if plan['per_list'] is not none else sqlmetrics.result_of_comparison(plan) if plan['compared'] is not none else sqlmetrics.result(plan) }}
{%- endmacro %}

{# True if lists are ranked. #}
{% macro reads_lists(plan) -%}{%- do return(plan['list_sums'] | length > 0 or plan['per_list'] is not none) -%}{%- endmacro %}

{# The rows, typed, marked and sliced. #}
{% macro stages_of_input(plan) -%}
    {%- set stages = [] if sqlmetrics.shares_source(plan) else sqlmetrics.stages_of_source(plan) -%}
    {%- if plan['state'] == 'read' -%}{%- do return(stages + sqlmetrics.stages_of_state(plan)) -%}{%- endif -%}
    {%- if plan['truth'] is not none -%}
        {%- do stages.append(sqlmetrics.stage_given_with_truth(plan)) -%}
    {%- else -%}
        {%- do stages.append(sqlmetrics.stage_given(plan)) -%}
    {%- endif -%}
    {%- if plan['runs'] -%}
        {%- do stages.append(sqlmetrics.stage_slices_of_runs(plan)) -%}
    {%- elif plan['by'] -%}
        {%- do stages.append(sqlmetrics.stage_slices(plan, 'sm_given')) -%}
    {%- endif -%}
    {%- do stages.append(sqlmetrics.stage_rows(plan)) -%}
    {%- if plan['by'] -%}{%- do stages.append(sqlmetrics.stage_sliced(plan)) -%}{%- endif -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# The stages from rows to lists, and to sums over lists. #}
{% macro stages_of_lists(plan) -%}
    {%- if plan['state'] == 'read' -%}{%- do return([sqlmetrics.stage_merged_list_sums(plan)]) -%}{%- endif -%}
    {%- if sqlmetrics.lists_are_by_rank(plan) -%}{%- do return(sqlmetrics.stages_of_lists_by_rank(plan)) -%}{%- endif -%}
    {%- set stages = [] -%}
    {%- if plan['on_duplicate'] == 'first' -%}{%- do stages.append(sqlmetrics.stage_unique(plan)) -%}{%- endif -%}
    {%- do stages.append(sqlmetrics.stage_grades(plan)) -%}
    {%- if plan['cutoffs'] -%}{%- do stages.append(sqlmetrics.stage_positions(plan)) -%}{%- endif -%}
    {%- if plan['flags'].get('ideal') -%}{%- do stages.append(sqlmetrics.stage_ideal(plan)) -%}{%- endif -%}
    {%- do stages.append(sqlmetrics.stage_grade_sums(plan)) -%}
    {%- if plan['flags'].get('cumulative_gains') -%}{%- do stages.append(sqlmetrics.stage_ideal_gains(plan)) -%}{%- endif -%}
    {%- do stages.append(sqlmetrics.stage_ranked(plan)) -%}
    {%- do stages.append(sqlmetrics.stage_gaining_items(plan)) -%}
    {%- do stages.append(sqlmetrics.stage_item_sums(plan)) -%}
    {%- if plan['hits'] -%}{%- do stages.append(sqlmetrics.stage_hits(plan)) -%}{%- endif -%}
    {%- if plan['subtopics'] -%}{%- do stages.append(sqlmetrics.stages_of_subtopics(plan)) -%}{%- endif -%}
    {%- if plan['item'] is not none -%}{%- do stages.append(sqlmetrics.stage_duplicates(plan)) -%}{%- endif -%}
    {%- do stages.append(sqlmetrics.stage_lists(plan)) -%}
    {%- do stages.append(sqlmetrics.stage_list_sums(plan)) -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# The names of the columns of the result. #}
{% macro note_columns(plan) -%}
    {%- do plan.update({'counts': sqlmetrics.counts(plan)}) -%}
    {%- for role in ('label', 'prediction', 'score', 'weight', 'group', 'item', 'subtopic', 'period') if 'rows_bad_' ~ role in plan['counts'] -%}
        {%- do plan['bad_rows'].update({'rows_bad_' ~ role: role}) -%}
    {%- endfor -%}
    {%- do plan['names'].extend(plan['by'] | map(attribute='name') | list + (['model'] if 'sm_model' in plan['keys'] and plan['compared'] is none else [])) -%}
    {%- if plan['state'] == 'made' -%}
        {%- do plan['names'].extend([plan['period']['name']] + sqlmetrics.columns_of_state(plan)) -%}
    {%- else -%}
        {%- do plan['names'].extend(plan['counts'] | list + plan['results'] | map(attribute='name') | list + plan['lists'] | list
            + (['is_total'] if plan['total'] else [])) -%}
    {%- endif -%}
    {{- sqlmetrics.check_names(plan) -}}
{%- endmacro %}

{# Rejects two result columns with the same name. The column is_total marks the row of the total. #}
{% macro check_names(plan) -%}
    {%- set seen = [] if plan['total'] else ['is_total'] -%}
    {%- for name in plan['names'] -%}
        {%- if name | lower in seen -%}
            {{- sqlmetrics.refuse("Two result columns would be named '" ~ name ~ "'; pass a mapping of other names to metrics, or rename the column of by=") -}}
        {%- endif -%}
        {%- do seen.append(name | lower) -%}
    {%- endfor -%}
{%- endmacro %}

{# The audit counts of lists. #}
{% macro audit_lists(plan) -%}
    {%- do sqlmetrics.listed_of_list(plan) -%}
    {%- set audited = {'n_groups': '1', 'groups_empty': 'case when ' ~ sqlmetrics.relevant_of_list(plan) ~ ' = 0 then 1 else 0 end'} -%}
    {%- if plan['flags'].get('single_class') -%}
        {%- do audited.update({'groups_single_class': 'case when ' ~ plan['flags']['single_class'] ~ ' then 1 else 0 end'}) -%}
    {%- endif -%}
    {%- if plan['truth'] is not none -%}
        {%- do audited.update({'groups_missing': 'case when ' ~ sqlmetrics.listed_of_list(plan) ~ ' = 0 then 1 else 0 end'}) -%}
    {%- endif -%}
    {%- if plan['flags'].get('unjudged_ranked') -%}
        {%- do audited.update({'n_unjudged': sqlmetrics.need(plan, 'grade_sums', 'unjudged_listed', 'sm_n_unjudged')}) -%}
    {%- endif -%}
    {%- if plan['ties'] == 'average' -%}
        {%- set adds = ' and (' ~ sqlmetrics.adds_to_list(plan) ~ ')' if plan['flags'].get('tied_rows') or plan['flags'].get('unjudged_ranked') or sqlmetrics.lists_are_by_rank(plan) else '' -%}
        {%- set tied = sqlmetrics.need(plan, 'item_sums', 'tied', 'case when sm_tie_first < sm_tie_last' ~ adds ~ ' then 1 else 0 end', 'max') -%}
        {%- do audited.update({'groups_tied': 'case when ' ~ tied ~ ' = 1 then 1 else 0 end'}) -%}
    {%- endif -%}
    {%- for name, inner in audited.items() -%}
        {%- do plan['audit'].update({name: sqlmetrics.need(plan, 'list_sums', name, inner)}) -%}
    {%- endfor -%}
    {%- if plan['on_duplicate'] == 'first' -%}
        {%- do plan['audit'].update({'rows_duplicate': sqlmetrics.need(plan, 'list_sums', 'rows_duplicate', 'sm_duplicate_rows')}) -%}
    {%- elif plan['item'] is not none -%}
        {%- do plan['checks'].update({sqlmetrics.need(plan, 'list_sums', 'rows_duplicate', 'sm_duplicate_rows'): sqlmetrics.check_of_repeats(plan)}) -%}
    {%- endif -%}
{%- endmacro %}

{# The check that no list contains an item twice. #}
{% macro check_of_repeats(plan) -%}
    {%- set message = 'rows repeat an item of their group' ~ (' in the data or in the truth' if plan['truth'] is not none)
        ~ '; a list has each item once' ~ (' (on_duplicate=first keeps the best-ranked)' if not plan['over_items'])
        ~ ('. The row for all of them takes the values of by= together; pass total=False' if plan['runs'] and plan['total']) -%}
    {%- do return({'name': 'rows_duplicate', 'message': message, 'value': none}) -%}
{%- endmacro %}

{#
  The last select: by columns, audit counts, metrics; for replicates the metrics only. Resampled metrics are
  not part of it (inference/bootstrap.sql).
#}
{% macro result(plan) -%}
{%- set columns = sqlmetrics.slice_keys(plan, 'sm_row_sums.') if plan['resampled'] or plan['replicates'] is not none else [] -%}
{%- if plan['replicates'] is none -%}
    {%- for column in plan['by'] -%}{%- do columns.append('sm_slices.' ~ column['column'] ~ ' as ' ~ column['alias']) -%}{%- endfor -%}
    {%- if plan['total'] -%}{%- do columns.append('case when sm_row_sums.sm_slice = 0 then 1 else 0 end as is_total') -%}{%- endif -%}
    {%- if 'sm_model' in plan['keys'] -%}
        {%- do columns.append(sqlmetrics.model_name(plan, 'sm_row_sums') ~ ' as model') -%}
    {%- endif -%}
    {%- for name, column in plan['counts'].items() -%}
        {%- do columns.append(sqlmetrics.sql_integer('coalesce(' ~ column ~ ', 0)') ~ ' as ' ~ name) -%}
    {%- endfor -%}
{%- endif -%}
{%- if plan['counts_units'] -%}{%- do columns.extend(['sm_n_units', 'sm_n_of_all']) -%}{%- endif -%}
{%- for result in plan['results'] if result.get('kind') != 'bootstrap' -%}
    {%- do columns.append(sqlmetrics.result_column(plan, result)) -%}
{%- endfor -%}
{%- for check in plan['checks'].values() if check['value'] is not none -%}
    {%- do columns.append(check['value'] ~ ' as ' ~ check['value']) -%}
{%- endfor -%}
select
    {{- sqlmetrics.lines(columns, 4) }}
from sm_row_sums
{%- if plan['by'] and plan['replicates'] is none %}
left join sm_slices on sm_row_sums.sm_slice = sm_slices.sm_slice
{%- endif %}
{{- sqlmetrics.joined_sums(plan) }}
{%- endmacro %}

{# The joins to sm_row_sums of all sums that metrics read. #}
{% macro joined_sums(plan) -%}
{%- for grain, stage in [
    ('second_pass', 'sm_second_pass'), ('label_quantiles', 'sm_label_quantiles'), ('error_quantiles', 'sm_error_quantiles'), ('ranks', 'sm_rank_sums'),
    ('list_sums', 'sm_list_sums'), ('list_spreads', 'sm_list_spreads'), ('row_spreads', 'sm_row_spreads'),
    ('group_spreads', 'sm_group_spreads'), ('cluster_spreads', 'sm_cluster_spreads'), ('classes', 'sm_class_sums'), ('cells', 'sm_cell_sums'), ('scored', 'sm_example_sums'), ('areas', 'sm_area_sums'),
    ('points', 'sm_points'),
    ('top_lists', 'sm_top_list_sums'), ('exposures', 'sm_exposure_sums'), ('users', 'sm_user_sums'), ('repeated', 'sm_repeat_sums'),
] + sqlmetrics.sums_of_levels(plan) if plan[grain] %}
{{ sqlmetrics.join_sums(plan, 'sm_row_sums', stage) if grain != 'points' else 'left join ' ~ stage ~ ' on ' ~ sqlmetrics.same_slice(plan, 'sm_row_sums', stage) }}
{%- endfor %}
{%- if plan['counts_units'] %}
{{ sqlmetrics.join_sums(plan, 'sm_row_sums', 'sm_counted_units') }}
{%- endif %}
{%- for stage in ('sm_discordant_sums', 'sm_auc_spreads') if plan['flags'].get('discordant') %}
{{ sqlmetrics.join_sums(plan, 'sm_row_sums', stage) }}
{%- endfor %}
{%- for stage in plan['critical_values'] %}
{{ sqlmetrics.join_sums(plan, 'sm_row_sums', stage ~ '_critical') }}
{%- endfor %}
{%- if plan['exact_shares'] %}
{{ sqlmetrics.join_sums(plan, 'sm_row_sums', 'sm_exact_ends') }}
{%- endif %}
{%- for grain, stage in (('catalog_items', 'sm_catalog_sums'), ('interactions', 'sm_history_sums')) if plan[grain] %}
cross join {{ stage }}
{%- endfor %}
{%- endmacro %}

{# The order of the rows of the result, by the keys that a stage has. #}
{% macro order_of_result(plan, stage) -%}
{%- set slice = stage ~ '.sm_slice' -%}
{%- set order = (['case when ' ~ slice ~ ' = 0 then 1 else 0 end asc', slice ~ ' asc'] if plan['by'] else [])
    + ([stage ~ '.sm_model asc'] if 'sm_model' in plan['keys'] else []) + plan['point_order'] %}
{%- if order %}
order by {{ order | join(', ') }}
{%- endif %}
{%- endmacro %}

{# The name of a model, from its number in a column of a stage. #}
{% macro model_name(plan, stage, column='sm_model') -%}
    {%- set names = [] -%}
    {%- for model in plan['models'] -%}{%- do names.append('when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_text(model['name'])) -%}{%- endfor -%}
    case {{ stage }}.{{ column }} {{ names | join(' ') }} end
{%- endmacro %}

{# A metric as a result column; its name is quoted, because some names are SQL keywords. #}
{% macro result_column(plan, result) -%}
    {%- set value = result['value'] -%}
    {%- if not result.get('any_type') -%}
        {%- set value = sqlmetrics.sql_integer(value) if result.get('integer') else sqlmetrics.sql_double(value) -%}
    {%- endif -%}
    {{ value }} as {{ sqlmetrics.sql_result(result['name']) }}
{%- endmacro %}

{# The audit counts: result column -> the sum that holds it. #}
{% macro counts(plan) -%}
    {%- set bad = sqlmetrics.problem_columns(plan) | reject('in', ['sm_rows_without_truth', 'sm_rows_unjudged']) | list -%}
    {%- set counts = {'n_rows': 'sm_n_predicted' if plan['truth'] is not none else 'sm_n_rows', 'rows_dropped': bad | join(' + ') or '0'} -%}
    {%- for name in sqlmetrics.problems(plan) -%}{%- do counts.update({name: 'sm_' ~ name}) -%}{%- endfor -%}
    {%- for name, column in plan['audit'].items() -%}{%- do counts.update({name: column}) -%}{%- endfor -%}
    {%- for column, check in plan['checks'].items() -%}{%- do counts.update({check['name']: column}) -%}{%- endfor -%}
    {%- do return(counts) -%}
{%- endmacro %}

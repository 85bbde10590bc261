{# From a plan to its statement: the stages that its metrics need, then the result. #}

{# The statement of a plan, below lines that say how it was made and what was asked. #}
{% macro statement_of(plan) -%}{{ sqlmetrics.stamped(plan, sqlmetrics.bare_statement(plan)) }}{%- endmacro %}

{#
  The statement of a plan over files that an engine has stored as tables, twice: as `text`, whose first stages read the
  files, so that it runs by itself; and as it is `asked` of the tables.

  Args:
    files: the queries of the files, by the names of their tables.
#}
{% macro statement_over_files(plan, files) -%}
    {%- set asked, read = sqlmetrics.stages_of_statement(plan), [] -%}
    {%- for table, query in files.items() -%}
        {%- set name = '-- a file, with the types of its columns\n' ~ table -%}
        {%- do read.append(name ~ ' as' ~ sqlmetrics.sql_cte_materialized() ~ ' ' ~ query) -%}
    {%- endfor -%}
    {%- set head = sqlmetrics.sql_with() ~ '\n\n' -%}
    {%- set whole = head ~ (read + [asked]) | join(',\n\n') -%}
    {%- set text = sqlmetrics.stamped(plan, whole) -%}
    {%- do return({
        'text': text, 'asked': sqlmetrics.stamped(plan, head ~ asked, whole=whole) if files else text,
    }) -%}
{%- endmacro %}

{#
  A statement below a comment with the version of the package and the hash of the statement, and the head (head.sql). A
  part of a `whole` statement gets the hash of the whole. In the logs of an engine, statements with the same hash are
  the same. A state records the line, too: sm_made_by stands for it until now.
#}
{% macro stamped(plan, statement, whole=none) -%}
    {%- set hash = local_md5(whole or statement)[:12] -%}
    {%- set stamp = 'sqlmetrics ' ~ sqlmetrics.package_version() ~ ', statement ' ~ hash -%}
    {{- '-- ' ~ stamp ~ '\n' ~ sqlmetrics.head_of(plan) ~ statement.replace("'sm_made_by'", "'" ~ stamp ~ "'") -}}
{%- endmacro %}

{# The version of the package. #}
{% macro package_version() -%}1.0.0rc1{%- endmacro %}

{# The statement of a plan without that line, to be put into another statement. #}
{% macro bare_statement(plan) -%}
{{ sqlmetrics.sql_with() }}

{{ sqlmetrics.stages_of_statement(plan) }}
{%- endmacro %}

{# The stages of a statement after the word with, and what it selects from them. #}
{% macro stages_of_statement(plan) -%}
{%- set question = plan['question'] -%}
{%- if plan['resampled'] -%}
    {{- question['resampled'](plan) -}}
{%- else -%}
    {{- question['query'](plan) -}}
    {{- sqlmetrics.order_of_result(plan, question['order']) if question['order'] -}}
{%- endif -%}
{{ sqlmetrics.sql_tail() }}
{%- endmacro %}

{# The stages of a plan after the word with, and its result, without an order. #}
{% macro query(plan) -%}
{{- sqlmetrics.audit_units(plan) -}}
{%- set first = plan['question']['stages_before'] -%}
{%- set stages = (first(plan) if first else []) + sqlmetrics.stages_of_input(plan) -%}
{#- later stages may need sums over rows; their stage is written when all have asked -#}
{%- set later = sqlmetrics.stages_after_row_sums(plan) -%}
{%- if plan['question']['sums'] -%}{%- do stages.append(sqlmetrics.stage_row_sums(plan)) -%}{%- endif -%}
{{- sqlmetrics.note_columns(plan) -}}
{%- do stages.extend(later) -%}
{%- if plan['question']['stages'] -%}{%- do stages.extend(plan['question']['stages'](plan)) -%}{%- endif -%}
{{- sqlmetrics.check_stages(stages) -}}
{{ stages | join(',\n\n') }}

{{ plan['question']['select'](plan) }}
{%- endmacro %}

{#
  Rejects stages of one name. Some engines take one of the two without a word. Of a text with several stages it sees the
  first, since the query of a user, which may be one of ours, stands among them.
#}
{% macro check_stages(stages) -%}
    {%- set found = {} -%}
    {%- for stage in stages -%}
        {%- set ns = namespace(name=none) -%}
        {%- for line in stage.strip().split('\n') if not line.startswith('--') -%}
            {%- set ns.name = ns.name or line.split(' ')[0] -%}
        {%- endfor -%}
        {%- if ns.name in found -%}
            {{- sqlmetrics.refuse("the stage " ~ ns.name ~ " is written twice; add it to the statement once") -}}
        {%- endif -%}
        {%- do found.update({ns.name: true}) -%}
    {%- endfor -%}
{%- endmacro %}

{#
  The stages of a statement after the sums over rows. What nothing needs is not called, so that its file is not loaded.
  One stage may need what a later one makes. A state ends at the stages whose sums no longer add up over periods.
#}
{% macro stages_after_row_sums(plan) -%}
    {%- set needs, stages = plan['needs'], [] -%}
    {%- if plan['question']['ends'] == 'sums' -%}
        {%- do stages.extend([sqlmetrics.stage_second_pass(plan)] if needs['second_pass'] else []) -%}
        {%- do stages.extend(sqlmetrics.stages_of_level_counts(plan) + sqlmetrics.stages_of_lists(plan)) -%}
        {%- do stages.extend(sqlmetrics.stages_of_list_spreads(plan) if needs['list_deviations'] else []) -%}
        {%- do stages.extend(sqlmetrics.stages_of_row_spreads(plan) if needs['row_deviations'] else []) -%}
        {%- do return(stages) -%}
    {%- endif -%}
    {%- do stages.extend(sqlmetrics.stages_of_quantiles(plan)) -%}
    {%- do stages.extend([sqlmetrics.stage_second_pass(plan)] if needs['second_pass'] else []) -%}
    {%- do stages.extend(sqlmetrics.stages_of_recalibration(plan) if needs['recalibration'] else []) -%}
    {%- do stages.extend(sqlmetrics.stages_of_ranks(plan) + sqlmetrics.stages_of_levels(plan)) -%}
    {%- do stages.extend(sqlmetrics.stages_of_precisions(plan) if needs['precisions'] else []) -%}
    {%- if needs['arms'] or plan['reads'].get('arm_points') -%}
        {%- do stages.extend(sqlmetrics.stages_of_arms(plan)) -%}
    {%- endif -%}
    {%- do stages.extend([plan['points']] if plan['points'] else []) -%}
    {%- do stages.extend(sqlmetrics.stages_of_lists(plan)) -%}
    {%- do stages.extend(sqlmetrics.stages_of_list_spreads(plan) if needs['list_deviations'] else []) -%}
    {%- do stages.extend(sqlmetrics.stages_of_row_spreads(plan) if needs['row_deviations'] else []) -%}
    {%- do stages.extend(sqlmetrics.stages_of_groups(plan) if needs['group_sums'] else []) -%}
    {%- do stages.extend(sqlmetrics.stages_of_clusters(plan) if needs['cluster_deviations'] else []) -%}
    {%- do stages.extend(sqlmetrics.stages_of_items(plan) if plan['over_items'] else []) -%}
    {%- do stages.extend([sqlmetrics.stage_classes(plan)] if needs['classes'] else []) -%}
    {%- if needs['class_areas'] or needs['examples'] or plan['class_bins'] -%}
        {%- do stages.extend(sqlmetrics.stages_of_class_areas(plan)) -%}
    {%- endif -%}
    {%- do stages.extend(sqlmetrics.stages_of_class_bins(plan) if plan['class_bins'] else []) -%}
    {%- do stages.extend(sqlmetrics.stages_of_set_sizes(plan) if plan['set_sizes'] else []) -%}
    {%- do stages.extend(sqlmetrics.stages_of_subsets(plan) if plan['subsets'] else []) -%}
    {%- do stages.extend(sqlmetrics.stages_of_critical_values(plan) if plan['critical_values'] else []) -%}
    {%- do stages.extend(sqlmetrics.stages_of_exact_ends(plan) if plan['exact_shares'] else []) -%}
    {%- do stages.extend([sqlmetrics.stage_counted_units(plan)] if plan['counts_units'] else []) -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# True if lists are ranked. #}
{% macro reads_lists(plan) -%}
    {%- do return(plan['needs']['list_sums'] | length > 0 or plan['question']['keeps'] == 'lists') -%}
{%- endmacro %}

{# The rows, typed, marked and sliced. #}
{% macro stages_of_input(plan) -%}
    {%- set stages = [] if sqlmetrics.shares_source(plan) else sqlmetrics.stages_of_source(plan) -%}
    {%- if plan['question']['reads'] == 'state' -%}
        {%- do return(stages + sqlmetrics.stages_of_state(plan)) -%}
    {%- endif -%}
    {%- do stages.append(
        sqlmetrics.stage_given_with_truth(plan) if plan['facts']['truth'] is not none else sqlmetrics.stage_given(plan)
    ) -%}
    {%- if plan['facts']['runs'] -%}
        {%- do stages.append(sqlmetrics.stage_slices_of_runs(plan)) -%}
    {%- elif plan['facts']['by'] -%}
        {%- do stages.append(sqlmetrics.stage_slices(plan, 'sm_given')) -%}
    {%- endif -%}
    {%- do stages.append(sqlmetrics.stage_rows(plan)) -%}
    {%- if plan['facts']['by'] -%}{%- do stages.append(sqlmetrics.stage_sliced(plan)) -%}{%- endif -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# From rows to lists, and to sums over lists. #}
{% macro stages_of_lists(plan) -%}
    {%- if not sqlmetrics.reads_lists(plan) -%}{%- do return([]) -%}{%- endif -%}
    {%- if plan['question']['reads'] == 'state' -%}
        {%- do return([sqlmetrics.stage_merged_list_sums(plan)]) -%}
    {%- endif -%}
    {%- if sqlmetrics.lists_are_by_rank(plan) -%}
        {%- do return(sqlmetrics.stages_of_lists_by_rank(plan)) -%}
    {%- endif -%}
    {#- the last rank of equal scores is found by the length of the list -#}
    {%- if sqlmetrics.ranks_blocks(plan) -%}{%- do sqlmetrics.listed_of_list(plan) -%}{%- endif -%}
    {%- set stages = [] -%}
    {%- if plan['facts']['on_duplicate'] == 'first' -%}
        {%- do stages.append(sqlmetrics.stage_unique(plan)) -%}
    {%- endif -%}
    {%- do stages.append(sqlmetrics.stage_grades(plan)) -%}
    {%- if sqlmetrics.positions_read(plan)['cutoffs'] -%}
        {%- do stages.append(sqlmetrics.stage_positions(plan)) -%}
    {%- endif -%}
    {%- if sqlmetrics.reads_ideal(plan) -%}{%- do stages.append(sqlmetrics.stage_ideal(plan)) -%}{%- endif -%}
    {%- do stages.append(sqlmetrics.stage_grade_sums(plan)) -%}
    {%- if plan['cumulative_gains'] -%}{%- do stages.append(sqlmetrics.stage_ideal_gains(plan)) -%}{%- endif -%}
    {%- do stages.extend([
        sqlmetrics.stage_ranked(plan), sqlmetrics.stage_gaining_items(plan), sqlmetrics.stage_item_sums(plan),
    ]) -%}
    {%- if plan['needs']['hits'] -%}{%- do stages.append(sqlmetrics.stage_hits(plan)) -%}{%- endif -%}
    {%- if plan['needs']['subtopics'] -%}{%- do stages.append(sqlmetrics.stages_of_subtopics(plan)) -%}{%- endif -%}
    {%- if plan['best_orders'] -%}{%- do stages.append(sqlmetrics.stages_of_best_items(plan)) -%}{%- endif -%}
    {%- for name, subset in plan['list_subsets'].items() -%}
        {%- do stages.append(sqlmetrics.stage_list_subsets(plan, name, subset)) -%}
    {%- endfor -%}
    {%- if sqlmetrics.counts_duplicates(plan) -%}
        {%- do stages.append(sqlmetrics.stage_duplicates(plan)) -%}
    {%- endif -%}
    {%- do return(stages + [sqlmetrics.stage_lists(plan)] + sqlmetrics.stages_of_list_sums(plan)) -%}
{%- endmacro %}

{# True if a plan is one of two that share the data they read. #}
{% macro shares_source(plan) -%}
    {%- do return((plan['resampled'] or plan['question']['draws'] is not none)
        and sqlmetrics.sql_sees_outer_stages()) -%}
{%- endmacro %}

{#
  A metric as an aggregate macro of a shell: an expression over native aggregates, usable with any GROUP BY.

  A metric over rows takes its sums as they are. One over score levels or ranked items gathers the rows of a group into a sorted list and
  computes on that, step by step: a step is `list_transform([...], lambda sm_step: ...)[1]`, which names a value for what follows, as a CTE would.
  What its sums are summed over are the same words as in the stages (stages/levels.sql, stages/ranked.sql).
#}

{#
  The statement that makes the aggregate macro of a metric; nothing for a metric of another shape.

  Args:
    metric: macro, name, notation, summary and parameters of the metric
    schema: where the macro is made, with a dot behind it, or nothing
#}
{% macro shell_aggregate(metric, schema) -%}
    {%- set name = sqlmetrics.shell_aggregate_name(metric) -%}
    {%- set places = {
        'rows': 'sm_all.', 'second_pass': 'sm_about_mean.', 'levels': 'sm_sums.', 'peaks': 'sm_peaks.',
        'grade_sums': 'sm_grade_sums.', 'item_sums': 'sm_gaining_items.', 'hits': 'sm_hits.', 'list_sums': '',
    } -%}
    {%- if name is none or metric['grains'] | reject('in', places) | list or metric['flags'] | select('in', ['cumulative_gains', 'unjudged']) | list -%}
        {%- do return('') -%}
    {%- endif -%}
    {%- set shell = sqlmetrics.shell_plan_of(metric, name, raises=true, places=places) -%}
    {%- set lists = 'list_sums' in metric['grains'] -%}
    {%- set plan = sqlmetrics.plan(
        {name: sqlmetrics.shell_notation(metric, shell)}, relation='data', label='label', score='score', group='data', max_grade='max_grade',
        per_list={'alias': 'data', 'name': 'data'} if lists else none, examples=true, shell=shell
    ) -%}
    {%- set columns = {'label': 'grade' if 'rows_negative_grade' in plan['checks'].values() | map(attribute='name') else 'label', 'score': 'score'} -%}
    {%- if not sqlmetrics.shell_reads_score(plan) -%}{%- do columns.pop('score') -%}{%- endif -%}
    {#- the ranks of the first relevant item are read by name -#}
    {%- set read = {} -%}
    {%- for column in plan['item_sums'] -%}{%- do read.update({column: places['item_sums'] ~ column}) -%}{%- endfor -%}
    {%- set body = sqlmetrics.subscripted(sqlmetrics.shell_steps(sqlmetrics.shell_steps_of(plan, columns), sqlmetrics.qualified(plan['results'][0]['value'], read))) -%}
    {%- set given = columns.values() | list + (['max_grade'] if sqlmetrics.shell_reads_max_grade(plan) else []) -%}
    {%- set given = given + sqlmetrics.shell_options(shell) -%}
    {{- sqlmetrics.shell_comment(metric, name, given, 'aggregate', sqlmetrics.shell_example_label(plan)) }}
create or replace macro {{ schema }}{{ name }}({{ given | join(', ') }}) as
{{ body }};
{%- endmacro %}

{# Whether a metric reads the score, and not the label alone. #}
{% macro shell_reads_score(plan) -%}
    {%- do return(plan['over_lists'] or plan['levels'] | length > 0 or 'sm_score' in sqlmetrics.shell_inner_texts(plan)) -%}
{%- endmacro %}

{#
  The steps from the rows of a group to the value, each a mapping of a name, what it is, and its fields or its expression.

  Args:
    columns: role -> argument of the macro
#}
{% macro shell_steps_of(plan, columns) -%}
    {%- set steps = [] -%}
    {%- set usable = [] -%}
    {%- set numbers = {} -%}
    {%- for role, argument in columns.items() -%}
        {%- do usable.append(argument ~ ' is not null') -%}
        {%- do numbers.update({'sm_' ~ role: sqlmetrics.sql_double(argument)}) -%}
    {%- endfor -%}
    {%- set usable = ' filter (where ' ~ usable | join(' and ') ~ ')' -%}
    {%- set lists = plan['grade_sums'] or plan['item_sums'] -%}
    {%- set all = {} -%}
    {%- if plan['levels'] or lists -%}
        {%- do all.update({'sm_rows': "list_sort(list({'sm_down': -" ~ numbers['sm_score'] ~ ", 'sm_label': " ~ numbers['sm_label'] ~ '})' ~ usable ~ ", 'asc', 'nulls last')"}) -%}
    {%- elif plan['second_pass'] -%}
        {%- do all.update({'sm_rows': "list({'sm_label': " ~ numbers['sm_label'] ~ ", 'sm_score': " ~ numbers['sm_score'] ~ '})' ~ usable}) -%}
    {%- endif -%}
    {%- for column, need in plan['rows'].items() -%}
        {%- set inner = sqlmetrics.qualified(need['inner'] | replace('case when sm_problem = 0 then 1 else 0 end', '1') | replace('sm_problem = 0 and ', ''), numbers) -%}
        {%- set text = need['aggregate'] ~ '(' ~ inner ~ ')' ~ usable -%}
        {#- a count of rows is 0 where there is none -#}
        {%- do all.update({column: 'coalesce(' ~ text ~ ', 0)' if 'sm_problem = 0' in need['inner'] else text}) -%}
    {%- endfor -%}
    {%- do steps.append({'name': 'sm_all', 'about': 'the rows of the group' ~ (', from the highest score down' if plan['levels'] or lists), 'fields': all}) -%}
    {%- if plan['second_pass'] -%}{%- do steps.append(sqlmetrics.shell_sums(plan, 'second_pass', 'sums about the mean', 'sm_all.sm_rows', ['sm_label', 'sm_score'])) -%}{%- endif -%}
    {%- if plan['levels'] or plan['item_sums'] -%}{%- do steps.extend(sqlmetrics.shell_levels(plan)) -%}{%- endif -%}
    {%- set of_level = ['sm_score', 'sm_level_rows', 'sm_level_positives', 'sm_above', 'sm_through', 'sm_place', 'sm_positives_through'] -%}
    {%- for grain, about in (('levels', 'sums over levels'), ('peaks', 'the levels at a maximum')) if plan[grain] -%}
        {%- do steps.append(sqlmetrics.shell_sums(plan, grain, about, 'sm_levels', of_level)) -%}
    {%- endfor -%}
    {%- if lists -%}{%- do steps.extend(sqlmetrics.shell_list(plan)) -%}{%- endif -%}
    {%- do return(steps) -%}
{%- endmacro %}

{# The step of the sums that a grain needs, over the elements of a list. #}
{% macro shell_sums(plan, grain, about, source, columns) -%}
    {%- set owners = {} -%}
    {%- for column in columns -%}{%- do owners.update({column: 'sm_x.' ~ column}) -%}{%- endfor -%}
    {%- set fields = {} -%}
    {%- for column, need in plan[grain].items() -%}
        {%- do fields.update({column: 'list_' ~ need['aggregate'] ~ '(list_transform(' ~ source ~ ', lambda sm_x: ' ~ sqlmetrics.qualified(need['inner'], owners) ~ '))'}) -%}
    {%- endfor -%}
    {%- do return({'name': plan['shell']['places'][grain][:-1], 'about': about, 'fields': fields}) -%}
{%- endmacro %}

{#
  The steps to the score levels. The rows lie from the highest score down, inside a level from the lowest label up. A row that ends a
  level counts what is above: a positive one by its number among the positive rows, another by that among the others.
#}
{% macro shell_levels(plan) -%}
    {%- set relevant = sqlmetrics.qualified(sqlmetrics.is_relevant(plan), {'sm_label': 'sm_x.sm_label'}) -%}
    {%- set ranked = sqlmetrics.shell_struct({
        'sm_through': 'sm_i', 'sm_label': 'sm_x.sm_label', 'sm_score': '-sm_x.sm_down',
        'sm_ends': 'sm_all.sm_rows[sm_i + 1].sm_down is distinct from sm_x.sm_down',
    }) -%}
    {%- set ends = [] -%}
    {%- for condition, positives in ((relevant, 'sm_i'), ('not (' ~ relevant ~ ')', 'sm_x.sm_through - sm_i')) -%}
        {%- set end = sqlmetrics.shell_struct({
            'sm_through': 'sm_x.sm_through', 'sm_positives_through': positives, 'sm_score': 'sm_x.sm_score', 'sm_ends': 'sm_x.sm_ends',
        }) -%}
        {%- do ends.append('list_transform(list_filter(sm_ranked, lambda sm_x: ' ~ condition ~ '), lambda sm_x, sm_i: ' ~ end ~ ')') -%}
    {%- endfor -%}
    {%- set above = {} -%}
    {%- for column in ('sm_through', 'sm_positives_through') -%}{%- do above.update({column: 'coalesce(sm_ends[sm_i - 1].' ~ column ~ ', 0)'}) -%}{%- endfor -%}
    {%- set level = sqlmetrics.shell_struct({
        'sm_score': 'sm_x.sm_score', 'sm_level_rows': 'sm_x.sm_through - ' ~ above['sm_through'],
        'sm_level_positives': 'sm_x.sm_positives_through - ' ~ above['sm_positives_through'],
        'sm_above': above['sm_through'], 'sm_through': 'sm_x.sm_through', 'sm_place': above['sm_through'] ~ ' + sm_x.sm_through', 'sm_positives_through': 'sm_x.sm_positives_through',
    }) -%}
    {%- do return([
        {'name': 'sm_ranked', 'about': 'their ranks, and which of them ends a level of equal scores',
            'list': 'list_transform(sm_all.sm_rows, lambda sm_x, sm_i: ' ~ ranked ~ ')'},
        {'name': 'sm_ends', 'about': 'the last row of each level, with the positive rows down to it',
            'list': 'list_sort(list_filter(list_concat(\n        ' ~ ends | join(',\n        ') ~ '\n    ), lambda sm_x: sm_x.sm_ends), \'asc\', \'nulls last\')'},
        {'name': 'sm_levels', 'about': 'the levels', 'list': 'list_transform(sm_ends, lambda sm_x, sm_i: ' ~ level ~ ')'},
    ]) -%}
{%- endmacro %}

{# A struct of named expressions, one a line. #}
{% macro shell_struct(fields) -%}
    {%- set entries = [] -%}
    {%- for name, text in fields.items() -%}{%- do entries.append("'" ~ name ~ "': " ~ text) -%}{%- endfor -%}
    {
    {{- sqlmetrics.lines(entries, 8) }}
    }
{%- endmacro %}

{# The steps to the sums of one list: over its grades in the ideal order, over its items, and over the ranks of its first relevant item. #}
{% macro shell_list(plan) -%}
    {%- set steps = [] -%}
    {%- set flags = plan['flags'] -%}
    {%- if plan['grade_sums'] -%}
        {%- set columns = {'sm_label': 'sm_x', 'sm_n': '1', 'sm_judged_above': '(sm_i - 1)', 'sm_judged_through': 'sm_i',
            'sm_cutoffs.sm_discount_k': '0', 'sm_ideal_judged_above.sm_discount': '0', 'sm_ideal_judged_through.sm_discount': sqlmetrics.shell_discount('sm_i')} -%}
        {%- set fields = {} -%}
        {%- for column, need in plan['grade_sums'].items() -%}
            {%- do fields.update({column: 'list_' ~ need['aggregate'] ~ '(list_transform(sm_grades, lambda sm_x, sm_i: ' ~ sqlmetrics.qualified(need['inner'], columns) ~ '))'}) -%}
        {%- endfor -%}
        {%- do steps.append({'name': 'sm_grades', 'about': 'the labels in the ideal order',
            'list': 'list_sort(list_transform(sm_all.sm_rows, lambda sm_x: sm_x.sm_label), \'desc\', \'nulls last\')'}) -%}
        {%- do steps.append({'name': 'sm_grade_sums', 'about': 'sums over them', 'fields': fields}) -%}
    {%- endif -%}
    {%- if plan['item_sums'] -%}
        {%- set columns = {'sm_label': 'sm_item.sm_label', 'sm_tie_first': 'sm_x.sm_above + 1', 'sm_tie_last': 'sm_x.sm_through'} -%}
        {%- if flags.get('relevant_through') -%}{%- do columns.update({'sm_relevant_through': 'sm_x.sm_positives_through'}) -%}{%- endif -%}
        {%- if flags.get('relevant_tied') -%}{%- do columns.update({'sm_relevant_tied': 'sm_x.sm_level_positives'}) -%}{%- endif -%}
        {%- if flags.get('pessimistic') or flags.get('cascade') -%}{%- do columns.update({'sm_pessimistic_rank': 'sm_x.sm_above + sm_i'}) -%}{%- endif -%}
        {%- if flags.get('pessimistic_relevant') -%}
            {%- do columns.update({'sm_pessimistic_relevant': 'sm_x.sm_positives_through - sm_x.sm_level_positives + greatest(0, sm_i - (sm_x.sm_level_rows - sm_x.sm_level_positives))'}) -%}
        {%- endif -%}
        {%- set texts = sqlmetrics.shell_inner_texts(plan) -%}
        {%- for what, summand in (('discount', sqlmetrics.shell_discount('sm_position')), ('harmonic', '1 / sm_position')) if flags.get('blocks') and 'sm_' ~ what in texts -%}
            {#- cumulated from the first rank of the block: only differences are read -#}
            {%- for column, last in (('sm_through_' ~ what, 'sm_x.sm_through'), ('sm_cutoff_' ~ what, 'least(sm_x.sm_through, ' ~ sqlmetrics.sql_integer('k') ~ ')')) if column == 'sm_through_' ~ what or 'sm_cutoffs.' in texts -%}
                {%- do columns.update({column: 'list_sum(list_transform(range(sm_x.sm_above + 1, ' ~ last ~ ' + 1), lambda sm_position: ' ~ summand ~ '))'}) -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- set items = 'sm_all.sm_rows[sm_x.sm_above + 1:sm_x.sm_through], lambda sm_item, sm_i: ' ~ sqlmetrics.shell_struct(columns) -%}
        {%- do steps.append({'name': 'sm_items', 'about': 'the items with the ranks that those of their score hold',
            'list': 'flatten(list_transform(sm_levels, lambda sm_x: list_transform(' ~ items ~ ')))'}) -%}
        {%- do steps.append(sqlmetrics.shell_cascade(plan, columns | list) if flags.get('cascade') else sqlmetrics.shell_sums_of_items(plan, columns | list)) -%}
    {%- endif -%}
    {%- if plan['hits'] -%}{%- do steps.append(sqlmetrics.shell_hits(plan)) -%}{%- endif -%}
    {%- do return(steps) -%}
{%- endmacro %}

{# The discount of a rank. #}
{% macro shell_discount(rank) -%}1 / {{ sqlmetrics.sql_log2(rank ~ ' + 1') }}{%- endmacro %}

{# What the texts of list metrics call the columns of an item -> what they are here. #}
{% macro shell_owners(columns, owner) -%}
    {%- set owners = {} -%}
    {%- for column in columns -%}{%- do owners.update({column: owner ~ '.' ~ column}) -%}{%- endfor -%}
    {%- for what in ('discount', 'harmonic') -%}
        {%- do owners.update({
            'sm_above.sm_' ~ what: '0', 'sm_through.sm_' ~ what: owner ~ '.sm_through_' ~ what, 'sm_cutoffs.sm_' ~ what ~ '_k': owner ~ '.sm_cutoff_' ~ what,
        }) -%}
    {%- endfor -%}
    {%- do return(owners) -%}
{%- endmacro %}

{# The step of sums over the items of a list. #}
{% macro shell_sums_of_items(plan, columns) -%}
    {%- set fields = {} -%}
    {%- for column, need in plan['item_sums'].items() -%}
        {%- set inner = sqlmetrics.qualified(need['inner'], sqlmetrics.shell_owners(columns, 'sm_x')) -%}
        {%- do fields.update({column: 'list_' ~ need['aggregate'] ~ '(list_transform(sm_items, lambda sm_x: ' ~ inner ~ '))'}) -%}
    {%- endfor -%}
    {%- do return({'name': 'sm_gaining_items', 'about': 'sums over them', 'fields': fields}) -%}
{%- endmacro %}

{# The step of sums over items whose summands read the chance that a user comes so far (sm_reached): item by item, down the list. #}
{% macro shell_cascade(plan, columns) -%}
    {%- set owners = dict(sqlmetrics.shell_owners(columns, 'sm_x'), sm_reached='sm_before.sm_reached') -%}
    {%- set stops = sqlmetrics.qualified(sqlmetrics.stop_chance(plan), owners) -%}
    {%- set start, next = {'sm_reached': sqlmetrics.sql_double('1')}, {'sm_reached': 'sm_before.sm_reached * (1 - ' ~ stops ~ ')'} -%}
    {%- for column in columns -%}
        {%- do start.update({column: 'sm_x.' ~ column}) -%}
        {%- do next.update({column: 'sm_x.' ~ column}) -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.shell_reduced(plan, 'item_sums', 'sums over them, down the list', 'sm_items', start, next, owners)) -%}
{%- endmacro %}

{# The step of sums over the ranks that the first relevant item may hold, each with its chance (stages/lists.sql): rank by rank. #}
{% macro shell_hits(plan) -%}
    {%- set size = '(sm_gaining_items.sm_hit_last - sm_gaining_items.sm_hit_first + 1)' -%}
    {%- set i = '(sm_x.sm_position - sm_gaining_items.sm_hit_first)' -%}
    {%- set owners = {'sm_position': 'sm_x.sm_position', 'sm_chance': '(sm_before.sm_missed * sm_gaining_items.sm_hit_relevant / (' ~ size ~ ' - ' ~ i ~ '))'} -%}
    {%- do return(sqlmetrics.shell_reduced(
        plan, 'hits', 'sums over the ranks that the first relevant item may hold',
        'range(sm_gaining_items.sm_hit_first, sm_gaining_items.sm_hit_last - sm_gaining_items.sm_hit_relevant + 2)',
        {'sm_position': 'sm_x', 'sm_missed': sqlmetrics.sql_double('1')},
        {'sm_position': 'sm_x.sm_position', 'sm_missed': 'sm_before.sm_missed * (' ~ size ~ ' - sm_gaining_items.sm_hit_relevant - ' ~ i ~ ') / (' ~ size ~ ' - ' ~ i ~ ')'},
        owners
    )) -%}
{%- endmacro %}

{#
  The step of the sums of a grain whose summands read what the elements before have left (sm_before).

  Args:
    start: an element, and what is known before the first; next: what is known after an element
#}
{% macro shell_reduced(plan, grain, about, source, start, next, owners) -%}
    {%- for column, need in plan[grain].items() -%}
        {%- do start.update({column: sqlmetrics.sql_double('0')}) -%}
        {%- do next.update({column: 'sm_before.' ~ column ~ ' + ' ~ sqlmetrics.qualified(need['inner'], owners)}) -%}
    {%- endfor -%}
    {%- set started = 'list_transform(' ~ source ~ ', lambda sm_x: ' ~ sqlmetrics.shell_struct(start) ~ ')' -%}
    {%- do return({'name': plan['shell']['places'][grain][:-1], 'about': about,
        'list': 'list_reduce(' ~ started ~ ', lambda sm_before, sm_x: ' ~ sqlmetrics.shell_struct(next) ~ ', ' ~ started ~ '[1])'}) -%}
{%- endmacro %}

{# An expression that takes its steps one after the other. Where only native aggregates are read, it is those alone. #}
{% macro shell_steps(steps, value) -%}
    {%- if steps | length == 1 -%}
        {%- set owners = {} -%}
        {%- for column, text in steps[0]['fields'].items() -%}{%- do owners.update({steps[0]['name'] ~ '.' ~ column: text}) -%}{%- endfor -%}
        {{- '    ' ~ sqlmetrics.qualified(value, owners) -}}
    {%- else -%}
        {%- for step in steps -%}
    {{ '\n' if not loop.first }}    -- {{ step['about'] }}
    list_transform([
        {%- if 'list' in step -%}
            {{ step['list'] }}
        {%- else -%}
            {{ sqlmetrics.shell_struct(step['fields']) }}
        {%- endif -%}
    ], lambda {{ step['name'] }}:
        {%- endfor %}
    {{ value }}
    {{ ')[1]' * steps | length }}
    {%- endif -%}
{%- endmacro %}

{# A text with its words replaced, as a mapping says; a word may have dots in it. #}
{% macro qualified(text, owners) -%}
    {%- set out = [] -%}
    {%- for word in sqlmetrics.words(text) -%}{%- do out.append(owners.get(word, word)) -%}{%- endfor -%}
    {%- do return(out | join) -%}
{%- endmacro %}

{# A text whose fields are written x['field']: HAVING does not know x.field for a field. #}
{% macro subscripted(text) -%}
    {%- set out = [] -%}
    {%- for word in sqlmetrics.words(text) -%}
        {%- do out.append(word if '.sm_' not in word else word.split('.')[0] ~ "['" ~ word.split('.')[1:] | join("']['") ~ "']") -%}
    {%- endfor -%}
    {%- do return(out | join) -%}
{%- endmacro %}

{# The words of a text, and what stands between them. #}
{% macro words(text) -%}
    {%- set found, word = [], [] -%}
    {%- for character in text | string -%}
        {%- if character in 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.' -%}
            {%- do word.append(character) -%}
        {%- else -%}
            {%- do found.extend([word | join, character]) -%}
            {%- do word.clear() -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(found + [word | join]) -%}
{%- endmacro %}

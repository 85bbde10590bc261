{#
  A metric as an aggregate macro of a shell: an expression over native aggregates, usable with any GROUP BY.

  A metric over rows uses its sums directly. A metric over score levels or ranked items gathers the rows of a group into
  a sorted list and computes on that list step by step. A step is `list_transform([...], lambda sm_step: ...)[1]`; it
  names a value for later steps, as a CTE would. The needs of the plan are those of a statement. Only the holes are
  filled in another way: with an argument of the macro, a field of an element (sm_x) or a field of a step. Fields are
  written x['field'], since HAVING does not resolve x.field. Sorts name their direction, since a connection may change
  the default.
#}

{#
  The statement that makes the aggregate macro of a metric; nothing for a metric of another shape.

  Args:
    metric: macro, name, notation, summary, parameters and grains of the metric
    schema: where the macro is made, with a dot behind it, or nothing
#}
{% macro shell_aggregate(metric, schema) -%}
    {%- set name = sqlmetrics.shell_aggregate_name(metric) -%}
    {%- if name is none or metric['grains'] | reject('in', sqlmetrics.shell_places()) | list -%}
        {%- do return('') -%}
    {%- endif -%}
    {%- set shell = sqlmetrics.shell_plan_of(metric, name, raises=true, steps=true) -%}
    {%- set lists = 'list_sums' in metric['grains'] -%}
    {%- set plan = sqlmetrics.plan(
        {name: sqlmetrics.shell_notation(metric, shell)},
        sqlmetrics.question_of_shell(shell, sqlmetrics.question_of_lists() if lists else none), relation='data',
        label='label', score='score', group='data', max_grade='max_grade',
        examples=true
    ) -%}
    {%- set columns = {
        'label': 'grade' if 'rows_negative_grade' in plan['result']['checks'].values() | map(attribute='name')
            else 'label',
        'score': 'score',
    } -%}
    {%- if not sqlmetrics.shell_reads_score(plan) -%}{%- do columns.pop('score') -%}{%- endif -%}
    {%- if not sqlmetrics.shell_reads_label(plan) -%}{%- do columns.pop('label') -%}{%- endif -%}
    {%- for source, column in plan['row_columns'].items() -%}
        {%- do columns.update({column['hole']: source}) -%}
    {%- endfor -%}
    {%- set body = sqlmetrics.shell_body(
        plan, sqlmetrics.shell_steps_of(plan, columns), plan['result']['columns'][0]['value']
    ) -%}
    {%- set given = columns.values() | list + (['max_grade'] if sqlmetrics.shell_reads_max_grade(plan) else []) -%}
    {%- set given = given + sqlmetrics.shell_options(shell) -%}
    {{- sqlmetrics.shell_comment(metric, name, given, 'aggregate', sqlmetrics.shell_example_label(plan)) }}
create or replace macro {{ schema }}{{ name }}({{ given | join(', ') }}) as
{{ body }};
{{ sqlmetrics.shell_comment_on('macro ' ~ schema ~ name, metric, lists) }}
{%- endmacro %}

{# The step that holds the sums of each grain. The value of a list is the value of the macro. #}
{% macro shell_places() -%}
    {%- do return({
        'rows': 'sm_all', 'second_pass': 'sm_about_mean', 'levels': 'sm_sums', 'peaks': 'sm_peaks',
        'grade_sums': 'sm_grade_sums', 'item_sums': 'sm_item_sums', 'hits': 'sm_hits', 'list_sums': none,
    }) -%}
{%- endmacro %}

{# A field of a struct. #}
{% macro field(owner, name) -%}{{ owner }}['{{ name }}']{%- endmacro %}

{#
  A template filled for the macro.

  Args:
    texts: column -> text
    shell_grains: the grains whose sums it reads
#}
{% macro shell_filled(plan, template, texts, shell_grains=['rows']) -%}
    {%- set places, filling = sqlmetrics.shell_places(), dict(texts) -%}
    {%- for hole in sqlmetrics.holes(template) if hole not in filling -%}
        {%- set grain = plan['sums'].get(hole) -%}
        {%- if grain is none or grain not in shell_grains -%}
            {{- sqlmetrics.refuse_metric(plan, "no aggregate macro has the column {" ~ hole ~ "}") -}}
        {%- endif -%}
        {%- do filling.update({hole: sqlmetrics.field(places[grain], 'sm_' ~ hole)}) -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.with_holes(template, filling)) -%}
{%- endmacro %}

{# Fields of an element: column -> text. #}
{% macro fields_of(columns, owner='sm_x') -%}
    {%- set texts = {} -%}
    {%- for column in columns -%}
        {%- do texts.update({column: sqlmetrics.field(owner, 'sm_' ~ column)}) -%}
    {%- endfor -%}
    {%- do return(texts) -%}
{%- endmacro %}

{# True if a metric reads the score and not only the label. #}
{% macro shell_reads_score(plan) -%}
    {%- do return(
        plan['question']['keeps'] == 'lists' or plan['needs']['levels'] | length > 0
            or sqlmetrics.reads(plan, 'rows', 'score')
        or sqlmetrics.reads(plan, 'second_pass', 'score')
    ) -%}
{%- endmacro %}

{# True if a metric reads the label: one that names the columns it compares may not. #}
{% macro shell_reads_label(plan) -%}
    {%- do return(not plan['row_columns'] or sqlmetrics.reads(plan, 'rows', 'label')) -%}
{%- endmacro %}

{#
  The steps from the rows of a group to the value, each a mapping of a name, a comment, and its fields or its
  expression.

  Args:
    columns: role -> argument of the macro
#}
{% macro shell_steps_of(plan, columns) -%}
    {%- set steps, needs = [], plan['needs'] -%}
    {%- set usable, numbers = [], {} -%}
    {%- for role, argument in columns.items() -%}
        {%- do usable.append(argument ~ ' is not null') -%}
        {%- do numbers.update({role: sqlmetrics.sql_double(argument)}) -%}
    {%- endfor -%}
    {%- set usable = ' filter (where ' ~ usable | join(' and ') ~ ')' -%}
    {%- set lists = needs['grade_sums'] or needs['item_sums'] -%}
    {%- set sorted = needs['levels'] or lists -%}
    {%- set all = {} -%}
    {%- if sorted -%}
        {%- set row = "{'sm_down': -" ~ numbers['score'] ~ ", 'sm_label': " ~ numbers['label'] ~ '}' -%}
        {%- do all.update({'sm_rows': 'list_sort(list(' ~ row ~ ')' ~ usable ~ ", 'asc', 'nulls last')"}) -%}
    {%- elif needs['second_pass'] -%}
        {%- do all.update(
            {'sm_rows': "list({'sm_label': " ~ numbers['label'] ~ ", 'sm_score': " ~ numbers['score'] ~ '})' ~ usable}
        ) -%}
    {%- endif -%}
    {%- for column, need in needs['rows'].items() -%}
        {%- set sum = need['aggregate'] ~ '(' ~ sqlmetrics.shell_filled(plan, need['inner'], numbers, []) ~ ')'
            ~ usable -%}
        {#- the sum over no rows is 0 -#}
        {%- do all.update({column: 'coalesce(' ~ sum ~ ', 0)' if need['aggregate'] == 'sum' else sum}) -%}
    {%- endfor -%}
    {%- do steps.append({
        'name': 'sm_all', 'about': 'the rows of the group' ~ (', from the highest score down' if sorted),
        'fields': all,
    }) -%}
    {%- if needs['second_pass'] -%}
        {%- do steps.append(sqlmetrics.shell_sums(
            plan, 'second_pass', 'sums about the mean', sqlmetrics.field('sm_all', 'sm_rows'),
            sqlmetrics.fields_of(['label', 'score'])
        )) -%}
    {%- endif -%}
    {%- if needs['levels'] or needs['item_sums'] -%}{%- do steps.extend(sqlmetrics.shell_levels(plan)) -%}{%- endif -%}
    {%- set of_level = sqlmetrics.fields_of([
        'score', 'level_rows', 'level_positives', 'above', 'through', 'place', 'positives_through',
    ]) -%}
    {%- for grain, about in (('levels', 'sums over levels'), ('peaks', 'the levels at a maximum')) if needs[grain] -%}
        {%- do steps.append(sqlmetrics.shell_sums(plan, grain, about, 'sm_levels', of_level)) -%}
    {%- endfor -%}
    {%- if lists -%}{%- do steps.extend(sqlmetrics.shell_list(plan)) -%}{%- endif -%}
    {%- do return(steps) -%}
{%- endmacro %}

{# The step of the sums that a grain needs, over the elements sm_x of a list, whose number is sm_i. #}
{% macro shell_sums(plan, grain, about, source, texts) -%}
    {%- set fields = {} -%}
    {%- for column, need in plan['needs'][grain].items() -%}
        {%- set inner = sqlmetrics.shell_filled(plan, need['inner'], texts, ['rows', 'levels', 'grade_sums']) -%}
        {%- do fields.update({
            column: 'list_' ~ need['aggregate'] ~ '(list_transform(' ~ source ~ ', lambda sm_x, sm_i: ' ~ inner
                ~ '))',
        }) -%}
    {%- endfor -%}
    {%- do return({'name': sqlmetrics.shell_places()[grain], 'about': about, 'fields': fields}) -%}
{%- endmacro %}

{#
  The steps to the score levels. Rows are ordered from the highest score down, and within a level from the lowest label
  up. The last row of a level counts the rows above it: a positive row by its number among the positive rows, another
  row by its number among the others.
#}
{% macro shell_levels(plan) -%}
    {%- set relevant = sqlmetrics.with_holes(sqlmetrics.is_relevant(plan), sqlmetrics.fields_of(['label'])) -%}
    {%- set of = sqlmetrics.fields_of(['through', 'positives_through', 'score', 'ends', 'label', 'down']) -%}
    {%- set ranked = sqlmetrics.shell_struct({
        'sm_through': 'sm_i', 'sm_label': of['label'], 'sm_score': '-' ~ of['down'],
        'sm_ends': sqlmetrics.field(sqlmetrics.field('sm_all', 'sm_rows') ~ '[sm_i + 1]', 'sm_down')
            ~ ' is distinct from ' ~ of['down'],
    }) -%}
    {%- set ends = [] -%}
    {%- for condition, positives in ((relevant, 'sm_i'), ('not (' ~ relevant ~ ')', of['through'] ~ ' - sm_i')) -%}
        {%- set end = sqlmetrics.shell_struct({
            'sm_through': of['through'], 'sm_positives_through': positives, 'sm_score': of['score'],
            'sm_ends': of['ends'],
        }) -%}
        {%- do ends.append(
            'list_transform(list_filter(sm_ranked, lambda sm_x: ' ~ condition ~ '), lambda sm_x, sm_i: ' ~ end ~ ')'
        ) -%}
    {%- endfor -%}
    {%- set above = {} -%}
    {%- for column in ('sm_through', 'sm_positives_through') -%}
        {%- do above.update({column: 'coalesce(' ~ sqlmetrics.field('sm_ends[sm_i - 1]', column) ~ ', 0)'}) -%}
    {%- endfor -%}
    {%- set level = sqlmetrics.shell_struct({
        'sm_score': of['score'], 'sm_level_rows': of['through'] ~ ' - ' ~ above['sm_through'],
        'sm_level_positives': of['positives_through'] ~ ' - ' ~ above['sm_positives_through'],
        'sm_above': above['sm_through'],
        'sm_through': of['through'], 'sm_place': above['sm_through'] ~ ' + ' ~ of['through'],
        'sm_positives_through': of['positives_through'],
    }) -%}
    {%- do return([
        {'name': 'sm_ranked', 'about': 'their ranks, and which of them ends a level of equal scores',
            'list': 'list_transform(' ~ sqlmetrics.field('sm_all', 'sm_rows') ~ ', lambda sm_x, sm_i: ' ~ ranked ~ ')'},
        {'name': 'sm_ends', 'about': 'the last row of each level, with the positive rows down to it',
            'list': 'list_sort(list_filter(list_concat(\n        ' ~ ends | join(',\n        ')
                ~ '\n    ), lambda sm_x: ' ~ of['ends']
                ~ "), 'asc', 'nulls last')"},
        {
            'name': 'sm_levels', 'about': 'the levels',
            'list': 'list_transform(sm_ends, lambda sm_x, sm_i: ' ~ level ~ ')',
        },
    ]) -%}
{%- endmacro %}

{# A struct of named expressions, one on each line. #}
{% macro shell_struct(fields) -%}
    {%- set entries = [] -%}
    {%- for name, text in fields.items() -%}{%- do entries.append("'" ~ name ~ "': " ~ text) -%}{%- endfor -%}
    {
    {{- sqlmetrics.lines(entries, 8) }}
    }
{%- endmacro %}

{#
  The steps to the sums of one list: over its grades in the ideal order, over its items, and over the ranks of
  its first relevant item.
#}
{% macro shell_list(plan) -%}
    {%- set steps = [] -%}
    {%- if plan['needs']['grade_sums'] -%}
        {%- set texts = {
            'label': 'sm_x', 'n': '1', 'judged_above': '(sm_i - 1)', 'judged_through': 'sm_i',
            'cutoffs.sm_discount_k': '0', 'ideal_judged_above.sm_discount': '0',
            'ideal_judged_through.sm_discount': sqlmetrics.shell_discount('sm_i'),
        } -%}
        {%- set labels = 'list_transform(' ~ sqlmetrics.field('sm_all', 'sm_rows') ~ ', lambda sm_x: '
            ~ sqlmetrics.field('sm_x', 'sm_label') ~ ')' -%}
        {%- do steps.append({
            'name': 'sm_grades', 'about': 'the labels in the ideal order',
            'list': 'list_sort(' ~ labels ~ ", 'desc', 'nulls last')",
        }) -%}
        {%- do steps.append(sqlmetrics.shell_sums(plan, 'grade_sums', 'sums over them', 'sm_grades', texts)) -%}
    {%- endif -%}
    {%- if plan['needs']['item_sums'] -%}{%- do steps.extend(sqlmetrics.shell_items(plan)) -%}{%- endif -%}
    {%- if plan['needs']['hits'] -%}{%- do steps.append(sqlmetrics.shell_hits(plan)) -%}{%- endif -%}
    {%- do return(steps) -%}
{%- endmacro %}

{# The steps to the sums over the items of a list. #}
{% macro shell_items(plan) -%}
    {%- set of = sqlmetrics.fields_of(['above', 'through', 'level_rows', 'level_positives', 'positives_through']) -%}
    {%- set columns = {
        'label': sqlmetrics.field('sm_item', 'sm_label'), 'tie_first': of['above'] ~ ' + 1', 'tie_last': of['through'],
    } -%}
    {%- if sqlmetrics.reads(plan, 'item_sums', 'relevant_through') -%}
        {%- do columns.update({'relevant_through': of['positives_through']}) -%}
    {%- endif -%}
    {%- if sqlmetrics.reads(plan, 'item_sums', 'relevant_tied') -%}
        {%- do columns.update({'relevant_tied': of['level_positives']}) -%}
    {%- endif -%}
    {%- if sqlmetrics.reads(plan, 'item_sums', 'pessimistic_rank') -%}
        {%- do columns.update({'pessimistic_rank': of['above'] ~ ' + sm_i'}) -%}
    {%- endif -%}
    {%- if sqlmetrics.reads(plan, 'item_sums', 'pessimistic_relevant') -%}
        {%- set before = of['positives_through'] ~ ' - ' ~ of['level_positives'] -%}
        {%- set others = of['level_rows'] ~ ' - ' ~ of['level_positives'] -%}
        {%- do columns.update({'pessimistic_relevant': before ~ ' + greatest(0, sm_i - (' ~ others ~ '))'}) -%}
    {%- endif -%}
    {%- for what, summand in (
        ('discount', sqlmetrics.shell_discount('sm_position')), ('harmonic', sqlmetrics.ratio('1', 'sm_position'))
    ) -%}
        {#- cumulated from the first rank of the block, since only differences are read -#}
        {%- set ends = {
            'through.sm_' ~ what: of['through'],
            'cutoffs.sm_' ~ what ~ '_k': 'least(' ~ of['through'] ~ ', ' ~ sqlmetrics.sql_integer('k') ~ ')',
        } -%}
        {#- metrics declare the column of a cutoff, so a plan may lack it -#}
        {%- for column, last in ends.items() if column in plan['reads']['item_sums'] -%}
            {%- do columns.update({
                column: 'list_sum(list_transform(range(' ~ of['above'] ~ ' + 1, ' ~ last
                    ~ ' + 1), lambda sm_position: ' ~ summand ~ '))',
            }) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set struct, texts = {}, {'above.sm_discount': '0', 'above.sm_harmonic': '0'} -%}
    {%- for column, text in columns.items() -%}
        {%- set name = 'sm_' ~ column.replace('.sm', '') -%}
        {%- do struct.update({name: text}) -%}
        {%- do texts.update({column: sqlmetrics.field('sm_x', name)}) -%}
    {%- endfor -%}
    {%- set items = sqlmetrics.field('sm_all', 'sm_rows') ~ '[' ~ of['above'] ~ ' + 1:' ~ of['through']
        ~ '], lambda sm_item, sm_i: ' ~ sqlmetrics.shell_struct(struct) -%}
    {%- do return([
        {'name': 'sm_items', 'about': 'the items with the ranks that those of their score hold',
            'list': 'flatten(list_transform(sm_levels, lambda sm_x: list_transform(' ~ items ~ ')))'},
        sqlmetrics.shell_cascade(plan, struct, texts) if sqlmetrics.reads(plan, 'item_sums', 'reached')
            else sqlmetrics.shell_sums(plan, 'item_sums', 'sums over them', 'sm_items', texts),
    ]) -%}
{%- endmacro %}

{# The discount of a rank. #}
{% macro shell_discount(rank) -%}1 / {{ sqlmetrics.sql_log2(rank ~ ' + 1') }}{%- endmacro %}

{#
  The step of sums over items whose summands read the probability that a user reaches the item (reached): item by item,
  down the list.
#}
{% macro shell_cascade(plan, struct, texts) -%}
    {%- set reached = sqlmetrics.field('sm_before', 'sm_reached') -%}
    {%- set texts = dict(texts, reached=reached) -%}
    {%- set stops = sqlmetrics.shell_filled(plan, sqlmetrics.stop_chance(plan), texts) -%}
    {%- set start = {'sm_reached': sqlmetrics.sql_double('1')} -%}
    {%- set next = {'sm_reached': reached ~ ' * (1 - ' ~ stops ~ ')'} -%}
    {%- for column in struct -%}
        {%- do start.update({column: sqlmetrics.field('sm_x', column)}) -%}
        {%- do next.update({column: sqlmetrics.field('sm_x', column)}) -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.shell_reduced(
        plan, 'item_sums', 'sums over them, down the list', 'sm_items', start, next, texts
    )) -%}
{%- endmacro %}

{#
  The step of sums over the possible ranks of the first relevant item, each with its probability
  (stages/lists/lists.sql): rank by rank.
#}
{% macro shell_hits(plan) -%}
    {%- set of = sqlmetrics.fields_of(['hit_first', 'hit_last', 'hit_relevant'], 'sm_item_sums') -%}
    {%- set position, missed = sqlmetrics.field('sm_x', 'sm_position'), sqlmetrics.field('sm_before', 'sm_missed') -%}
    {%- set size = '(' ~ of['hit_last'] ~ ' - ' ~ of['hit_first'] ~ ' + 1)' -%}
    {%- set i = '(' ~ position ~ ' - ' ~ of['hit_first'] ~ ')' -%}
    {%- set texts = {
        'position': position, 'chance': '(' ~ missed ~ ' * ' ~ of['hit_relevant'] ~ ' / (' ~ size ~ ' - ' ~ i ~ '))',
    } -%}
    {%- do return(sqlmetrics.shell_reduced(
        plan, 'hits', 'sums over the ranks that the first relevant item may hold',
        'range(' ~ of['hit_first'] ~ ', ' ~ of['hit_last'] ~ ' - ' ~ of['hit_relevant'] ~ ' + 2)',
        {'sm_position': 'sm_x', 'sm_missed': sqlmetrics.sql_double('1')},
        {
            'sm_position': position,
            'sm_missed': missed ~ ' * (' ~ size ~ ' - ' ~ of['hit_relevant'] ~ ' - ' ~ i ~ ') / (' ~ size ~ ' - ' ~ i
                ~ ')',
        },
        texts
    )) -%}
{%- endmacro %}

{#
  The step of the sums of a grain whose summands read a running value of the elements before (sm_before).

  Args:
    start: an element, and the running values before the first; next: those after an element
#}
{% macro shell_reduced(plan, grain, about, source, start, next, texts) -%}
    {%- for column, need in plan['needs'][grain].items() -%}
        {%- do start.update({column: sqlmetrics.sql_double('0')}) -%}
        {%- do next.update({
            column: sqlmetrics.field('sm_before', column) ~ ' + '
                ~ sqlmetrics.shell_filled(plan, need['inner'], texts),
        }) -%}
    {%- endfor -%}
    {%- set started = 'list_transform(' ~ source ~ ', lambda sm_x: ' ~ sqlmetrics.shell_struct(start) ~ ')' -%}
    {%- set step = 'lambda sm_before, sm_x: ' ~ sqlmetrics.shell_struct(next) -%}
    {%- do return({
        'name': sqlmetrics.shell_places()[grain], 'about': about,
        'list': 'list_reduce(' ~ started ~ ', ' ~ step ~ ', ' ~ started ~ '[1])',
    }) -%}
{%- endmacro %}

{#
  The expression of a value, which applies its steps one after the other. If only native aggregates are read, it
  consists of those alone.
#}
{% macro shell_body(plan, steps, value) -%}
    {%- if steps | length == 1 -%}
        {%- set texts = {} -%}
        {%- for column, need in plan['needs']['rows'].items() -%}
            {%- do texts.update({need['name']: steps[0]['fields'][column]}) -%}
        {%- endfor -%}
        {%- do return('    ' ~ sqlmetrics.with_holes(value, texts)) -%}
    {%- endif -%}
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
    {{ sqlmetrics.shell_filled(plan, value, {}, plan['needs']) }}
    {{ ')[1]' * steps | length }}
{%- endmacro %}

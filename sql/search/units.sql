{#
  Units: the rows or lists that are split in halves. sm_units has one row for each, with the codes of its columns,
  its half and its factors: what it adds to the numerator and the denominator of each metric and model.

  The half of a unit is a hash of its number, so that every engine splits alike, whatever the order of rows. A list
  is numbered by the bytes of its group. Numbering all rows would sort them, so the hash of a row takes its scores and
  codes, and its number among the rows that share these.
#}

{# Records a metric that is searched: its units, and the templates of a unit's terms in it. #}
{% macro add_searched(plan, result, value) -%}
    {%- set spread = value['spread'] or {} -%}
    {%- set ratio = spread.get('root_of') or spread -%}
    {%- set metric = dict(
        result, guards=plan['asked']['guards'] | list, root='root_of' in spread, least=value['least'],
        most=value['most']
    ) -%}
    {%- if spread.get('kind') == 'auc' -%}
        {%- do metric.update({'units': 'areas', 'factor': spread['factor']}) -%}
    {%- elif ratio.get('numerator') is none -%}
        {{- sqlmetrics.refuse_unknown_units(
            plan, 'find_slices', result['notation'], 'searched',
            'ratios of sums over rows or lists, such as log_loss, precision and ndcg@10, roots of these, such as rmse,'
                ~ ' and auc and gini'
        ) -}}
    {%- else -%}
        {%- do metric.update({
            'units': 'lists' if ratio['unit'] == 'lists' else 'groups', 'template': ratio,
            'n': sqlmetrics.filled(plan, ratio['numerator']), 'd': sqlmetrics.filled(plan, ratio['denominator']),
            'each': ratio['denominator'] | replace('(', '') | replace(')', '') == sqlmetrics.row_count_if(plan),
        }) -%}
    {%- endif -%}
    {%- do plan['compared_metrics'].append(metric) -%}
{%- endmacro %}

{# Rejects a metric that has no formula for the terms of single units. #}
{% macro refuse_unknown_units(plan, macro, notation, verb, instead) -%}
    {{- sqlmetrics.refuse(
        "sqlmetrics." ~ macro ~ ": '" ~ notation ~ "'"
            ~ (" with weights" if plan['facts']['weight'] is not none)
            ~ " cannot be " ~ verb ~ ". What can be " ~ verb ~ ": " ~ instead
    ) -}}
{%- endmacro %}

{#
  Without lists, each row has the scores of both models. The sums over rows then serve the checks alone; a check of the
  score reads both scores.
#}
{% macro keep_checks(plan) -%}
    {%- set kept, two = {}, plan['question']['own']['candidate'] is not none -%}
    {%- set names = plan['result']['checks'] | list + plan['result']['checks'].values() | map(attribute='value') | list
        + plan['result']['audit'].values() | list -%}
    {%- for column, need in plan['needs']['rows'].items() if column in names -%}
        {%- set other = sqlmetrics.with_holes(need['inner'], {'score': '{score_2}'}) -%}
        {%- set both = need['inner'] -%}
        {%- if two and 'score' in need['holes'] -%}
            {%- set both = '(' ~ need['inner'] ~ ') + (' ~ other ~ ')' if need['aggregate'] == 'sum'
                else 'coalesce(' ~ need['inner'] ~ ', ' ~ other ~ ')' -%}
        {%- endif -%}
        {%- do kept.update({column: dict(need, inner=both)}) -%}
    {%- endfor -%}
    {%- do plan['needs'].update({'rows': kept}) -%}
{%- endmacro %}

{# True if rows are units, without numbers. #}
{% macro searches_rows(plan) -%}
    {%- do return(plan['question']['own']['by_rows']) -%}
{%- endmacro %}

{# The stages from rows or lists to sm_units. #}
{% macro stages_of_units(plan, sums) -%}
    {%- set by_rows = sqlmetrics.searches_rows(plan) -%}
    {%- set source, usable = ('sm_rows', 'sm_problem = 0') if by_rows else ('sm_described', '') -%}
    {%- set stages = [] if by_rows else sqlmetrics.stages_of_described(plan) -%}
    {%- if sqlmetrics.columns_of_kind(plan, true) -%}
        {%- do stages.append(sqlmetrics.stage_ends(
            sqlmetrics.columns_of_kind(plan, true), plan['question']['own']['bins'], source, usable
        )) -%}
    {%- endif -%}
    {%- if sqlmetrics.columns_of_kind(plan, false) -%}
        {%- do stages.append(sqlmetrics.stage_kept(plan, source, usable)) -%}
    {%- endif -%}
    {%- if by_rows -%}
        {%- set read = sqlmetrics.kept_columns(plan) -%}
        {%- set kept = read['facts'] + read['numbers'] + ['sm_problem'] -%}
        {%- set kept = kept | reject('in', plan['question']['own']['columns'] | map(attribute='value') | list) -%}
        {%- do stages.append(sqlmetrics.stage_coded(plan, source, usable, kept | list)) -%}
        {%- do stages.extend(sqlmetrics.stages_of_units_of_rows(plan, sums)) -%}
    {%- else -%}
        {%- do stages.append(sqlmetrics.stage_coded(plan, source, usable, ['sm_unit', 'sm_number', 'sm_n_rows'])) -%}
        {%- for units in ('lists', 'groups') if sqlmetrics.compared_by(plan, [units]) -%}
            {%- do stages.append(sqlmetrics.stage_units(plan, units)) -%}
        {%- endfor -%}
        {%- if sqlmetrics.compared_by(plan, ['areas']) -%}
            {%- do stages.append(sqlmetrics.stage_units_of_areas(plan)) -%}
        {%- endif -%}
        {%- if plan['question']['own']['apart'] -%}
            {%- do stages.append(sqlmetrics.stage_unpaired(plan)) -%}
        {%- endif -%}
        {%- do stages.append(sqlmetrics.stage_units_of_lists(plan, sums)) -%}
    {%- endif -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# The half of a unit, 1 or 2, from its hash. #}
{% macro half_of(hash) -%}
{{ sqlmetrics.as_code('case when ' ~ hash ~ ' < 1073741823 then 1 else 2 end', 2) }}
{%- endmacro %}

{# A hash and a further integer below 1e14, mixed. #}
{% macro mixed_with(hash, number) -%}
{{ sqlmetrics.sql_remainder(hash ~ ' * 48271 + ' ~ number, 2147483647) }}
{%- endmacro %}

{# An integer below 1e11 from a number: its fraction, and its whole part if that is not large. #}
{% macro integer_of(x) -%}
    {%- set fraction = '(' ~ x ~ ' - floor(' ~ x ~ ')) * 2147483646' -%}
    {%- set whole = 'case when abs(' ~ x ~ ') < 1000000000 then 7 * (floor(' ~ x ~ ') + 1000000000) else 0 end' -%}
    {{- sqlmetrics.sql_integer('floor(' ~ fraction ~ ') + ' ~ whole) -}}
{%- endmacro %}

{#
  The stages from coded rows to sm_units. A hash takes the scores and codes of a row. Rows that share them are numbered,
  for which a window sorts rows with all their columns. Few rows share a hash, so an engine that sorts cheaply and can
  store a stage sorts the hashes alone, and then only the rows of those that occur twice.

  sm_hashed: the coded rows with their hash. sm_copied: the hashes of several rows.
#}
{% macro stages_of_units_of_rows(plan, sums) -%}
{%- set codes = plan['question']['own']['columns'] | map(attribute='code') | list -%}
{%- set numbers = ['sm_score'] if plan['facts']['score'] is not none else [] -%}
{%- set numbers = numbers + (['sm_score_2'] if plan['question']['own']['candidate'] is not none else []) -%}
{%- set hash = namespace(sql=sqlmetrics.sql_integer('1')) -%}
{%- for number in numbers -%}
    {%- set hash.sql = sqlmetrics.mixed_with(hash.sql, sqlmetrics.integer_of(number)) -%}
{%- endfor -%}
{#- four codes, each up to 1,001, make an integer below 1e13 -#}
{%- for four in codes | batch(4) -%}
    {%- set terms = [] -%}
    {%- for code in four -%}
        {%- do terms.append(sqlmetrics.sql_integer(code) ~ ' * ' ~ 1002 ** loop.index0) -%}
    {%- endfor -%}
    {%- set hash.sql = sqlmetrics.mixed_with(hash.sql, '(' ~ terms | join(' + ') ~ ')') -%}
{%- endfor -%}
{%- set read, order = sqlmetrics.kept_columns(plan), [] -%}
{%- for column in read['numbers'] if column not in numbers -%}{%- do order.append(column ~ ' asc') -%}{%- endfor -%}
{%- for column in ('sm_class', 'sm_predicted') if column in read['facts'] -%}
    {%- do order.append(sqlmetrics.sql_bytes(column) ~ ' asc') -%}
{%- endfor -%}
{%- set cell = [] -%}
{%- for number in numbers -%}{%- do cell.append(sqlmetrics.sql_partition_key(number)) -%}{%- endfor -%}
{%- set copy = 'row_number() over (partition by ' ~ (cell + codes) | join(', ') ~ ' order by '
    ~ (order | join(', ') or '1') ~ ')' -%}
{%- set stages, numbered = [], 'select
                sm_coded.*,
                ' ~ hash.sql ~ ' as sm_content,
                ' ~ copy ~ ' as sm_copy
            from sm_coded' -%}
{%- if sqlmetrics.sql_sorts_cheaply() -%}
    {%- set short = sqlmetrics.sql_short_integer('sm_content') -%}
    {%- do stages.extend(['-- a hash of each row
sm_hashed as' ~ sqlmetrics.sql_cte_materialized() ~ ' (
    select
        sm_coded.*,
        ' ~ hash.sql ~ ' as sm_content
    from sm_coded
)', '-- the hashes of several rows
sm_copied as' ~ sqlmetrics.sql_cte_materialized() ~ ' (
    select distinct sm_content
    from (
        select sm_content, lag(sm_content) over (order by sm_content asc) as sm_before
        from (select ' ~ short ~ ' as sm_content from sm_hashed) as sm_contents
    ) as sm_sorted_contents
    where sm_content = sm_before
)']) -%}
    {%- set numbered = 'select sm_hashed.*, 1 as sm_copy
            from sm_hashed
            where sm_content not in (select sm_content from sm_copied)
            union all
            select sm_hashed.*, ' ~ copy ~ ' as sm_copy
            from sm_hashed
            where sm_content in (select sm_content from sm_copied)' -%}
{%- endif -%}
{%- do stages.append('-- a row of its own for each unit: its half, and what it adds to the metrics
sm_units as' ~ sqlmetrics.sql_cte_materialized() ~ ' (
    select' ~ sqlmetrics.lines(codes + [
        sqlmetrics.half_of(sqlmetrics.fifth_power('sm_start')) ~ ' as sm_half',
    ] + sqlmetrics.entries_of_factors(sums), 8) ~ '
    from (
        select
            sm_numbered.*,
            ' ~ sqlmetrics.mixed_with('sm_content', sqlmetrics.sql_integer('sm_copy')) ~ ' as sm_start
        from (
            ' ~ numbered ~ '
        ) as sm_numbered
    ) as sm_started
)') -%}
{%- do return(stages) -%}
{%- endmacro %}

{# The factors of units as select-list entries. #}
{% macro entries_of_factors(sums) -%}
    {%- set entries = [] -%}
    {%- for sql, column in sums['factors'].items() -%}{%- do entries.append(sql ~ ' as ' ~ column) -%}{%- endfor -%}
    {%- do return(entries) -%}
{%- endmacro %}

{#
  sm_described: one row for each list: its number, its rows, and the value that its rows have of each column.
  sm_divided: how many lists have several values of a column.
#}
{% macro stages_of_described(plan) -%}
{%- set sources, parts = [], sqlmetrics.parts_of_models(plan) -%}
{#- models that share their rows read the same -#}
{%- for part in (parts if plan['question']['own']['apart'] else parts[:1]) -%}
    {%- do sources.append('select' ~ sqlmetrics.lines(
        [plan['facts']['group'] ~ ' as sm_unit'] + (['sm_outcome'] if plan['facts']['soft'] else [])
            + sqlmetrics.values_of_search(plan), 16
    ) ~ '
            from ' ~ part['rows']) -%}
{%- endfor -%}
{%- set numbered = plan['facts']['group'] == 'sm_row_number' -%}
{%- set n_rows = 'sum(sm_outcome)' if plan['facts']['soft'] else 'count(*)' -%}
{%- set columns, several = ['sm_unit', n_rows ~ ' as sm_n_rows'], [] -%}
{%- for column in plan['question']['own']['columns'] -%}
    {%- set value = 'sm_rows_described.' ~ column['value'] -%}
    {%- do columns.append(sqlmetrics.sql_aggregate('max', value) ~ ' as ' ~ column['value']) -%}
    {%- do several.append(
        'min(' ~ value ~ ') < max(' ~ value ~ ') or count(' ~ value ~ ') between 1 and count(*) - 1'
    ) -%}
{%- endfor -%}
{%- do columns.append('case when ' ~ several | join(' or ') ~ ' then 1 else 0 end as sm_divided') -%}
{%- set number = 'sm_unit' if numbered else 'row_number() over (order by ' ~ sqlmetrics.by_bytes('sm_unit') ~ ')' -%}
{%- do return(['-- the columns of each list
sm_described as' ~ sqlmetrics.sql_cte_materialized() ~ ' (
    select sm_lists_described.*, ' ~ sqlmetrics.sql_integer(number) ~ ' as sm_number
    from (
        select' ~ sqlmetrics.lines(columns, 12) ~ '
        from (
            ' ~ sources | join('\n            union all\n            ') ~ '
        ) as sm_rows_described
        where sm_unit is not null
        group by sm_unit
    ) as sm_lists_described
)', '-- the lists that no slice has as a whole
sm_divided as' ~ sqlmetrics.sql_cte_materialized() ~ ' (
    select coalesce(sum(sm_divided), 0) as sm_groups_divided from sm_described
)']) -%}
{%- endmacro %}

{#
  sm_compared_areas: for each list, the sums n and d of AUC as a ratio. A row adds half its share of correctly ordered
    pairs, over the number of rows of its class. Then n / d over all rows is AUC. Over a part of the rows it is the mean
    of the AUC of its positive rows against all negative ones and of that of its negative rows against all positive
    ones, weighted by their shares of the classes.
#}
{% macro stage_units_of_areas(plan) -%}
{%- set columns = ['sm_discordant_units.sm_group as sm_unit'] -%}
{%- set positives, negatives = sqlmetrics.sql_double('sm_all_positive'), sqlmetrics.sql_double('sm_all_negative') -%}
{%- set d = '(' ~ sqlmetrics.ratio('sm_positive_rows', positives) ~ ' + '
    ~ sqlmetrics.ratio('sm_negative_rows', negatives) ~ ') / 2' -%}
{%- set auc = '(1 - ' ~ sqlmetrics.ratio('sm_auc_discordant', '2 * ' ~ positives ~ ' * ' ~ negatives) ~ ')' -%}
{%- set n = '((sm_positive_deviation + sm_negative_deviation) / 2 + ' ~ auc ~ ' * ' ~ d ~ ')' -%}
{%- for i in sqlmetrics.compared_by(plan, ['areas']) -%}
    {%- set factor = plan['compared_metrics'][i - 1]['factor'] -%}
    {%- set scaled = factor ~ ' * ' ~ n ~ ' - ' ~ (factor - 1) ~ ' * ' ~ d -%}
    {%- for model in plan['facts']['models'] -%}
        {%- set j = loop.index -%}
        {%- for name, sql in (('n', scaled), ('d', d)) -%}
            {%- do columns.append(
                sqlmetrics.sql_aggregate(
                    'sum', 'case when sm_discordant_units.sm_model = ' ~ j ~ ' then ' ~ sql ~ ' end'
                ) ~ ' as sm_' ~ name ~ '_' ~ i ~ '_' ~ j
            ) -%}
        {%- endfor -%}
    {%- endfor -%}
{%- endfor -%}
-- what each list adds to the area under the curve
sm_compared_areas as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from sm_discordant_units
    inner join sm_auc_deviations
        on {{ sqlmetrics.same_keys(plan['facts']['keys'] + ['sm_group'], 'sm_discordant_units', 'sm_auc_deviations') }}
    {{ sqlmetrics.inner_join(plan['facts']['keys'], 'sm_discordant_units', 'sm_discordant_sums') }}
    {{ sqlmetrics.inner_join(plan['facts']['keys'], 'sm_discordant_units', 'sm_class_sizes') }}
    group by sm_discordant_units.sm_group
)
{%- endmacro %}

{#
  sm_unpaired: how many lists count for one of two models alone, in any metric. A list counts if it has a divisor; a
  group of rows, whose divisor may be 0, if it has rows.
#}
{% macro stage_unpaired(plan) -%}
{%- set alone = [] -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- set sides, i = [], loop.index -%}
    {%- for j in (1, 2) -%}
        {%- set d = 'sm_compared_' ~ metric['units'] ~ '.sm_d_' ~ i ~ '_' ~ j -%}
        {%- do sides.append(
            'case when ' ~ (d ~ ' <> 0' if metric['units'] == 'lists' else d ~ ' is not null') ~ ' then 1 else 0 end'
        ) -%}
    {%- endfor -%}
    {%- do alone.append(sides | join(' <> ')) -%}
{%- endfor -%}
-- the lists that count for one of the models alone
sm_unpaired as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        coalesce(sum(case when {{ alone | join(' or ') }} then 1 else 0 end), 0) as sm_groups_unpaired
    from sm_described
    {{- sqlmetrics.joins_of_units(plan, 'sm_described') }}
)
{%- endmacro %}

{# What lists add to the metrics, joined to them by their names. #}
{% macro joins_of_units(plan, source) -%}
    {%- for units in ('lists', 'groups', 'areas') if sqlmetrics.compared_by(plan, [units]) %}
    left join sm_compared_{{ units }} on {{ source }}.sm_unit = sm_compared_{{ units }}.sm_unit
    {%- endfor %}
{%- endmacro %}

{# sm_units from lists. #}
{% macro stage_units_of_lists(plan, sums) -%}
{%- set codes = plan['question']['own']['columns'] | map(attribute='code') | list -%}
-- a row of its own for each unit: its half, and what it adds to the metrics
sm_units as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines(codes + [
            sqlmetrics.half_of(sqlmetrics.fifth_power('sm_start')) ~ ' as sm_half', 'sm_n_rows',
        ] + sqlmetrics.entries_of_factors(sums), 8) }}
    from (
        select sm_coded.*, {{ sqlmetrics.mixed_with('sm_number', 314159265) }} as sm_start
        from sm_coded
    ) as sm_started
    {{- sqlmetrics.joins_of_units(plan, 'sm_started') }}
)
{%- endmacro %}

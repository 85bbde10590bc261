{#
  What is summed over the units of a slice. The influence of a unit on a metric is linear in its factors, n and d of
  each model, so that the sum of the squared influences follows from sums of products of factors. Slices are summed
  once, and their rest is the whole less the slice.
#}

{#
  The sums that the metrics need.

  Returns: a mapping
    factors: expression of a unit -> its column of sm_units
    sums: expression over those columns -> its column of the slices; sm_n is the number of units
    sizes: aggregate over the units of a cell -> its column of the slices, of both halves together
    metrics: for each metric its templates (`searched_metric`)
#}
{% macro sums_of_search(plan) -%}
    {%- set sums = {'factors': {}, 'sums': {'1': 'sm_n'}, 'sizes': {}, 'metrics': []} -%}
    {#- a row is a unit of one row -#}
    {%- if not sqlmetrics.searches_rows(plan) -%}{%- do sums['sums'].update({'sm_n_rows': 'sm_n_rows'}) -%}{%- endif -%}
    {%- set candidate = plan['question']['own']['candidate'] -%}
    {%- for metric in plan['compared_metrics'] -%}
        {%- set i, sides = loop.index, [] -%}
        {%- if sqlmetrics.searches_rows(plan) -%}
            {%- for score in ['sm_score'] + (['sm_score_2'] if candidate is not none else []) -%}
                {%- set texts = dict(plan['literals'], score=score) -%}
                {%- do sides.append({
                    'n': sqlmetrics.with_holes(metric['template']['numerator'], texts, 'sm_'),
                    'd': '1' if metric['each']
                        else sqlmetrics.with_holes(metric['template']['denominator'], texts, 'sm_'),
                }) -%}
            {%- endfor -%}
        {%- else -%}
            {%- for model in plan['facts']['models'] -%}
                {%- do sides.append({
                    'n': 'sm_n_' ~ i ~ '_' ~ loop.index, 'd': 'sm_d_' ~ i ~ '_' ~ loop.index,
                }) -%}
            {%- endfor -%}
        {%- endif -%}
        {%- set closed = metric['least'] is not none and metric['most'] is not none -%}
        {%- do sums['metrics'].append(dict(
            sqlmetrics.searched_metric(sums, sides, metric['root']),
            widest=(metric['most'] - metric['least']) * sides | length if closed else 'null'
        )) -%}
    {%- endfor -%}
    {%- do return(sums) -%}
{%- endmacro %}

{# The column of sm_units that holds a factor; 1 is no column. #}
{% macro factor(sums, sql) -%}
    {%- if sql == '1' -%}{%- do return('1') -%}{%- endif -%}
    {%- set sql = 'coalesce(' ~ sqlmetrics.sql_double(sql) ~ ', 0)' -%}
    {%- do return(sums['factors'].setdefault(sql, 'sm_factor_' ~ (sums['factors'] | length + 1))) -%}
{%- endmacro %}

{# The column of the slices that holds the sum of a product of two factors. #}
{% macro product_sum(sums, one, other='1') -%}
    {%- set sql = sqlmetrics.value_times(one, other) if one <= other else sqlmetrics.value_times(other, one) -%}
    {%- do return(sqlmetrics.sum_of_search(sums, sql)) -%}
{%- endmacro %}

{# The column of the slices that holds a sum over units. #}
{% macro sum_of_search(sums, sql) -%}
    {%- do return(sums['sums'].setdefault(sql, 'sm_sum_' ~ (sums['sums'] | length + 1))) -%}
{%- endmacro %}

{#
  The share of the largest unit in a sum of sizes over the units of both halves, the largest if there are several sums.

  Args:
    sizes: expressions over the factors of a unit, of any sign
#}
{% macro largest_share(sums, sizes) -%}
    {%- set shares = [] -%}
    {%- for size in sizes | unique -%}
        {%- set columns = [] -%}
        {%- for aggregate in ('max', 'sum') -%}
            {%- do columns.append(sums['sizes'].setdefault(
                aggregate ~ '(abs(' ~ size ~ '))', 'sm_size_' ~ (sums['sizes'] | length + 1)
            )) -%}
        {%- endfor -%}
        {%- do shares.append(sqlmetrics.ratio(columns[0], columns[1])) -%}
    {%- endfor -%}
    {%- set cases = [] -%}
    {%- for share in shares -%}
        {%- set others = [] -%}
        {%- for other in shares if other != share -%}
            {%- do others.append(share ~ ' >= coalesce(' ~ other ~ ', 0)') -%}
        {%- endfor -%}
        {%- do cases.append('when ' ~ others | join(' and ') ~ ' then ' ~ share) -%}
    {%- endfor -%}
    {%- do return(shares[0] if shares | length == 1 else 'case ' ~ cases | join(' ') ~ ' end') -%}
{%- endmacro %}

{#
  The templates of a metric, over the sums of a slice: units (those that count), size (the sum of d), effective (the
  number of units of equal d, as Kish has it), ratios (of each model), values (their roots, for a root), value,
  squares (of influences) and largest (the share of the largest unit). `sums_of_search` adds widest, the largest
  difference that two slices can have.

  Args:
    sides: n and d of each model, over a unit
    root: true if the metric is the root of the ratio
#}
{% macro searched_metric(sums, sides, root) -%}
    {%- set models, parts = [], [] -%}
    {%- set same = sides | length == 2 and not root and sides[0]['d'] == sides[1]['d'] -%}
    {%- set difference = '(' ~ sides[1]['n'] ~ ') - (' ~ sides[0]['n'] ~ ')' if same -%}
    {%- for side in sides -%}
        {%- set number = loop.index -%}
        {#- the differences are summed anyway, so that the n of the candidate needs no sum of its own -#}
        {%- set differs = same and number == 2 -%}
        {%- set n = sqlmetrics.factor(sums, difference if differs else side['n']) -%}
        {%- set d = sqlmetrics.factor(sums, side['d']) -%}
        {%- set total = ('(' ~ sqlmetrics.product_sum(sums, models[0]['n']) ~ ' + ' if differs)
            ~ sqlmetrics.product_sum(sums, n) ~ (')' if differs) -%}
        {%- do models.append({
            'n': n, 'd': d, 'size': sqlmetrics.product_sum(sums, d),
            'ratio': sqlmetrics.ratio(total, sqlmetrics.product_sum(sums, d)),
        }) -%}
        {%- set ratio = 'sm_ratio_' ~ number -%}
        {%- set slope = ('-' if number < sides | length else '') ~ (
            '1 / (2 * nullif(sqrt(' ~ ratio ~ '), 0))' if root else '1.0'
        ) -%}
        {%- set scale = sqlmetrics.ratio(slope, models[-1]['size']) -%}
        {%- if not same -%}
            {%- do parts.extend([[n, scale], [d, '-' ~ ratio ~ ' * ' ~ scale]]) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if same -%}
        {#- both models divide by the same: the differences of n lose fewer digits than those of their squares -#}
        {%- set n, d = models[1]['n'], models[0]['d'] -%}
        {%- set scale = sqlmetrics.ratio('1', models[0]['size']) -%}
        {%- set ratio = sqlmetrics.ratio(sqlmetrics.product_sum(sums, n), models[0]['size']) -%}
        {%- do parts.extend([[n, scale], [d, '-' ~ ratio ~ ' * ' ~ scale]]) -%}
    {%- endif -%}
    {%- set values = [] -%}
    {%- for model in models -%}
        {%- do values.append('sqrt(sm_ratio_' ~ loop.index ~ ')' if root else 'sm_ratio_' ~ loop.index) -%}
    {%- endfor -%}
    {%- set counts = models | map(attribute='d') | unique | list -%}
    {%- set counted = '1' if '1' in counts
        else 'case when ' ~ counts | join(' <> 0 or ') ~ ' <> 0 then 1 else 0 end' -%}
    {%- set d = models[-1]['d'] -%}
    {%- set n = models[-1]['n'] if same or models | length == 1 else models[1]['n'] ~ ' - ' ~ models[0]['n'] -%}
    {%- set sizes = [n] + models | map(attribute='d') | reject('equalto', '1') | list -%}
    {%- do return({
        'units': sqlmetrics.sum_of_search(sums, counted), 'size': models[-1]['size'],
        'effective': sqlmetrics.ratio(
            models[-1]['size'] ~ ' * ' ~ models[-1]['size'], sqlmetrics.product_sum(sums, d, d)
        ),
        'ratios': models | map(attribute='ratio') | list, 'values': values,
        'value': ratio if same else values | reverse | join(' - '),
        'squares': sqlmetrics.sum_of_squares(sums, parts),
        'largest': sqlmetrics.largest_share(sums, sizes),
    }) -%}
{%- endmacro %}

{#
  The sum over units of the square of a linear form of factors; 0 if it is within the rounding of its terms.

  Args:
    parts: pairs of a factor and its coefficient
#}
{% macro sum_of_squares(sums, parts) -%}
    {%- set terms, sizes = [], [] -%}
    {%- for one, scale in parts -%}
        {%- set first = loop.index0 -%}
        {%- for other, other_scale in parts[first:] -%}
            {%- set term = (scale ~ ' * (' ~ other_scale ~ ') * ') ~ sqlmetrics.product_sum(sums, one, other) -%}
            {%- do terms.append(term if loop.first else '2 * ' ~ term) -%}
            {%- if loop.first -%}{%- do sizes.append('abs(' ~ term ~ ')') -%}{%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set squares = terms | join(' + ') -%}
    case when {{ squares }} <= 1e-14 * ({{ sizes | join(' + ') }}) then 0 else {{ squares }} end
{%- endmacro %}

{#
  A curve of a label and a score as a table: rows of points for each slice and in total, in one
  statement.

  Args:
    relation: as for `evaluate`
    kind: the notation of a curve: `roc`, `det`, `precision_recall`, `calibration(bins=20)`, `gain(quantiles=100)`,
      `net_benefit`, `qini(treatment=treated)`, `thresholds(at='0.3, 0.5')`, `residuals(bins=20)`
    interval: the level of a band about the curve, such as 0.95, for roc, det, precision_recall and calibration: columns
      tpr_low and tpr_high, and so on. Without it, calibration has the pointwise one of its own interval
    band: pointwise (the default) holds the true curve in one point, simultaneous in all points at once
    label, score, weight, by, total, total_name, positive, soft, score_levels, read_once, where: as for `evaluate`
  Returns: a query. For each model and slice it has the by columns, is_total, model, the audit counts and the
    columns of the curve, one row for each point; a slice without points has one row of nulls
  Errors: everything that cannot be read or computed, in one sentence; broken data give null points and a
    count
  Example: {{ sqlmetrics.curve(ref('predictions'), 'roc', label='clicked', score='score', by=['country']) }}
#}
{% macro curve(relation, kind) -%}
    {%- set given = sqlmetrics.options_taken('curve', kwargs) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.curve_plan(kind, relation=relation, **given)) -}}
{%- endmacro %}

{#
  The plan of a curve. Its macro `curve_of_<kind>` returns the columns. It also sets plan['points'], the CTE
  sm_points from which they are read, and plan['point_order'], the order of the points.
#}
{% macro curve_plan(kind, question=none, band=none) -%}
    {%- set plan = sqlmetrics.empty_plan(question or sqlmetrics.question_of_points(), **kwargs) -%}
    {%- do plan.update({'band': sqlmetrics.band_asked(plan, band)}) -%}
    {%- set parsed = sqlmetrics.parse_notation(kind) -%}
    {%- set macro = 'curve_of_' ~ parsed['name'] -%}
    {%- if macro not in sqlmetrics -%}
        {{- sqlmetrics.refuse(sqlmetrics.unknown('curve', parsed['name'])) -}}
    {%- endif -%}
    {%- if plan['facts']['truth'] is not none -%}
        {{- sqlmetrics.refuse("truth= serves metrics of lists only, such as ndcg@10 and map@10, not curves") -}}
    {%- endif -%}
    {%- do sqlmetrics.ask(plan, kind) -%}
    {%- do plan['definitions'].append({'name': kind, 'notation': kind, 'macro': macro}) -%}
    {%- do plan.update({'reads_scores': kind}) -%}
    {{- sqlmetrics.need_role(plan, 'label') ~ sqlmetrics.need_role(plan, 'score') -}}
    {%- if parsed['name'] not in sqlmetrics.curves_of_numbers() -%}
        {%- do sqlmetrics.is_positive(plan) -%}
    {%- elif plan['facts']['soft'] -%}
        {{- sqlmetrics.refuse_soft(plan, 'it reads the label as a number') -}}
    {%- endif -%}
    {%- set columns = sqlmetrics[macro](plan, **parsed['params']) -%}
    {{- sqlmetrics.check_band(plan, parsed['name'], columns) ~ sqlmetrics.check_soft(plan) -}}
    {%- if plan['question']['reads'] == 'state' -%}{%- do sqlmetrics.require_held(plan) -%}{%- endif -%}
    {%- for column in columns -%}
        {%- do plan['result']['columns'].append({
            'name': column['name'], 'notation': kind, 'value': sqlmetrics.guarded(plan, column['value']),
            'integer': column.get('integer', false),
            'counts': column.get('counts', false),
        }) -%}
    {%- endfor -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# The curves whose label is a number to predict, and not a class. #}
{% macro curves_of_numbers() -%}{%- do return(['residuals']) -%}{%- endmacro %}

{# A query with a row for each score level, of the columns that a curve reads. #}
{% macro points_of_levels(plan, columns) -%}
    {%- do sqlmetrics.read_levels(plan) -%}
select
        {{- sqlmetrics.lines(plan['facts']['keys'] + columns, 8) }}
    from sm_levels
{%- endmacro %}

{# Records the columns of whole levels of which the points are made. A band of weighted rows names `through` itself. #}
{% macro read_levels(plan, columns=none) -%}
    {%- set through = [] if plan['band'] is not none and plan['facts']['weight'] is not none else ['through'] -%}
    {%- do sqlmetrics.note_reads(
        plan, 'points', ['score'] + through + ['positives_through'] if columns is none else columns
    ) -%}
{%- endmacro %}

{#
  The question of `find_slices`: slices in which a metric differs from the rest.

  Args:
    options: columns, depth, min_units, bins, max_values, dates_by; apart, true if two models have rows of their own
    by_rows: true if rows are the units, without numbers
    candidate: the score of a second model that rows carry beside the first
    where: the condition on the rows of the one model
#}
{% macro question_of_search(options, by_rows, candidate=none, where=none) -%}
    {%- do return(sqlmetrics.question(
        keeps='units', value=sqlmetrics.add_searched, stages=sqlmetrics.stages_of_search,
        select=sqlmetrics.result_of_search, order=none, hints=false, n_rows='n_rows_of_data',
        scores=sqlmetrics.scores_of_search, names_units=true, finds_units=true, counts_classes=false,
        carries=options['columns'] if by_rows else [], numbered_by=options['columns'], needs_all_scores=true,
        where=where, own=dict(options, by_rows=by_rows, candidate=candidate), call='find_slices'
    )) -%}
{%- endmacro %}

{# The score of the other model beside that of a row: both models count the same rows. #}
{% macro scores_of_search(plan, model) -%}
    {%- if plan['question']['own']['candidate'] is not none -%}
        {%- do return({'sm_score_2': plan['question']['own']['candidate']}) -%}
    {%- endif -%}
    {%- set scores = {} -%}
    {%- set own = plan['question']['own'] -%}
    {%- for other in plan['facts']['models'] if other != model and not own['by_rows'] and not own['apart'] -%}
        {%- do scores.update({'sm_score_2': other['score']}) -%}
    {%- endfor -%}
    {%- do return(scores) -%}
{%- endmacro %}

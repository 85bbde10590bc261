{#
  The question of `compare`: the difference of metrics between models.

  Args:
    paired: false if the models have data of their own, whose units do not make pairs
    options: what the tests read: test, correction, power, on_unpaired, by_rows
    means: true if the total is the mean of the slices
#}
{% macro question_of_comparison(paired, options, means=false) -%}
    {%- do return(sqlmetrics.question(
        keeps='units' if paired else 'slices', value=sqlmetrics.add_comparison if paired else sqlmetrics.add_sample,
        stages=sqlmetrics.stages_of_comparison, select=sqlmetrics.result_of_comparison,
        resampled=sqlmetrics.bootstrapped_comparison, order=none, names_models=false, names_units=true,
        has_total=means, finds_units=means,
        redraws=sqlmetrics.redrawn_replicates(), own=dict(options, paired=paired),
        call=options['call']
    )) -%}
{%- endmacro %}

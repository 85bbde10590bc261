{#
  Slices of the data in which a metric differs from the rest, such as one country on one device: where a model is
  worse, or where a candidate loses to a baseline. It looks at every slice of up to `depth` columns.

  Half of the units (rows; lists with group=) find slices, the other half confirms them: an effect that was picked
  for its size is smaller on data that did not pick it. A slice that adds nothing to a slice of fewer columns is
  left out. Of a column with two values one is a slice, since the other is its rest: the greater number, or the rarer
  text.

  Args:
    relation: as for `evaluate`
    metrics: ratios of sums over rows or lists (`log_loss`, `precision`, `ndcg@10`, `gauc`), roots of these
      (`rmse`), `auc` and `gini`. Those of rows and AUC count what a row, or a list with group=, adds to them
    by: the columns whose values make the slices, one or a list
    score: the score of a model, whose value in a slice is compared with that in the rest
    baseline, candidate: the scores of two models instead. The value of a slice is then the candidate's less the
      baseline's. A row without the score of one model counts for neither
    models, or relation as a mapping of names to tables: models with rows of their own, as for `compare`. One is
      searched; of several, baseline and candidate name two, which are paired by group
    group: the list (query, user, session) of a row. A list lies in one slice: all of its rows have the same
      values of by
    depth: the most columns that make a slice, 1 to 3
    min_units: the fewest units of a slice, and of its rest
    numeric: the columns of by that are numbers, which are divided into bins
    bins: the number of bins of a number, with equally many units, from 2 to 100. A number with at most 20 different
      values, or `bins` if that is more, is not divided: each value is a slice
    dates: the columns of by that are dates or timestamps
    dates_by: the slices of a date: day, week (as week of its Monday) or month
    max_values: a column with more values than this keeps the most frequent; the others are one value, (other)
    interval: the confidence level of the intervals; 1 - interval is the level of the tests
  Further arguments are those of `evaluate` that plan/options.sql has for it
  Returns: a query with one row for each slice and metric, the confirmed ones first, then by the size of impact:
    slice: what it is, as text
    the by columns: the value of the slice as text, (null) for NULL; null if the slice leaves the column open
    metric: its name
    n_rows, n_units: the rows of the slice (if rows are the units, those that can be used; those of both models, if
      each has rows of its own), and its units that count for the metric
    baseline_value, candidate_value: of two models, in the finding half
    value, rest, difference: the metric in the slice, in all other units, and the first less the second; in the
      finding half, as are the next four
    low, high: the interval of the difference
    p_value, q_value: of the difference, two-sided, by Welch's t with the larger of its standard error and that of
      units drawn from slice and rest alike; and Benjamini and Hochberg's over all slices that were looked at, and all
      metrics
    confirmed_difference, confirmed_low, confirmed_high, confirmed_p_value: the same of the other half
    confirmed: 1 if q_value and confirmed_p_value are at most 1 - interval and both differences have one sign
    impact: confirmed_difference times the share of the slice: how far the slice moves the metric of the whole
    largest_share: the share of the largest unit in what all units of the slice, of both halves, add to the metric,
      without signs. Above 0.1 a single unit decides much of the value
    slices_looked_at, slices_folded: how many slices were looked at, by all metrics together; how many of these
      are left out since they add nothing to one of fewer columns
    the audit counts of `evaluate`
    Without a slice to look at, and with broken data, there is one row: the counts, without a slice
  Undefined: no interval and p-value where fewer than two units of a half count, or where nothing varies
  Errors: a metric of another kind; more than 1,000 sets of up to depth columns, such as 45 columns with depth=2;
    lists whose rows differ in a column of by, which are counted in groups_divided; of models with rows of their own,
    lists that count for one of them alone, in groups_unpaired; as for `evaluate`, broken data give a count
  Source: Welch (1947), doi:10.1093/biomet/34.1-2.28, linearised for ratios: Cochran, Sampling Techniques (1977), 6.3;
    the other standard error: Pitman (1937), doi:10.2307/2984124;
    placements of AUC: DeLong, DeLong, Clarke-Pearson (1988), doi:10.2307/2531595; Benjamini and Hochberg (1995),
    doi:10.1111/j.2517-6161.1995.tb02031.x; halves: Cox (1975), A note on data-splitting for the evaluation of
    significance levels, doi:10.1093/biomet/62.2.441
  Example: {{ sqlmetrics.find_slices(ref('predictions'), 'log_loss', ['country', 'device', 'age'], label='clicked',
    score='p', numeric='age') }}
#}
{% macro find_slices(relation, metrics, by, score=none, baseline=none, candidate=none) -%}
    {%- set given = sqlmetrics.options_taken('find_slices', kwargs) -%}
    {%- set models = sqlmetrics.searched_models(score, baseline, candidate, given.get('models'), relation) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.find_slices_plan(metrics, by, models, relation=relation, **given)) -}}
{%- endmacro %}

{# The models in the form of `score`: one, or the baseline and the candidate, by their columns or their names in it. #}
{% macro searched_models(score, baseline, candidate, models=none, relation=none) -%}
    {%- if models is not none or sqlmetrics.is_tables(relation) -%}
        {%- do return(sqlmetrics.searched_apart(
            baseline, candidate, sqlmetrics.named_scores(score, models, relation)
        )) -%}
    {%- endif -%}
    {%- set two, score = {'baseline': baseline, 'candidate': candidate}, sqlmetrics.named_scores(score) -%}
    {%- if score is mapping and baseline is not none -%}
        {%- set models = sqlmetrics.two_of_names(baseline, candidate, score) -%}
        {%- do return({'baseline': models[baseline], 'candidate': models.values() | last}) -%}
    {%- elif score is not none and (baseline is not none or candidate is not none) -%}
        {{- sqlmetrics.refuse("find_slices takes score=, or baseline= and candidate=, not both") -}}
    {%- elif (baseline is none) != (candidate is none) -%}
        {{- sqlmetrics.refuse(
            "find_slices compares baseline= with candidate=; pass both, or score= for one model"
        ) -}}
    {%- endif -%}
    {%- for name, column in dict(two, score=score).items() if column is not none and column is not string -%}
        {{- sqlmetrics.refuse(
            name ~ "= of find_slices takes one column or an SQL expression, got " ~ column
                ~ "; two models are written baseline= and candidate="
        ) -}}
    {%- endfor -%}
    {%- if baseline is not none and baseline == candidate -%}
        {{- sqlmetrics.refuse(
            "candidate '" ~ candidate ~ "' is the column of the baseline; a model is compared with another one"
        ) -}}
    {%- endif -%}
    {%- do return({'score': score} if baseline is none else two) -%}
{%- endmacro %}

{# The score of the one model of rows of their own, or those of the two that are named, the baseline first. #}
{% macro searched_apart(baseline, candidate, score) -%}
    {%- if baseline is none and candidate is none and score | length == 1 -%}
        {%- do return(score) -%}
    {%- elif baseline is none -%}
        {{- sqlmetrics.refuse(
            "find_slices searches one model, or the difference of two: name them as baseline= and candidate=, or pass"
                ~ " one, by its name in models= or its table alone. Models: " ~ score | join(', ')
        ) -}}
    {%- endif -%}
    {%- do return(sqlmetrics.two_of_names(baseline, candidate, score)) -%}
{%- endmacro %}

{# The baseline and the candidate by their names, of which only two may be asked. #}
{% macro two_of_names(baseline, candidate, score) -%}
    {%- set models = sqlmetrics.models_of_names(baseline, candidate, false, score) -%}
    {%- if models | length > 2 -%}
        {{- sqlmetrics.refuse(
            "find_slices compares two models; name one of " ~ models | reject('eq', baseline) | join(', ')
                ~ " as candidate="
        ) -}}
    {%- endif -%}
    {%- do return(models) -%}
{%- endmacro %}

{#
  The plan of `find_slices`. The units of AUC, and of soft labels, are numbered rows if there are no lists: the stages
  of AUC read a group of each row, and a soft label makes two rows of one. Otherwise rows need no number.
#}
{% macro find_slices_plan(
    metrics, by, score, relation=none, models=none, group=none, depth=2, min_units=200, bins=10, max_values=50,
    dates_by='week', numeric=[], dates=[], interval=0.95, soft=false
) -%}
    {{- sqlmetrics.sql_check_search() -}}
    {{- sqlmetrics.check_search(depth, min_units, bins, max_values, dates_by) -}}
    {{- sqlmetrics.check_level(interval) -}}
    {%- set score = score if score is mapping else {'score': score} -%}
    {%- set apart = score | length > 1 and sqlmetrics.has_own_rows(score, relation, models) -%}
    {{- sqlmetrics.check_key_of_pairs(apart, group) -}}
    {%- set one = {'relation': relation, 'models': models, 'where': none} if apart
        else sqlmetrics.rows_of_one_model(relation, models, kwargs.get('columns')) -%}
    {%- set searched = {
        'columns': sqlmetrics.searched_columns(by, numeric, dates), 'depth': depth, 'min_units': min_units,
        'bins': bins, 'max_values': max_values, 'dates_by': dates_by, 'apart': apart,
    } -%}
    {%- set candidate = none if group is not none else sqlmetrics.expressions(score).get('candidate')
        if kwargs.get('columns') is none else score.get('candidate') -%}
    {%- set sets = sqlmetrics.sets_of_columns(searched['columns'] | length, depth) | length -%}
    {%- if sets > 1000 -%}
        {{- sqlmetrics.refuse(
            "by= of " ~ searched['columns'] | length ~ " columns makes " ~ sets ~ " sets of up to " ~ depth
                ~ " columns, and 1000 are the most; pass fewer columns, or a lower depth="
        ) -}}
    {%- endif -%}
    {%- set first = score.values() | first -%}
    {%- set facts = dict(
        kwargs, interval=interval, total=false, soft=soft, relation=one['relation'], models=one['models']
    ) -%}
    {%- set by_rows = group is none and not soft -%}
    {%- set plan = sqlmetrics.plan(
        metrics, sqlmetrics.question_of_search(searched, by_rows, candidate if by_rows else none, one['where']),
        score=first if by_rows else score, group=group, **facts
    ) -%}
    {%- set areas = plan['compared_metrics'] | selectattr('units', 'equalto', 'areas') | list -%}
    {%- if group is none and (soft or areas) -%}
        {%- set plan = sqlmetrics.plan(
            metrics, sqlmetrics.question_of_search(searched, false, where=one['where']), score=score,
            group='sm_row_number', **facts
        ) -%}
        {%- do sqlmetrics.with_facts(plan, read_once=true) -%}
    {%- elif group is none -%}
        {%- do sqlmetrics.keep_checks(plan) -%}
    {%- endif -%}
    {%- if group is not none -%}
        {%- do plan['result']['checks'].update({'sm_groups_divided': {
            'name': 'groups_divided', 'grain': 'rows', 'value': none, 'value_hole': none,
            'message': 'groups have several values of a column of by=; a list lies in one slice, so take columns that'
                ~ ' are the same in all rows of a group',
        }}) -%}
    {%- endif -%}
    {%- if apart -%}
        {%- do plan['result']['checks'].update({'sm_groups_unpaired': {
            'name': 'groups_unpaired', 'grain': 'rows', 'value': none, 'value_hole': none,
            'message': 'groups count for one of the two models alone; leave them out of the data, as where= does',
        }}) -%}
    {%- endif -%}
    {%- do plan['result'].update({
        'columns': sqlmetrics.columns_of_search(plan), 'names': ['slices_looked_at', 'slices_folded'],
    }) -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# Rejects options of the search that are out of their limits. #}
{% macro check_search(depth, min_units, bins, max_values, dates_by) -%}
    {%- for name, value, least, most in (
        ('depth', depth, 1, 3), ('min_units', min_units, 2, 1000000000), ('bins', bins, 2, 100),
        ('max_values', max_values, 1, 1000),
    ) if value is not integer or value is boolean or not least <= value <= most -%}
        {{- sqlmetrics.refuse(
            name ~ " must be an integer from " ~ least ~ " to " ~ most ~ ", got " ~ sqlmetrics.shown(value)
        ) -}}
    {%- endfor -%}
    {%- if dates_by not in ('day', 'week', 'month') -%}
        {{- sqlmetrics.refuse("dates_by: '" ~ dates_by ~ "' is not known. Allowed: day, week, month") -}}
    {%- endif -%}
{%- endmacro %}

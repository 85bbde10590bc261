{#
  Any number of metrics over one or two relations, by slice and in total, in one statement.

  Args:
    relation: a table or CTE name, a dbt relation, or a query
    metrics: a list of notations (`auc`, `ndcg@10`, `precision(threshold=0.3)`), or a mapping of column names
      to notations
    label: the truth of a row: 0/1, a boolean, a grade, a number to predict, or a text (see `positive`). This
      and other columns are SQL: a name or an expression
    gold: the label by people, NULL in rows where they gave none; the labels of `label` are then those of a machine,
      which are corrected. Adds n_gold, the rows with such a label, with group= n_gold_groups, the groups with some,
      and to each metric <metric>_judge, by the machine alone, <metric>_gold, by people alone, and <metric>_n_effective,
      the number of labels by people that the interval is worth. The interval is one of 0.95 by default. A list is one
      of people if they labelled all of it; with metrics of rows, groups are clusters
    gold_weight: where rows that people label are drawn with unequal chances, the inverse of the chance of a row
      (Horvitz and Thompson), in any unit; it is read in rows that people labelled
    score: the score of a model, higher means more relevant; or a mapping of model names to columns, which
      gives one row for each model. A model with rows elsewhere is a mapping of sql (the column) and relation. A score
      of -inf ranks last, unless a metric of the call reads the value of scores (log_loss, rmse, ece)
    models: in long form, where each row is that of one model: a mapping of the column that names the model to the
      names, {'run': ['bm25', 'dense']}; score is then one column for all models, and other rows are not read. Where
      each model has a table of its own, the relation is a mapping of names to tables with the same columns
    group: the list (query, user, session) that a row belongs to; a list of columns, where several make its key
    item: the listed item; joins `truth`. With it, an item that occurs twice in a list is counted and makes
      list metrics null
    weight: the weight of a row, >= 0; for list metrics the weight of the list, the same in all its rows
    by: the columns whose values are the slices, one or a list; expressions with names are a mapping,
      {'month': "date_trunc('month', day)"}
    total: true adds a row for all slices together (`is_total`)
    total_of: rows, the values over all rows together; or slices, the mean of the values of the slices, each of equal
      weight, such as the macro average over the subtasks of a benchmark, with its interval: slices are strata, and a
      list or group with rows in several slices is one unit. Such a mean is null if a slice has no value, and its
      interval is null if a slice has fewer than two units; counts beside the metrics are summed. No interval with
      interval_method=bootstrap, or of a metric without a formula for its standard error
    total_name: a name for the total in the by columns, such as 'all', which no slice has. These are then text, and
      (null) instead of NULL, so that they are keys of an incremental model or a snapshot
    truth: a relation of group, item and label: the relevant items, listed or not. The first relation then has
      no label
    truth_by: the columns of `by` that the truth has; each of its groups is expected in every value of the
      others
    subtopic: a column of the truth, which then has a row for each group, item and subtopic; an item is
      relevant if it is relevant for any subtopic
    prediction: the column of the predicted class, for the metrics of classes; a number with a fraction is
      no class: rows_prediction_fraction counts such rows, and the metrics are null
    class_scores: a mapping of each class to the column of its score, {'cat': 'p_cat', 'dog': 'p_dog'}, for
      metrics such as multiclass_log_loss; the label is then the class. Or a column of arrays and the classes of its
      elements, {'column': 'probs', 'classes': ['cat', 'dog']}, on an engine with arrays
    catalog: a relation of the items that could be recommended
    history: a relation of group and item, the past interactions
    distances: a relation of item_a, item_b and distance
    category: a column of the catalog
    max_grade: the highest grade of the scale
    positive: the least label of a positive row and of a relevant item; for a text label, the positive text
    soft: true takes a label from 0 to 1 as the chance p of a positive row, which counts as a positive one of weight p
      and a negative one of weight 1 - p (stages/input/outcomes.sql); for metrics that are sums over weighted rows or
      levels of their scores
    ties: the rank of tied scores in a list: average (the default), worst, best, item, item desc or
      text desc (the item as a text, as in trec_eval); with class_scores the items are the classes
    convention: the library whose definitions are the defaults, such as trec_eval (see plan/conventions.sql);
      a library's own name of a metric, such as ndcg_cut_10, has that library's definition under each, but for ties
    on_extra: treatment of a list without truth: drop (left out and counted) or error (counted, and the
      metrics are null)
    on_duplicate: treatment of an item that a list has twice: error (counted, and list metrics are null), or
      first (its best-ranked row is kept, the others are counted)
    unjudged: treatment of an unjudged item: not_relevant or drop (left out and counted), see
      plan/policies.sql
    score_levels: sorted, or counted for scores with few distinct values (see stages/levels/levels.sql)
    where: a condition on the rows of the relation, such as "country = 'DE'": only rows for which it is true are read,
      counted and checked. The truth, the catalog, the history and the distances are not filtered: a list of the truth
      without a row left counts as missing
    read_once: true stores the relation instead of reading it in each stage; by default only a query is stored
    interval: a confidence level such as 0.95: adds <metric>_low and <metric>_high, null if there are too few
      data
    interval_method: exact (Clopper-Pearson, for shares), logit (for AUC), bootstrap (for all) or anytime (all that
      have a formula for their standard error: intervals that may be looked at every day, inference/anytime.sql),
      instead of the metric's default
    tightest_at: the number of units (rows; lists, with group=; of AUC those of the rarer class) at which anytime
      intervals are tightest, an integer from 30; 400 if none. It is chosen before the data
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
    {%- set given = sqlmetrics.options_taken('evaluate', kwargs) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.plan_of_evaluate(metrics, relation=relation, **given)) -}}
{%- endmacro %}

{# The plan of `evaluate`. #}
{% macro plan_of_evaluate(metrics, gold=none, gold_weight=none) -%}
    {%- if gold_weight is not none -%}{{- sqlmetrics.check_gold_weight(gold) -}}{%- endif -%}
    {%- if kwargs.get('total_of') == 'slices' -%}
        {%- if gold is not none -%}
            {{- sqlmetrics.refuse("gold= has no mean of slices; leave it or total_of= out") -}}
        {%- endif -%}
        {%- do return(sqlmetrics.plan_with_mean_of_slices(metrics, **kwargs)) -%}
    {%- endif -%}
    {%- do return(
        sqlmetrics.plan(metrics, **kwargs) if gold is none
            else sqlmetrics.plan_with_gold(metrics, gold, gold_weight=gold_weight, **kwargs)
    ) -%}
{%- endmacro %}

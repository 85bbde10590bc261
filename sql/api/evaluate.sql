{#
  Any number of metrics over one or two relations, by slice and in total, as one statement.

  Args:
    relation: what to read: a table or CTE name, a dbt relation, or a query
    metrics: a list of notations (`auc`, `ndcg@10`, `precision(threshold=0.3)`), or a mapping of column names to them
    label: the truth of a row: 0/1, a boolean, a grade, a number to predict, or a text (see `positive`). This and other columns are SQL: a name
      or an expression
    score: what the model said, higher is more relevant; or a mapping of model names to columns, which gives a row a model. A model whose rows
      stand elsewhere is a mapping of sql (the column) and relation
    group: the list (query, user, session) that a row belongs to
    item: what is listed; with it an item twice in a list is counted and makes list metrics null, and it joins `truth`
    weight: the weight of a row, >= 0; for list metrics the weight of the list, the same in all its rows
    by: the columns whose values are the slices, one or a list; an expression that is to have a name is a mapping of sql and alias
    total: whether the row for all slices together comes too (`is_total`)
    truth: a relation of group, item and label: what was relevant, listed or not. The first relation then has no label
    truth_by: those of `by` that the truth has; each of its groups is due in every value of the others
    subtopic: a column of the truth, which then has a row for each group, item and subtopic; an item is relevant if it is for any
    prediction: the column of the predicted class, for the metrics of classes
    catalog: a relation of the items that could be recommended
    history: a relation of group and item, the past interactions
    distances: a relation of item_a, item_b and distance
    category: a column of the catalog
    max_grade: the highest grade of the scale
    positive: from which label on a row is positive and an item relevant; for a text label, the positive text
    ties: how tied scores rank in a list: average (by default), worst, best, item or item desc
    convention: the library whose definitions are the defaults, such as trec_eval (see conventions.sql)
    on_extra: what a list without truth gives: drop (left out and counted) or error (counted, and the metrics are null)
    on_duplicate: what an item gives that a list has twice: error (counted, and list metrics are null), or first (its best-ranked row is kept,
      the others are counted)
    unjudged: what an item is that nobody judged: not_relevant or drop (left out and counted), see policies.sql
    score_levels: sorted, or counted where scores take few values (see stages/levels.sql)
    read_once: whether the relation is stored rather than read by each stage; by default if it is a query
    interval: a confidence level such as 0.95: adds <metric>_low and <metric>_high, null where data are too few
    interval_method: exact (Clopper-Pearson, for shares), logit (for AUC) or bootstrap (for all), instead of what suits a metric
    n_resamples: how often a bootstrap draws lists (where there is a group=) or rows, which costs about that many times what its metrics do; there is
      none, and so no interval, with subtopic=, of counts (count, tp ...) and max_error, and of user_coverage with a history
  Returns: a query; one row a model and slice with the by columns, is_total, model, the audit counts, and one column a metric
  Errors: whatever cannot be read or done, in one sentence; broken data give null metrics and a count
  Example: {{ sqlmetrics.evaluate(ref('predictions'), ['auc', 'ndcg@10'], label='clicked', score='score', group='user_id') }}
#}
{% macro evaluate(relation, metrics) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.plan(metrics, relation=relation, **kwargs)) -}}
{%- endmacro %}

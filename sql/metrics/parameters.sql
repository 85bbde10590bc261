{#
  Parameters that metrics of several families have, explained once. A header explains one only where it differs
  (sqlmetrics/book/inherited.py).

  Args:
    threshold: rows that score at least this are predicted positive, a float32 of 0.7 at 0.7
    k: cutoff in items, integer >= 1; none means the whole list
    bins: number of bins, an integer >= 1
    treatment: the column that is 1 for treated rows and 0 for the control
#}

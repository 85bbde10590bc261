{#
  Rankings judged by clicks on another ranking, which users examined from the top down. The label is the click (or a
  grade of it), and a propensity column says with which probability a user examined the item where it was shown. A click
  counts 1 / propensity, so that an item far down counts for the users who never came to it. Grain: lists.

  Only clicked items need a propensity. With truth= the clicks and their propensities are in the truth.

  Args:
    k: cutoff in items, integer >= 1; none means whole lists
    propensity: the column of the probability that a user examines the item where it was shown, in (0, 1]
    clip: the greatest weight of a click, a number >= 1; none leaves weights as they are
  Task: Search and ranking
  Returns: float
  Better: higher
  Undefined: a list without a click, listed or not, counts as empty (see on_empty)
  Errors: k < 1; no propensity=; a propensity of a clicked item that is missing or outside (0, 1]; clip < 1; a negative
    label without truth=
#}

{#
  Discounted cumulative gain from clicks, weighted by inverse propensities: the sum over ranks of click / propensity
  / log2(rank + 1). Without clip its mean over lists is an unbiased estimate of the DCG of what is relevant, up to a
  factor; clip lowers its variance and adds a bias towards 0.

  Formula: \text{DCG}_q = \sum_{r=1}^{k} v_r \frac{\max(y_r, 0)}{\log_2(r + 1)}
  Range: [0, inf)
  Unit: gain
  Traps: a few clicks with small propensities decide it; propensities are those of the ranking that was shown, and
    wrong ones bias it; lists without a click are left out, unless on_empty=zero counts them; clicks by mistake count
    as relevance
  Source: Joachims, Swaminathan and Schnabel (2017), Unbiased learning-to-rank with biased feedback,
    doi:10.1145/3018661.3018699, section 4; DCG: Agarwal et al. (2019), A general framework for counterfactual
    learning-to-rank, doi:10.1145/3331184.3331202
  Example: ips_dcg(propensity=propensity)@10
#}
{% macro metric_ips_dcg(plan, k=none, propensity=none, clip=none) -%}
    {%- do return(sqlmetrics.dcg_of_clicks(
        plan, k, sqlmetrics.inverse_propensity(plan, propensity, clip), '1', **kwargs
    )) -%}
{%- endmacro %}

{#
  nDCG from clicks, weighted by inverse propensities: the weighted DCG of a list over that of its best order, by click /
  propensity.

  Formula: \text{nDCG}_q = \frac{\text{DCG}_q}{\text{DCG}^*_q}
    \text{DCG}_q = \sum_{r=1}^{k} v_r \frac{\max(y_r, 0)}{\log_2(r + 1)}
  Range: [0, 1]
  Unit: none
  Traps: it is a ratio of two estimates in each list, so unlike ips_dcg it is biased: a list with one click has the
    discount of its rank, whatever the propensity; average=micro divides the sums over all lists; a few clicks with
    small propensities decide it
  Source: Jain, Prabhu and Varma (2016), Extreme multi-label loss functions, doi:10.1145/2939672.2939756, section 4,
    over the best value as in their code and in pyxclib, psndcg, which is average=micro; click weights: Joachims,
    Swaminathan and Schnabel (2017), doi:10.1145/3018661.3018699
  Example: ips_ndcg(propensity=propensity)@10
#}
{% macro metric_ips_ndcg(plan, k=none, propensity=none, clip=none) -%}
    {%- set weight = sqlmetrics.inverse_propensity(plan, propensity, clip) -%}
    {%- set place, worth = sqlmetrics.best_place(plan, sqlmetrics.grade_of(plan) ~ ' * ' ~ weight) -%}
    {%- set gain = worth ~ ' * ' ~ sqlmetrics.discounts_of_rank(place)['discount'] -%}
    {%- set best = sqlmetrics.need(
        plan, 'best_items', 'best_dcg_of_clicks' ~ sqlmetrics.cutoff_suffix(plan, k),
        gain if k is none else 'case when ' ~ place ~ ' <= ' ~ k ~ ' then ' ~ gain ~ ' else 0 end'
    ) -%}
    {%- do return(sqlmetrics.dcg_of_clicks(plan, k, weight, best, **kwargs)) -%}
{%- endmacro %}

{# The weighted DCG over a denominator; a list without a click is empty. #}
{% macro dcg_of_clicks(plan, k, weight, below) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, sqlmetrics.expected_dcg(plan, k, 'linear', weight), below,
        sqlmetrics.undefined_if(plan, sqlmetrics.gain_of_list(plan, 'linear', weight) ~ ' = 0', false), **kwargs
    )) -%}
{%- endmacro %}

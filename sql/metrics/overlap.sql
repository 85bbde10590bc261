{#
  How alike two rankings of the same lists are: by score, and by label, which is then the score of another ranking, such
  as another system's. Grain: items of lists.

  Tied values rank by item, descending with ties='item desc' and 'text desc', whatever else `ties` says.

  Args:
    k: cutoff in items, an integer from 1 to 100; a list with fewer items is compared to its end
  Task: Search and ranking
  Returns: float; the mean over lists
  Undefined: null if there are no lists
  Errors: k < 1 or k > 100; no item=; truth=, whose labels belong to no second ranking of the list
#}

{#
  Rank-biased overlap of score and label: the overlap of both tops at each depth, of which depth r has the weight (1 -
  p) p^(r - 1), and the overlap at the last depth all deeper ones, RBO_ext.

  Formula: \text{RBO} = \frac{1}{\left|\mathcal{U}\right|} \sum_{u \in \mathcal{U}} \left( p^{K} \frac{X_{K}}{K} + (1 -
      p) \sum_{r=1}^{K} p^{r-1} \frac{X_r}{r} \right)
  Args:
    p: the probability that a reader goes on to the next item, a number in (0, 1)
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: with p = 0.9 the first 10 ranks have 86 % of the weight; of lists of the same few items it is far above 0,
    however they are ordered; tied values of both rank by the same items, so lists that tie throughout agree
  Source: Webber, Moffat and Zobel (2010), A similarity measure for indefinite rankings,
    doi:10.1145/1852102.1852106, equation 23
  Example: rbo(p=0.9)@10
#}
{% macro metric_rbo(plan, k, p=0.9) -%}
    {%- if p is not number or p is boolean or not 0 < p < 1 -%}
        {{- sqlmetrics.refuse_metric(plan, "p must be a number > 0 and < 1, got " ~ p) -}}
    {%- endif -%}
    {%- set weights, lasts = [], [] -%}
    {%- for r in range(1, (k if k is number else 0) + 1) if r <= 100 -%}
        {%- do weights.append((1 - p) * p ** (r - 1) / r) -%}
        {%- do lasts.append(p ** r / r) -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.overlap_of_rankings(plan, k, weights, lasts)) -%}
{%- endmacro %}

{#
  Average overlap of score and label: the mean over the depths 1 to k of the share of items that both tops have.

  Formula: \text{AO} = \frac{1}{\left|\mathcal{U}\right|} \sum_{u \in \mathcal{U}} \frac{1}{K} \sum_{r=1}^{K}
      \frac{X_r}{r}
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: of lists of the same few items it is far above 0, however they are ordered; lists that tie throughout agree
  Source: Fagin, Kumar and Sivakumar (2003), Comparing top k lists, doi:10.1137/S0895480102412856
  Example: average_overlap@10
#}
{% macro metric_average_overlap(plan, k) -%}
    {%- set weights = [] -%}
    {%- for r in range(1, (k if k is number else 0) + 1) if r <= 100 -%}{%- do weights.append(1 / r) -%}{%- endfor -%}
    {%- do return(sqlmetrics.overlap_of_rankings(plan, k, weights, none, by_length=true)) -%}
{%- endmacro %}

{#
  Overlap of score and label: the share of the top k of the one that the top k of the other has.

  Formula: \text{overlap} = \frac{1}{\left|\mathcal{U}\right|} \sum_{u \in \mathcal{U}} \frac{X_{K}}{K}
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: it ignores the order within the tops; of lists no longer than k it is 1; lists that tie throughout agree
  Source: Fagin, Kumar and Sivakumar (2003), Comparing top k lists, doi:10.1137/S0895480102412856
  Example: overlap@10
#}
{% macro metric_overlap(plan, k) -%}
    {%- do return(sqlmetrics.overlap_of_rankings(plan, k, none, none, by_length=true)) -%}
{%- endmacro %}

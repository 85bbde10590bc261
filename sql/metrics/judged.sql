{#
  Metrics of ranked lists that distinguish unjudged items from irrelevant ones. Grain: lists.

  An item is unjudged if the truth (`truth=`) lacks it, or gives it a label below 0, which is how TREC marks
  an item that was pooled and not judged. Without truth= every row is a judgement. The audit count n_unjudged
  is added beside these metrics.

  Task: Search and ranking
#}

{#
  Binary preference: the mean over the relevant items of the share of the first R judged non-relevant items
  that rank below, where R is the number of relevant items. Unjudged items are ignored.

  Formula: \text{bpref}_q = \frac{1}{R} \sum_{r=1}^{n} \text{rel}_r \left( 1 - \frac{\min(o_r, R)}{\min(O, R)} \right),
      \quad \frac{0}{0} = 0
  Returns: float
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: Bpref (ir_measures) is bpref(on_empty=zero)
  Undefined: a list without a relevant item, listed or not, counts as empty (see on_empty)
  Traps: it ignores unjudged items, so it is coarse where few are judged
  Errors: a negative label without truth=, because it could mean unjudged or not relevant
  Source: Buckley and Voorhees (2004), doi:10.1145/1008992.1009000, as in trec_eval: the share is taken of the
    smaller of R and the number of judged non-relevant items; ties: the exact expectation
  Example: bpref
#}
{% macro metric_bpref(plan) -%}
    {{- sqlmetrics.no_negative_grade(plan) -}}
    {%- set relevant = sqlmetrics.relevant_of_list(plan) -%}
    {%- set others = sqlmetrics.need(
        plan, 'grade_sums', 'judged_others',
        'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' or {label} < 0 then 0 else {n}'
            ~ (' - {n_unjudged}' if sqlmetrics.has_unjudged(plan)) ~ ' end',
        more={'ranked': 'max({listed}) - count(case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then 1 end)'}
    ) -%}
    {%- set below = sqlmetrics.expected_others_below(plan, relevant, judged=true) -%}
    {%- set above = sqlmetrics.item_sum(
        plan, none, 'others_above',
        'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then ' ~ relevant ~ ' - (' ~ below ~ ') else 0 end'
    ) -%}
    {%- set most = sqlmetrics.at_most(others, relevant) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, '(' ~ sqlmetrics.expected_hits(plan, none) ~ ' - coalesce(' ~ sqlmetrics.ratio(above, most) ~ ', 0))',
        relevant, relevant ~ ' = 0',
        **kwargs
    )) -%}
{%- endmacro %}

{#
  Inferred average precision: AP estimated from a pool of which a random part is judged.

  The precision at the rank r of a relevant item is 1/r + (items of the pool above)/r * (relevant above +
  e)/(judged above + 2e), with e = 0.00001. The precisions are summed and divided by R, the number of relevant
  items. The pool consists of the judged items and of those with a label below 0.

  Tied scores are put in the pessimistic order (others before relevant items) unless `ties` sets another,
  because the expectation over random orders has no closed form.

  Formula: \text{infAP}_q = \frac{1}{R} \sum_{r=1}^{n} \text{rel}_r \left( \frac{1}{r} + \frac{J_r}{r} \cdot
      \frac{h_{r-1} + e}{h_{r-1} + o_r + 2 e} \right), \quad e = 0.00001
  Returns: float
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: infAP (ir_measures) is infap(on_empty=zero)
  Undefined: a list without a relevant item, listed or not, counts as empty (see on_empty)
  Traps: it is an estimate for sampled judgements; on complete ones take map
  Errors: a negative label without truth=, because it could mean unjudged or not relevant
  Source: Yilmaz and Aslam (2006), doi:10.1145/1183614.1183633, as in trec_eval
  Example: infap
#}
{% macro metric_infap(plan) -%}
    {{- sqlmetrics.no_negative_grade(plan) -}}
    {%- set apart = sqlmetrics.has_unjudged(plan) -%}
    {%- set rank = sqlmetrics.pessimistic_rank(plan) -%}
    {%- set hits = '(' ~ sqlmetrics.pessimistic_relevant(plan) ~ ' - 1)' -%}
    {%- set judged = '(' ~ hits ~ ' + ' ~ ('{tie_last}' if plan['facts']['ties'] == 'average' else rank)
        ~ ' - {relevant_through}' ~ (' - {unjudged_through}' if apart) ~ ')' -%}
    {%- set pool = '(' ~ judged ~ ' + {pooled_through})' if apart else judged -%}
    {%- set precision = sqlmetrics.ratio('1', rank) ~ ' + ' ~ sqlmetrics.ratio(pool, rank) ~ ' * '
        ~ sqlmetrics.ratio(hits ~ ' + 0.00001', judged ~ ' + 0.00002') -%}
    {%- set precisions = sqlmetrics.item_sum(
        plan, none, 'inferred_precisions',
        'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then ' ~ precision ~ ' else 0 end'
    ) -%}
    {%- set relevant = sqlmetrics.relevant_of_list(plan) -%}
    {%- do return(sqlmetrics.list_metric(plan, precisions, relevant, relevant ~ ' = 0', **kwargs)) -%}
{%- endmacro %}

{#
  Judged: the share of the top k that was judged; a shorter list is taken whole.

  Formula: \text{judged}_q = \frac{1}{m} \sum_{r=1}^{m} [y_r \ge 0], \quad m = \min(k, n)
  Returns: float; 1 without truth=
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: a list that is missing from the predictions counts as empty (see on_empty)
  Traps: a low share means that the other metrics of these lists rest on few items
  Errors: k < 1
  Source: ir_measures, Judged; ties: McSherry and Najork (2008)
  Example: judged@10
#}
{% macro metric_judged(plan, k=none) -%}
    {%- set unjudged = sqlmetrics.item_sum(
        plan, k, 'unjudged_in_top' ~ sqlmetrics.cutoff_suffix(plan, k),
        'case when ' ~ sqlmetrics.is_unjudged(plan) ~ ' then ' ~ sqlmetrics.chance_in_top(plan, k) ~ ' else 0 end'
    ) -%}
    {%- set listed = sqlmetrics.listed_in_top(plan, k) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, '(' ~ listed ~ ' - ' ~ unjudged ~ ')', listed, listed ~ ' = 0', **kwargs
    )) -%}
{%- endmacro %}

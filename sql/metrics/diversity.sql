{#
  Metrics of ranked lists whose items serve several subtopics (intents, aspects) of a query. Showing a
  subtopic again is worth less. Grain: lists.

  The truth has one row for each item and subtopic judged. Subtopics without a relevant item do not count; all
  others count equally.

  Tied scores rank by item, descending with ties='item desc' and 'text desc', whatever else `ties` says: the worth
  of an item depends on those above it, so that the expectation over random orders has no closed form.

  Task: Search and ranking
  Undefined: a list without a relevant item, listed or not, counts as empty (see on_empty)
#}

{#
  Alpha-nDCG: the discounted gain of new subtopics over that of an ideal order. A relevant item gains (1 -
  alpha)^n for each of its subtopics, where n counts the items above that serve the subtopic; the discount is
  1/log2(rank + 1). Grades count as relevant or not.

  Formula: \text{nDCG}_q = \frac{\text{DCG}_q}{\text{DCG}^*_q}
    \text{DCG}_q = \sum_{r=1}^{k} \frac{1}{\log_2(r + 1)} \sum_{\sigma \in S_r} (1 - \alpha)^{\sum_{j<r} [\sigma \in
      S_j]}
  Args:
    k: cutoff in items, integer from 1 to 20
    alpha: the share of its worth that a subtopic loses each time it is served, a number in [0, 1]
    ideal: judged (the judged items in greedy order: the item that gains most comes next, the last by item
      among equal ones, because the best order takes too long to find) or cutoff (k items that are each
      relevant for all subtopics)
  Returns: float; at most 1 with ideal=cutoff, and slightly above 1 for a list that beats the greedy order of
    ideal=judged
  Better: higher
  Range: [0, inf)
  Unit: none
  Aliases: α_nDCG@k (ir_measures) is alpha_ndcg(on_empty=zero)@k, alpha_nDCG@k (ir_measures) is
    alpha_ndcg(on_empty=zero)@k
  Traps: the ideal order is found greedily, which is not always the best; peers do the same
  Errors: k < 1 or k > 20; alpha outside [0, 1]; no subtopic=
  Source: Clarke et al. (2008), doi:10.1145/1390334.1390446, with the discount and the greedy ideal of TREC's
    ndeval, alpha-nDCG; ideal=cutoff is ndeval's alpha-DCG, which ndeval does not divide at all at k = 1
  Example: alpha_ndcg@10
#}
{% macro metric_alpha_ndcg(plan, k, alpha=0.5, ideal='judged') -%}
    {{- sqlmetrics.one_of(plan, 'ideal', ideal, ['judged', 'cutoff']) -}}
    {%- do return(sqlmetrics.novelty_metric(plan, 'dcg', k, alpha, ideal, **kwargs)) -%}
{%- endmacro %}

{#
  Intent-aware ERR: the expected 1/rank at which a user stops. The user wants one subtopic, each equally
  likely, and is satisfied by an item relevant for it with probability alpha. Grades count as relevant or not.

  Formula: \text{ERR}_q = \begin{cases} \frac{\alpha}{\left|S\right|} E_q & \text{ideal=none} \\ \frac{E_q}{E^*_q} &
      \text{otherwise} \end{cases}
    E_q = \sum_{r=1}^{k} \frac{1}{r} \sum_{\sigma \in S_r} (1 - \alpha)^{\sum_{j<r} [\sigma \in S_j]}
  Args:
    k: cutoff in items, integer >= 1; none means the whole list. With an ideal, k is required and at most 20
    alpha: the probability that a relevant item ends the search, a number in [0, 1]; 0.5 is that of 0/1 labels
      in ERR
    ideal: the divisor: none (no division), judged (the judged items in the order of `alpha_ndcg`) or cutoff
      (k items that are each relevant for all subtopics)
  Returns: float; at most 1 with ideal=none or cutoff, and slightly above 1 for a list that beats the greedy
    order of ideal=judged
  Better: higher
  Range: [0, inf)
  Unit: none
  Aliases: nERR_IA@k (ir_measures) is err_ia(ideal=judged, on_empty=zero)@k, ERR_IA@k (ir_measures) is
    err_ia(ideal=cutoff, on_empty=zero)@k
  Traps: without ideal= the best list has less than 1, at most 0.69 with alpha=0.5, and topics of items that serve
    many subtopics have more than others; the first two items decide most of it
  Errors: k < 1; an ideal without k or with k > 20; alpha outside [0, 1]; no subtopic=
  Source: Chapelle, Ji, Liao, Velipasaoglu, Lai, Wu (2011), doi:10.1007/s10791-011-9167-7; TREC's ndeval:
    cutoff is its ERR-IA, which it does not divide at all at k = 1; judged is its nERR-IA
  Example: err_ia@10
#}
{% macro metric_err_ia(plan, k=none, alpha=0.5, ideal=none) -%}
    {{- sqlmetrics.one_of(plan, 'ideal', ideal, [none, 'judged', 'cutoff']) -}}
    {%- do return(sqlmetrics.novelty_metric(plan, 'err', k, alpha, ideal, **kwargs)) -%}
{%- endmacro %}

{#
  Subtopic recall: the share of subtopics served by the top k.

  Formula: \text{recall}_q = \frac{\left|\bigcup_{r=1}^{k} S_r\right|}{\left|S\right|}
  Returns: float
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: StRecall@k (ir_measures) is subtopic_recall(on_empty=zero)@k
  Traps: it ignores the order within the cutoff, and is the same for one item of a subtopic as for ten; a topic
    with more subtopics than k items serve cannot reach 1
  Errors: k < 1; no subtopic=
  Source: Zhai, Cohen, Lafferty (2003), doi:10.1145/860435.860440; TREC's ndeval, strec
  Example: subtopic_recall@10
#}
{% macro metric_subtopic_recall(plan, k=none) -%}
    {%- set subtopics = sqlmetrics.subtopics_of_list(plan) -%}
    {%- set served = sqlmetrics.need(
        plan, 'subtopics', 'subtopics_served' ~ sqlmetrics.cutoff_suffix(plan, k),
        sqlmetrics.in_ranked_top(k, 'case when {served} = 0 then 1 else 0 end')
    ) -%}
    {%- do return(sqlmetrics.list_metric(plan, served, subtopics, subtopics ~ ' = 0', **kwargs)) -%}
{%- endmacro %}

{# The discounted gain of new subtopics, divided by the same gain in the ideal order. #}
{% macro novelty_metric(plan, discount, k, alpha, ideal) -%}
    {{- sqlmetrics.number(plan, 'alpha', alpha, 0, 1) -}}
    {%- set suffix = '_' ~ discount ~ '_' ~ sqlmetrics.column_name(alpha) ~ sqlmetrics.cutoff_suffix(plan, k) -%}
    {%- set subtopics = sqlmetrics.subtopics_of_list(plan) -%}
    {%- set gain = sqlmetrics.need(
        plan, 'subtopics', 'novelty' ~ suffix,
        sqlmetrics.in_ranked_top(
            k,
            'case when {served} = 0 then 1 else ' ~ sqlmetrics.sql_power(1 - alpha, '{served}') ~ ' end / '
                ~ sqlmetrics.effort(discount, '{place}')
        )
    ) -%}
    {%- if ideal is none -%}
        {%- do return(sqlmetrics.list_metric(
            plan, '(' ~ alpha ~ ' * ' ~ gain ~ ')', subtopics, subtopics ~ ' = 0', **kwargs
        )) -%}
    {%- endif -%}
    {%- if k is none -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "ideal=" ~ ideal ~ " needs a cutoff; write err_ia(ideal=" ~ ideal
                ~ ")@10"
        ) -}}
    {%- endif -%}
    {{- sqlmetrics.number(plan, 'k', k, 1, 20, true) -}}
    {%- if ideal == 'cutoff' -%}
        {%- set terms = [] -%}
        {%- for rank in range(1, k + 1) -%}
            {%- do terms.append(
                sqlmetrics.sql_double((1 - alpha) ** (rank - 1)) ~ ' / ' ~ sqlmetrics.effort(discount, rank)
            ) -%}
        {%- endfor -%}
        {%- set best = '(' ~ subtopics ~ ' * (' ~ terms | join(' + ') ~ '))' -%}
    {%- else -%}
        {%- set best = sqlmetrics.need(
            plan, sqlmetrics.picks_grain(plan, alpha, k), 'novelty_ideal' ~ suffix,
            'case when {pick} between 1 and ' ~ k ~ ' then {worth} / ' ~ sqlmetrics.effort(discount, '{pick}')
                ~ ' else 0 end'
        ) -%}
    {%- endif -%}
    {%- do return(sqlmetrics.list_metric(plan, gain, best, subtopics ~ ' = 0', **kwargs)) -%}
{%- endmacro %}

{# The divisor of a gain at a rank. #}
{% macro effort(discount, rank) -%}
    {{- sqlmetrics.sql_log2(sqlmetrics.sql_double(rank ~ ' + 1')) if discount == 'dcg'
        else sqlmetrics.sql_double(rank) -}}
{%- endmacro %}

{# x for a listed item of the top k, otherwise 0. #}
{% macro in_ranked_top(k, x) -%}
    case when {listed} = 1{{ ' and {place} <= ' ~ k if k is not none }} then {{ x }} else 0 end
{%- endmacro %}

{# The subtopics of a list that are served by some item, listed or not. #}
{% macro subtopics_of_list(plan) -%}
    {%- if plan['facts']['subtopic'] is none -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics." ~ plan['asked']['metric']
                ~ ": needs subtopic=, a column of truth= that has a row for each group, item and subtopic"
        ) -}}
    {%- endif -%}
    {#- the stage of subtopics keeps relevant items -#}
    {%- do sqlmetrics.is_relevant(plan) -%}
    {{- sqlmetrics.need(plan, 'subtopics', 'n_subtopics', 'case when {served} = 0 then 1 else 0 end') -}}
{%- endmacro %}

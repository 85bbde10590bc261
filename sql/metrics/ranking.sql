{#
  Metrics of ranked lists: one value for each list, averaged over lists. Grain: lists.

  Besides its own options, every metric takes those of `list_metric` (average, weight, on_empty, on_missing).
  Without k (`ndcg`) the whole list counts. With tied scores, the value is the expectation over a random order
  of the tied items (ties='average').

  `item_weight` multiplies the term of an item in the sum of its list (see language/item_weights.sql). The
  mean of these sums over lists is the inverse propensity estimate. If the weights of the relevant items are the
  denominator (recall, map), it is the self-normalised estimate of Yang et al. (2018),
  doi:10.1145/3240323.3240355. nDCG has no item_weight, because the ideal order of weighted gains needs a sort
  of its own; ips_ndcg has it, for clicks.

  Args:
    gain: exponential (2^label - 1), linear (label), binary (1 for a relevant item), or one gain for each of
      the labels 0, 1, 2, ..., separated by colons: 0:1:3:7, or 1:2:4:8 for 2^label. An item that nobody judged
      gains nothing, even if label 0 gains something
    item_weight: a column with the weight of an item in its list, such as an inverse propensity; multiplies
      the item's gain
  Task: Search and ranking
  Returns: float
  Undefined: a list without a relevant item (of weight > 0), listed or not, counts as empty (see on_empty)
  Errors: k < 1; a missing or negative item_weight of a relevant item
#}

{#
  Normalised discounted cumulative gain: DCG divided by the DCG of the ideal order.

  Formula: \text{nDCG}_q = \frac{\text{DCG}_q}{\text{DCG}^*_q}
    \text{DCG}_q = \sum_{r=1}^{k} \frac{g(y_r)}{d(r)}, \quad \text{DCG}^*_q = \sum_{r=1}^{k^*} \frac{g(y^*_r)}{d(r)}
    d(r) = \begin{cases} \log_2(r + 1) & \text{discount=log} \\ \max(1, \log_2(r)) & \text{discount=original} \\ r &
      \text{discount=reciprocal} \end{cases}
    k^* = \begin{cases} \infty & \text{ideal=full} \\ k & \text{otherwise} \end{cases}
  Args:
    ideal: judged (all judged items, cut at k), listed (listed items only, cut at k), full (all judged items,
      not cut) or cutoff (k relevant items, regardless of the list; with gain=binary)
    discount: what divides the gain at a rank: log (log2(rank + 1)), original (the larger of 1 and log2(rank), of the
      paper of 2002) or reciprocal (rank)
  Better: higher
  Range: [0, 1]
  Unit: none
  Aliases: ndcg_score[@k] (scikit-learn) is ndcg(gain=linear, on_empty=zero)[@k], ndcg_cut_k (trec_eval) is
    ndcg(gain=linear, on_empty=zero, on_missing=skip)@k, ndcg_burges[@k] (ranx) is ndcg(on_empty=zero)[@k], nDCG[@k]
    (ir_measures) is ndcg(gain=linear, on_empty=zero)[@k]
  Undefined: a list without an item of gain > 0 counts as empty (see on_empty)
  Traps: gains may be linear or exponential (2^grade - 1), and the ideal order may take all relevant items or
    the listed ones: libraries differ in both; lists without a relevant item are left out, where others count 0
    or 1; ties of scores are averaged, where others take the order of rows
  Errors: k < 1; a negative label without truth=, unless gain=binary; a label > 500 with gain=exponential; a
    label for which the list of gains has no entry; ideal=cutoff without k or with a gain other than binary
  Source: Jarvelin and Kekalainen (2002), doi:10.1145/582415.582418; gain 2^label - 1: Burges et al. (2005)
  Example: ndcg(gain=linear)@10
#}
{% macro metric_ndcg(plan, k=none, gain='exponential', ideal='judged', discount='log') -%}
    {%- set what = sqlmetrics.discount_named(plan, discount) -%}
    {{- sqlmetrics.one_of(plan, 'ideal', ideal, ['judged', 'listed', 'full', 'cutoff']) -}}
    {%- if 'item_weight' in kwargs -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "takes no item_weight=,"
            ~ " since the ideal order of weighted gains takes a sort of its own; ask for dcg,"
            ~ " or for ips_ndcg(propensity=...), by clicks over propensities"
        ) -}}
    {%- endif -%}
    {%- if ideal == 'cutoff' and (k is none or gain != 'binary') -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics." ~ plan['asked']['metric']
                ~ ": ideal=cutoff needs a cutoff and gain=binary; write ndcg(gain=binary, ideal=cutoff)@10"
        ) -}}
    {%- endif -%}
    {#- the ideal order has k ranks, which the statement makes -#}
    {%- if ideal == 'cutoff' -%}{{- sqlmetrics.number(plan, 'k', k, 1, 1000000, true) -}}{%- endif -%}
    {%- set best = sqlmetrics.dcg_of_relevant(plan, k, what) if ideal == 'cutoff'
        else sqlmetrics.ideal_dcg(plan, none if ideal == 'full' else k, gain, ideal == 'listed', what) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, sqlmetrics.expected_dcg(plan, k, gain, what=what), best,
        sqlmetrics.gains_nothing(
            plan, gain, sqlmetrics.gain_of_list(plan, gain) if ideal in ('listed', 'cutoff') else best
        ), **kwargs
    )) -%}
{%- endmacro %}

{#
  Discounted cumulative gain: the sum over ranks of gain / log(rank + 1).

  Formula: \text{DCG}_q = \sum_{r=1}^{k} v_r \frac{g(y_r)}{d(r)}
    d(r) = \begin{cases} \log_b(r + 1) & \text{discount=log} \\ \max(1, \log_2(r)) & \text{discount=original} \\ r &
      \text{discount=reciprocal} \end{cases}
  Args:
    log_base: base of the logarithm of discount=log, a number > 1, or e
    discount: what divides the gain at a rank: log (log(rank + 1)), original (the larger of 1 and log2(rank), of the
      paper of 2002) or reciprocal (rank)
  Better: higher
  Range: [0, inf)
  Unit: gain
  Aliases: dcg_score[@k] (scikit-learn) is dcg(gain=linear, on_empty=zero)[@k], dcg_burges[@k] (ranx) is
    dcg(on_empty=zero)[@k]
  Undefined: a list without an item of gain > 0 (and weight > 0) counts as empty (see on_empty)
  Traps: it grows with the number of relevant items, so means are decided by long lists; ndcg takes that out
  Errors: k < 1; a negative label without truth=, unless gain=binary; a label > 500 with gain=exponential; a
    label for which the list of gains has no entry; log_base <= 1; a missing or negative item_weight of an
    item that is relevant or has a gain; item_weight with gains that do not begin with 0
  Source: Jarvelin and Kekalainen (2002), doi:10.1145/582415.582418
  Example: dcg(gain=linear)@5
#}
{% macro metric_dcg(plan, k=none, gain='exponential', log_base=2, item_weight=none, discount='log') -%}
    {%- set weight = sqlmetrics.item_weight(plan, item_weight) -%}
    {%- set what = sqlmetrics.discount_named(plan, discount) -%}
    {%- set dcg = sqlmetrics.in_log_base(
        plan, sqlmetrics.expected_dcg(plan, k, gain, weight, what), log_base, discount
    ) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, dcg, '1', sqlmetrics.gains_nothing(plan, gain, sqlmetrics.gain_of_list(plan, gain, weight), weight),
        **kwargs
    )) -%}
{%- endmacro %}

{#
  Cumulative gain: the sum of the gains of the top k.

  Formula: \text{CG}_q = \sum_{r=1}^{k} v_r g(y_r)
  Args:
    gain: linear (label), exponential (2^label - 1), binary (1 for a relevant item), or one gain for each of
      the labels 0, 1, 2, ..., separated by colons: 0:1:3:7, or 1:2:4:8 for 2^label. An item that nobody judged
      gains nothing, even if label 0 gains something
  Better: higher
  Range: [0, inf)
  Unit: gain
  Aliases: hits[@k] (ranx) is cg(gain=binary, on_empty=zero)[@k]
  Undefined: a list without an item of gain > 0 (and weight > 0) counts as empty (see on_empty)
  Traps: it ignores the order within the cutoff
  Errors: k < 1; a negative label without truth=, unless gain=binary; a label > 500 with gain=exponential; a
    label for which the list of gains has no entry; a missing or negative item_weight of an item that is
    relevant or has a gain; item_weight with gains that do not begin with 0
  Source: Jarvelin and Kekalainen (2002), doi:10.1145/582415.582418
  Example: cg@5
#}
{% macro metric_cg(plan, k=none, gain='linear', item_weight=none) -%}
    {%- set weight = sqlmetrics.item_weight(plan, item_weight) -%}
    {%- set gains = sqlmetrics.gain_sum(
        plan, gain, k, 'cg_' ~ sqlmetrics.column_name(gain) ~ sqlmetrics.cutoff_suffix(plan, k),
        sqlmetrics.value_times(sqlmetrics.gain_of_item(plan, gain) ~ ' * ' ~ sqlmetrics.chance_in_top(plan, k), weight)
    ) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, gains, '1', sqlmetrics.gains_nothing(plan, gain, sqlmetrics.gain_of_list(plan, gain, weight), weight),
        **kwargs
    )) -%}
{%- endmacro %}

{#
  Mean average precision: the sum of the precisions at the ranks of the relevant items in the top k, divided
  by a denominator.

  Formula: \text{AP}_q = \frac{\sum_{r=1}^{k} v_r \text{rel}_r h_r / r}{D_q}, \quad \frac{0}{0} = 0
    D_q = \begin{cases} \min(V, k) & \text{denominator=capped} \\ V & \text{denominator=relevant} \\ n &
      \text{denominator=cutoff}, \; \text{without a cutoff} \\ k & \text{denominator=cutoff} \\ \sum_{r=1}^{k} v_r
      \text{rel}_r & \text{denominator=hits} \end{cases}
  Args:
    denominator: capped (the smaller of R and k), relevant (R), cutoff (k) or hits (relevant items in the top
      k), where R counts the relevant items of the list, listed or not
    item_weight: a column with the weight of an item in its list, such as an inverse propensity; multiplies
      the precision at the item's rank, and relevant and hits are sums of weights
  Returns: float; at most 1, except with item_weight and denominator=cutoff
  Better: higher
  Range: [0, inf)
  Unit: share
  Aliases: AP[@k] (ir_measures) is map(denominator=relevant, on_empty=zero)[@k], map_cut_k (trec_eval) is
    map(denominator=relevant, on_empty=zero, on_missing=skip)@k
  Undefined: a list without a relevant item (of weight > 0) counts as empty (see on_empty)
  Traps: the denominator is the number of relevant items, at most the cutoff, the hits, or the cutoff itself:
    libraries differ, and denominator= chooses
  Errors: k < 1; denominator=cutoff without k; denominator=hits where relevant items tie with others across the
    cutoff and ties='average', since that expectation has no closed form; item_weight with a cutoff and
    denominator=capped, because finding the best k items by weight takes a sort; a missing or negative
    item_weight of a relevant item
  Source: Buckley and Voorhees (2000), doi:10.1145/345508.345543; ties: McSherry and Najork (2008)
  Example: map@10
#}
{% macro metric_map(plan, k=none, denominator='capped', item_weight=none) -%}
    {{- sqlmetrics.one_of(plan, 'denominator', denominator, ['capped', 'relevant', 'cutoff', 'hits']) -}}
    {%- if denominator == 'cutoff' and k is none -%}
        {{- sqlmetrics.refuse_metric(plan, "denominator=cutoff needs a cutoff; write map(denominator=cutoff)@10") -}}
    {%- elif item_weight is not none and denominator == 'capped' and k is not none -%}
        {{- sqlmetrics.refuse_metric(
            plan, "item_weight= with a cutoff has no capped denominator; write map(item_weight=" ~ item_weight
                ~ ", denominator=relevant)@" ~ k
        ) -}}
    {%- endif -%}
    {%- set weight = sqlmetrics.item_weight(plan, item_weight) -%}
    {%- set relevant = sqlmetrics.relevant_of_list(plan, weight) -%}
    {%- if denominator == 'hits' and k is not none and plan['facts']['ties'] == 'average' -%}
        {{- sqlmetrics.require_certain_hits(plan, k, item_weight) -}}
    {%- endif -%}
    {%- set below = {
        'capped': relevant if k is none else sqlmetrics.at_most(relevant, k), 'relevant': relevant, 'cutoff': k,
    } -%}
    {%- do return(sqlmetrics.within_1_if(item_weight is none, sqlmetrics.list_metric(
        plan, sqlmetrics.expected_precisions(plan, k, weight),
        sqlmetrics.expected_hits(plan, k, weight) if denominator == 'hits' else below[denominator],
        sqlmetrics.undefined_if(plan, relevant ~ ' = 0', weight != '1'), **kwargs
    ))) -%}
{%- endmacro %}

{#
  Mean reciprocal rank: 1 / rank of the first relevant item; 0 if none is in the top k.

  Formula: \text{RR}_q = \frac{v_r}{r}, \quad r = \min \left\{ j :\; j \le k, \; \text{rel}_j = 1 \right\}
  Args:
    item_weight: a column with the weight of an item in its list, such as an inverse propensity; the weight of
      the first relevant item multiplies 1 / rank
  Returns: float; at most 1 without item_weight
  Better: higher
  Range: [0, inf)
  Unit: none
  Aliases: RR[@k] (ir_measures) is mrr(on_empty=zero)[@k], recip_rank (trec_eval) is mrr(on_empty=zero,
    on_missing=skip)
  Traps: it sees the first relevant item alone; the reciprocal of the mean rank is another number
  Source: Voorhees (1999), TREC-8 question answering track report; ties: McSherry and Najork (2008)
  Example: mrr@10
#}
{% macro metric_mrr(plan, k=none, item_weight=none) -%}
    {%- set weight = sqlmetrics.item_weight(plan, item_weight) -%}
    {%- set at_first = sqlmetrics.ratio('1', '{hit_first}') -%}
    {%- set value = sqlmetrics.first_hit(
        plan, 'reciprocal_rank', k, at_first, sqlmetrics.ratio('{chance}', '{position}')
    ) -%}
    {%- if item_weight is not none -%}
        {%- set value = value ~ ' * ' ~ sqlmetrics.first_item_weight(plan, weight) -%}
    {%- endif -%}
    {%- do return(sqlmetrics.within_1_if(item_weight is none, sqlmetrics.list_metric(
        plan, value, '1',
        sqlmetrics.undefined_if(plan, sqlmetrics.relevant_of_list(plan, weight) ~ ' = 0', weight != '1'), **kwargs
    ))) -%}
{%- endmacro %}

{#
  Hit rate, also called success: 1 for a list with a relevant item in the top k, otherwise 0. The form that
  pools hits over all lists is `recall(average=micro)@k`.

  Formula: \text{hit}_q = [h_k > 0]
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: HR[@k] (RecTools), Hit[@k] (RecBole), success_k (trec_eval) is hit_rate(on_empty=zero, on_missing=skip)@k
  Undefined: a list without a relevant item, listed or not, counts as empty (see on_empty)
  Traps: it is 1 for one hit as for ten; the fewer candidates were scored the easier it is, so sampled negatives
    make it too high
  Errors: k < 1
  Source: trec_eval, success; ties: McSherry and Najork (2008)
  Example: hit_rate@10
#}
{% macro metric_hit_rate(plan, k=none) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, sqlmetrics.first_hit(plan, 'hit', k, '1', '{chance}'), '1', sqlmetrics.relevant_of_list(plan) ~ ' = 0',
        **kwargs
    )) -%}
{%- endmacro %}

{#
  Precision at k: the share of the top k that is relevant. Without a cutoff, `precision` is the metric at a
  threshold.

  Formula: P_q = \frac{1}{D_q} \sum_{r=1}^{k} v_r \text{rel}_r
    D_q = \begin{cases} k & \text{denominator=cutoff} \\ \min(k, n) & \text{denominator=listed} \end{cases}
  Args:
    k: cutoff in items, integer >= 1
    denominator: cutoff (k, even if the list is shorter) or listed (the smaller of k and the list's length)
    item_weight: a column with the weight of an item in its list, such as an inverse propensity; a relevant
      item in the top k counts its weight instead of 1; the denominator stays a number of items
  Returns: float; at most 1 without item_weight
  Better: higher
  Range: [0, inf)
  Unit: share
  Aliases: P@k (ir_measures) is precision(on_empty=zero)@k, P_k (trec_eval) is precision(on_empty=zero,
    on_missing=skip)@k
  Traps: a list with fewer relevant items than the cutoff cannot reach 1; a list shorter than the cutoff counts
    its missing places as misses, unless denominator=listed
  Source: trec_eval, P; ties: McSherry and Najork (2008)
  Example: precision@10
#}
{% macro metric_precision_at(plan, k, denominator='cutoff', item_weight=none) -%}
    {{- sqlmetrics.one_of(plan, 'denominator', denominator, ['cutoff', 'listed']) -}}
    {{- sqlmetrics.number(plan, 'k', k, 1, 1000000000, true) -}}
    {%- set weight = sqlmetrics.item_weight(plan, item_weight) -%}
    {%- do return(sqlmetrics.within_1_if(item_weight is none, sqlmetrics.list_metric(
        plan, sqlmetrics.expected_hits(plan, k, weight),
        k if denominator == 'cutoff' else sqlmetrics.listed_in_top(plan, k),
        sqlmetrics.undefined_if(plan, sqlmetrics.relevant_of_list(plan, weight) ~ ' = 0', weight != '1'), **kwargs
    ))) -%}
{%- endmacro %}

{#
  Recall at k: the share of the relevant items, listed or not, that are in the top k. Without a cutoff,
  `recall` is the metric at a threshold.

  Formula: \text{recall}_q = \frac{1}{D_q} \sum_{r=1}^{k} v_r \text{rel}_r
    D_q = \begin{cases} V & \text{denominator=relevant} \\ \min(V, k) & \text{denominator=capped} \end{cases}
  Args:
    k: cutoff in items, integer >= 1
    denominator: relevant (R) or capped (the smaller of R and k), where R counts the relevant items of the list,
      listed or not
    item_weight: a column with the weight of an item in its list, such as an inverse propensity; the metric is
      then the weight of the relevant items in the top k over that of all relevant items
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: R@k (ir_measures) is recall(on_empty=zero)@k, recall_k (trec_eval) is recall(on_empty=zero,
    on_missing=skip)@k, relative_P_k (trec_eval) is recall(denominator=capped, on_empty=zero, on_missing=skip)@k,
    R_cap@k (BEIR) is recall(denominator=capped)@k
  Traps: it needs all relevant items; without truth= those that the model did not list are missing, and the
    value is too high; a list with more relevant items than k cannot reach 1, unless denominator=capped
  Errors: k < 1; item_weight with denominator=capped, because finding the best k items by weight takes a sort; a
    missing or negative item_weight of a relevant item
  Source: trec_eval, recall and relative_P; ties: McSherry and Najork (2008)
  Example: recall(average=micro)@10
#}
{% macro metric_recall_at(plan, k, denominator='relevant', item_weight=none) -%}
    {{- sqlmetrics.one_of(plan, 'denominator', denominator, ['relevant', 'capped']) -}}
    {{- sqlmetrics.number(plan, 'k', k, 1, 1000000000, true) -}}
    {%- if item_weight is not none and denominator == 'capped' -%}
        {{- sqlmetrics.refuse_metric(
            plan, "item_weight= has no capped denominator; write recall(item_weight=" ~ item_weight ~ ")@" ~ k
        ) -}}
    {%- endif -%}
    {%- set weight = sqlmetrics.item_weight(plan, item_weight) -%}
    {%- set relevant = sqlmetrics.relevant_of_list(plan, weight) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, sqlmetrics.expected_hits(plan, k, weight),
        relevant if denominator == 'relevant' else sqlmetrics.at_most(relevant, k),
        sqlmetrics.undefined_if(plan, relevant ~ ' = 0', weight != '1'), **kwargs
    )) -%}
{%- endmacro %}

{#
  Grouped AUC: the AUC inside each list, averaged over lists and weighted by their rows. Tied pairs count one
  half, whatever `ties` says.

  Formula: \text{GAUC} = \frac{\sum_q w_q \omega_q \text{AUC}_q}{\sum_q w_q \omega_q}
    \text{AUC}_q = \frac{\sum_r \sum_j \text{rel}_r (1 - \text{rel}_j) ([s_r > s_j] + \frac{1}{2} [s_r = s_j])}{h_n (n -
      h_n)}
    \omega_q = \begin{cases} n & \text{weight=impressions} \\ R & \text{weight=positives} \\ n - h_n &
      \text{weight=negatives} \\ h_n (n - h_n) & \text{weight=pairs} \\ 1 & \text{weight=uniform} \end{cases}
  Args:
    weight: the weight of a list: impressions (its rows), positives, negatives, pairs, uniform, or a column; times
      weight= of the call, which cannot be the same column
  Better: higher
  Range: [0, 1]
  Chance: 0.5
  Unit: share
  Undefined: a list with a single class, or one that is missing from the predictions, counts as empty (see
    on_empty): by default it leaves both sums. The ratio over all pairs of all lists is gauc(average=micro,
    weight=uniform)
  Traps: lists with one class have no value and are left out, often most of them: read groups_empty or the
    counts; the weight of a list changes the number, and libraries differ in it
  Errors: a label other than 0 and 1, unless positive= is given
  Source: Zhou et al. (2018), Deep Interest Network, doi:10.1145/3219819.3219823
  Example: gauc(weight=positives)
#}
{% macro metric_gauc(plan, weight='impressions') -%}
    {%- set positive = sqlmetrics.is_positive(plan) -%}
    {%- set positives = sqlmetrics.sql_double(sqlmetrics.item_sum(
        plan, none, 'listed_positives', 'case when ' ~ positive ~ ' then 1 else 0 end'
    )) -%}
    {%- set ranks = sqlmetrics.sql_double(sqlmetrics.item_sum(
        plan, none, 'auc_ranks', 'case when ' ~ positive ~ ' then {tie_first} - 1 + {tie_last} else 0 end'
    )) -%}
    {%- set negatives = '(' ~ sqlmetrics.listed_of_list(plan) ~ ' - ' ~ positives ~ ')' -%}
    {%- set pairs = positives ~ ' * ' ~ negatives -%}
    {%- do sqlmetrics.count_lists(plan, 'groups_single_class', pairs ~ ' = 0') -%}
    {%- do return(sqlmetrics.list_metric(
        plan, '(' ~ pairs ~ ' - (' ~ ranks ~ ' - ' ~ positives ~ ' * ' ~ positives ~ ') / 2)', pairs, pairs ~ ' = 0',
        weight=weight, **kwargs
    )) -%}
{%- endmacro %}

{# Converts a sum of gains over log2(rank + 1) to another base of the logarithm. #}
{% macro in_log_base(plan, dcg, log_base, discount) -%}
    {%- if discount != 'log' and log_base != 2 -%}
        {{- sqlmetrics.refuse_metric(plan, "log_base= is of discount=log; leave it out with discount=" ~ discount) -}}
    {%- endif -%}
    {%- if log_base != 'e' and not (log_base is number and log_base > 1) -%}
        {{- sqlmetrics.refuse_metric(plan, "log_base must be a number > 1, or e, got " ~ log_base) -}}
    {%- endif -%}
    {%- set base = 'exp(1)' if log_base == 'e' else log_base -%}
    {{- dcg if log_base == 2 else '(' ~ dcg ~ ' * ' ~ sqlmetrics.sql_log2(sqlmetrics.sql_double(base)) ~ ')' -}}
{%- endmacro %}

{#
  Further metrics of ranked lists with binary relevance: set measures at a cutoff, ranks of relevant items,
  and the precision-recall graph. Grain: lists. ranking.sql says what they have in common.

  Args:
    k: cutoff in items, integer >= 1
    reach: when a level counts as reached: exact (hits / R >= level), nearest (hits >= the integer nearest to
      level * R) or tenth (hits >= level * R + 0.9 without its fraction, so a tenth of an item may lack)
  Task: Search and ranking
  Returns: float
  Undefined: a list without a relevant item, listed or not, counts as empty (see on_empty)
  Errors: k < 1
#}

{#
  F1 at k: the harmonic mean of a list's precision@k and recall@k, 2 hits / (k + R), where R counts the
  relevant items, listed or not. Without a cutoff, `f1` is the metric at a threshold.

  Formula: F_q = \frac{2 h_k}{k + R}
  Same as: f_beta(beta=1)@k
  Traps: it is the f1 of each list, then averaged; the f1 of mean precision and mean recall is another number
  Errors: k < 1
  Example: f1@10
#}
{% macro metric_f1_at(plan, k) -%}
    {%- do return(sqlmetrics.metric_f_beta_at(plan, k, beta=1, **kwargs)) -%}
{%- endmacro %}

{#
  F-beta at k: (1 + beta^2) P R / (beta^2 P + R) of a list's precision and recall at k. Without a cutoff,
  `f_beta` is the metric at a threshold.

  Formula: F_q = \frac{(1 + \beta^2) h_k}{k + \beta^2 R}
  Args:
    beta: how much more recall counts than precision, a number >= 0
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: it is the value of each list, then averaged
  Errors: k < 1; beta < 0
  Source: Van Rijsbergen (1979), Information Retrieval, chapter 7; ties: McSherry and Najork (2008)
  Example: f_beta(beta=2)@10
#}
{% macro metric_f_beta_at(plan, k, beta=1) -%}
    {{- sqlmetrics.number(plan, 'k', k, 1, 1000000000, true) -}}
    {{- sqlmetrics.number(plan, 'beta', beta, 0) -}}
    {%- set relevant = sqlmetrics.relevant_of_list(plan) -%}
    {%- set squared = sqlmetrics.sql_double(beta * beta) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, '((1 + ' ~ squared ~ ') * ' ~ sqlmetrics.expected_hits(plan, k) ~ ')',
        '(' ~ squared ~ ' * ' ~ relevant ~ ' + ' ~ k ~ ')',
        relevant ~ ' = 0', **kwargs
    )) -%}
{%- endmacro %}

{#
  Success at k, another name of `hit_rate`: 1 for a list with a relevant item in the top k, otherwise 0.

  Formula: \text{success}_q = [h_k > 0]
  Same as: hit_rate
  Aliases: Success@k (ir_measures) is success(on_empty=zero)@k
  Traps: it is 1 for one hit as for ten
  Example: success@10
#}
{% macro metric_success(plan, k=none) -%}
    {%- do return(sqlmetrics.metric_hit_rate(plan, k, **kwargs)) -%}
{%- endmacro %}

{#
  R-precision: the share of the top R that is relevant, where R counts the relevant items of the list, listed
  or not.

  Formula: P_q = \frac{h_R}{R}
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: Rprec (ir_measures) is r_precision(on_empty=zero), r-precision (ranx) is r_precision(on_empty=zero)
  Traps: lists with one relevant item decide by their first place alone
  Errors: none of its own
  Source: trec_eval, Rprec; ties: McSherry and Najork (2008)
  Example: r_precision
#}
{% macro metric_r_precision(plan) -%}
    {%- set relevant = sqlmetrics.relevant_of_list(plan) -%}
    {%- set in_top = sqlmetrics.chance_in_top(plan, relevant) -%}
    {%- set hits = sqlmetrics.item_sum(
        plan, none, 'hits_in_top_r', 'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then ' ~ in_top ~ ' else 0 end'
    ) -%}
    {%- do return(sqlmetrics.list_metric(plan, hits, relevant, relevant ~ ' = 0', **kwargs)) -%}
{%- endmacro %}

{#
  Mean reciprocal rank of every relevant item, not only of the first: the sum of 1 / rank over the relevant
  items, divided by their number, listed or not. News and click models report it as MRR.

  Formula: \text{RR}_q = \frac{1}{R} \sum_{r=1}^{k} \frac{\text{rel}_r}{r}
  Args:
    k: cutoff in items, integer >= 1; a relevant item below it adds 0; none means the whole list
  Better: higher
  Range: [0, 1]
  Unit: none
  Traps: it is not the usual mrr, which sees the first relevant item alone
  Source: Wu et al. (2020), MIND, doi:10.18653/v1/2020.acl-main.331, mrr_score of its evaluation; FuxiCTR,
    MRR; ties: McSherry and Najork (2008)
  Example: mrr_all
#}
{% macro metric_mrr_all(plan, k=none) -%}
    {%- set first = sqlmetrics.first_rank(plan) -%}
    {%- set cases = ['when not (' ~ sqlmetrics.is_relevant(plan) ~ ') then 0'] -%}
    {%- if k is not none -%}{%- do cases.append('when ' ~ first ~ ' > ' ~ k ~ ' then 0') -%}{%- endif -%}
    {%- if plan['facts']['ties'] == 'average' -%}
        {%- do cases.append(
            'when {tie_first} < {tie_last} then ' ~ sqlmetrics.tie_over_block(plan, k, 'harmonic')
                ~ ' / ({tie_last} - {tie_first} + 1)'
        ) -%}
    {%- endif -%}
    {%- set ranks = sqlmetrics.item_sum(
        plan, k, 'reciprocal_ranks' ~ sqlmetrics.cutoff_suffix(plan, k),
        'case ' ~ cases | join(' ') ~ ' else ' ~ sqlmetrics.ratio('1', first) ~ ' end'
    ) -%}
    {%- set relevant = sqlmetrics.relevant_of_list(plan) -%}
    {%- do return(sqlmetrics.list_metric(plan, ranks, relevant, relevant ~ ' = 0', **kwargs)) -%}
{%- endmacro %}

{#
  Average rank: the mean rank of the listed relevant items. An unlisted item has no rank and is left out, so
  compare this metric only between models that list the same items.

  Formula: \text{rank}_q = \frac{1}{h_n} \sum_{r=1}^{n} r \cdot \text{rel}_r
  Better: lower
  Range: [1, inf)
  Unit: rank
  Undefined: a list that lists no relevant item counts as empty (see on_empty), and in groups_without_average_rank
    if it has one in the truth
  Traps: it grows with the length of the list
  Errors: none of its own
  Source: definition; ties: the mid-rank
  Example: average_rank
#}
{% macro metric_average_rank(plan) -%}
    {%- set first = sqlmetrics.first_rank(plan) -%}
    {%- set twice = sqlmetrics.item_sum(
        plan, none, 'twice_ranks', 'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then ' ~ first ~ ' + '
            ~ ('{tie_last}' if plan['facts']['ties'] == 'average' else first) ~ ' else 0 end'
    ) -%}
    {%- set hits = sqlmetrics.expected_hits(plan, none) -%}
    {#- without a truth all relevant items are listed -#}
    {%- set empty = sqlmetrics.undefined_if(plan, hits ~ ' = 0', plan['facts']['truth'] is not none) -%}
    {%- do return(sqlmetrics.list_metric(plan, sqlmetrics.ratio(twice, '2'), hits, empty, **kwargs)) -%}
{%- endmacro %}

{#
  Partial AUC at k: the share of correctly ordered pairs, among the pairs of a relevant item, listed or not,
  and one of the first k other items of the list. If a list has fewer than k others, the missing ones count as
  ranked below the listed items.

  Formula: \text{pAUC}_q = \frac{1}{R k} \sum_{r=1}^{n} \text{rel}_r \sum_{j=1}^{k} [r < x_j]
    x_j = \begin{cases} \min \left\{ r :\; r - h_r = j \right\} & \text{if } j \le n - h_n \\ n + 1 & \text{otherwise}
      \end{cases}
  Args:
    k: number of other items that are read, integer >= 1
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: it is the area of the top of a list, which depends on the length of the list
  Source: RecTools, PAUC; ties: the exact expectation, one half for a tied pair if all others are read
  Example: pauc@10
#}
{% macro metric_pauc_at(plan, k) -%}
    {{- sqlmetrics.number(plan, 'k', k, 1, 1000000000, true) -}}
    {%- set right = sqlmetrics.item_sum(
        plan, none, 'pairs_with_first_' ~ k,
        'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then ' ~ sqlmetrics.expected_others_below(plan, k)
            ~ ' else 0 end'
    ) -%}
    {%- set relevant = sqlmetrics.relevant_of_list(plan) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, right, '(' ~ sqlmetrics.sql_double(relevant) ~ ' * ' ~ k ~ ')', relevant ~ ' = 0', **kwargs
    )) -%}
{%- endmacro %}

{#
  Interpolated precision at a recall level: the highest precision at any rank whose recall is at least that
  level; 0 if the list never reaches it.

  Tied scores are put in the pessimistic order (others before relevant items) unless `ties` sets another,
  because the expectation over random orders has no closed form.

  Formula: P_q = \max_{r:\, h_r \ge x} \frac{h_r}{r}
    x = \begin{cases} \text{recall} \cdot R & \text{reach=exact} \\ \left\lfloor \text{recall} \cdot R + \frac{1}{2}
      \right\rfloor & \text{reach=nearest} \\ \left\lfloor \text{recall} \cdot R + 0.9 \right\rfloor &
      \text{reach=tenth} \end{cases}
  Args:
    recall: the level, a number >= 0 and <= 1
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: iprec_at_recall_k (trec_eval) is interpolated_precision(recall=k, reach=nearest, on_empty=zero,
    on_missing=skip), IPrec@k (ir_measures) is interpolated_precision(recall=k, reach=tenth, on_empty=zero)
  Traps: it takes the best precision at any higher recall, so it is above what a user sees
  Errors: recall outside [0, 1]
  Source: trec_eval, iprec_at_recall: version 10 takes the nearest, version 9 a tenth
  Example: interpolated_precision(recall=0.1)
#}
{% macro metric_interpolated_precision(plan, recall=none, reach='exact') -%}
    {{- sqlmetrics.number(plan, 'recall', recall, 0, 1) -}}
    {{- sqlmetrics.one_of(plan, 'reach', reach, ['exact', 'nearest', 'tenth']) -}}
    {%- set hits = sqlmetrics.pessimistic_relevant(plan) -%}
    {%- set relevant = sqlmetrics.relevant_of_list(plan) -%}
    {%- set reached = {
        'exact': sqlmetrics.ratio(hits, relevant) ~ ' >= ' ~ sqlmetrics.sql_double(recall),
        'nearest': hits ~ ' + 0.5 > ' ~ sqlmetrics.sql_double(recall) ~ ' * ' ~ relevant,
        'tenth': sqlmetrics.within_a_tenth(hits, recall, relevant),
    }[reach] -%}
    {%- do return(sqlmetrics.list_metric(
        plan, sqlmetrics.highest_precision(plan, reached), '1', relevant ~ ' = 0', **kwargs
    )) -%}
{%- endmacro %}

{#
  Interpolated mean average precision: the mean of the interpolated precisions at equally spaced recall
  levels, by default the eleven of 11-point average precision: 0, 0.1, ..., 1.

  Tied scores are put in the pessimistic order (others before relevant items) unless `ties` sets another,
  because the expectation over random orders has no closed form.

  Formula: \text{AP}_q = \frac{1}{\text{points}} \sum_{j=0}^{\text{points} - 1} \; \max_{r:\, h_r \ge x_j} \frac{h_r}{r}
    x_j = \begin{cases} u_j & \text{reach=exact} \\ \left\lfloor u_j + \frac{1}{2} \right\rfloor & \text{reach=nearest}
      \\ \left\lfloor u_j + 0.9 \right\rfloor & \text{reach=tenth} \end{cases}
    u_j = \frac{j}{\text{points} - 1} R
  Args:
    points: number of levels, integer from 2 to 101
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: 11pt_avg (trec_eval) is interpolated_map(reach=nearest, on_empty=zero, on_missing=skip)
  Traps: interpolated precision is at least as high as precision, so the value is above map
  Errors: points < 2 or > 101
  Source: trec_eval, 11pt_avg: version 10 takes the nearest, version 9 a tenth
  Example: interpolated_map
#}
{% macro metric_interpolated_map(plan, points=11, reach='exact') -%}
    {{- sqlmetrics.number(plan, 'points', points, 2, 101, true) -}}
    {{- sqlmetrics.one_of(plan, 'reach', reach, ['exact', 'nearest', 'tenth']) -}}
    {%- set steps = points - 1 -%}
    {%- set hits = sqlmetrics.pessimistic_relevant(plan) -%}
    {%- set relevant = sqlmetrics.relevant_of_list(plan) -%}
    {%- set precisions = [] -%}
    {%- for step in range(points) -%}
        {%- set reached = {
            'exact': hits ~ ' * ' ~ steps ~ ' >= ' ~ step ~ ' * ' ~ relevant,
            'nearest': '(2 * ' ~ hits ~ ' + 1) * ' ~ steps ~ ' > ' ~ 2 * step ~ ' * ' ~ relevant,
            'tenth': sqlmetrics.within_a_tenth(hits, step / steps, relevant),
        }[reach] -%}
        {%- do precisions.append(sqlmetrics.highest_precision(plan, reached)) -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.list_metric(
        plan, '(' ~ precisions | join(' + ') ~ ')', points, relevant ~ ' = 0', **kwargs
    )) -%}
{%- endmacro %}

{#
  The condition hits >= floor(level * R + 0.9). It is computed in floats, in the order of trec_eval 9, because level * R
  + 0.9 is often an integer but for its rounding.
#}
{% macro within_a_tenth(hits, level, relevant) -%}
    {{ hits }} + 1 > {{ sqlmetrics.sql_double(level) }} * {{ relevant }} + {{ sqlmetrics.sql_double('0.9') }}
{%- endmacro %}

{# The highest precision at the rank of a relevant item that meets a condition. #}
{% macro highest_precision(plan, condition) -%}
    {%- set precision = sqlmetrics.ratio(sqlmetrics.pessimistic_relevant(plan), sqlmetrics.pessimistic_rank(plan)) -%}
    {%- set reached = 'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' and ' ~ condition ~ ' then ' ~ precision
        ~ ' end' -%}
    coalesce({{ sqlmetrics.item_sum(plan, none, 'highest_precision', reached, 'max') }}, 0)
{%- endmacro %}

{#
  Geometric mean average precision: exp of the mean of ln AP over lists, with AP raised to at least 0.00001.
  It rewards improvements of the worst lists.

  With ties it is the geometric mean of the lists' expected AP.

  Formula: \text{GMAP} = \exp \left( \frac{\sum_q w_q \ln \max(\text{AP}_q, 0.00001)}{\sum_q w_q} \right)
    \text{AP}_q = \frac{1}{R} \sum_{r=1}^{n} \text{rel}_r \frac{h_r}{r}
  Args:
    on_empty: the value of a list without a relevant item: none (left out), zero, one or error
  Better: higher
  Range: [0.00001, 1]
  Unit: share
  Aliases: gm_map (trec_eval) is gmap(on_empty=zero, on_missing=skip)
  Traps: a list of 0 counts as 0.00001, so a few such lists decide the value
  Errors: none of its own
  Source: Robertson (2006), doi:10.1145/1183614.1183630; trec_eval, gm_map
  Example: gmap
#}
{% macro metric_gmap(plan, on_empty=none) -%}
    {%- set relevant = sqlmetrics.relevant_of_list(plan) -%}
    {%- set ap = sqlmetrics.ratio(sqlmetrics.expected_precisions(plan, none), relevant) -%}
    {%- set least = sqlmetrics.sql_double('0.00001') -%}
    {%- set value = 'case when ' ~ ap ~ ' > ' ~ least ~ ' then ' ~ ap ~ ' else ' ~ least ~ ' end' -%}
    {%- set empty = relevant ~ ' = 0' -%}
    {%- if on_empty in ('zero', 'one') -%}
        {#- an empty list has the least value, which is `value`, or 1 -#}
        {%- set value = value if on_empty == 'zero' else 'case when ' ~ empty ~ ' then 1 else ' ~ value ~ ' end' -%}
        {%- set empty = '1 = 0' -%}
    {%- endif -%}
    {%- set mean = sqlmetrics.list_metric(
        plan, sqlmetrics.sql_ln(value), '1', empty, on_empty=none if on_empty in ('zero', 'one') else on_empty, **kwargs
    ) -%}
    {%- do return(sqlmetrics.plain_value('exp(' ~ mean['sql'] ~ ')')) -%}
{%- endmacro %}

{#
  Further metrics of ranked lists with graded relevance; nDCG, DCG and CG are in ranking.sql. Grain: lists.

  Args:
    p: persistence, a number > 0 and < 1
  Task: Search and ranking
  Returns: float
  Undefined: a list without a relevant item, listed or not, counts as empty (see on_empty)
#}

{#
  Ideal discounted cumulative gain: the DCG of the ideal order, by which nDCG divides.

  Formula: \text{IDCG}_q = \sum_{r=1}^{k} \frac{g(y^*_r)}{d(r)}
    d(r) = \begin{cases} \log_b(r + 1) & \text{discount=log} \\ \max(1, \log_2(r)) & \text{discount=original} \\ r &
      \text{discount=reciprocal} \end{cases}
  Args:
    gain: exponential (2^label - 1), linear (label), binary (1 for a relevant item), or one gain for each of
      the labels 0, 1, 2, ..., separated by colons: 0:1:3:7, or 1:2:4:8 for 2^label. An item that nobody judged
      gains nothing, even if label 0 gains something
    ideal: judged (all judged items) or listed (listed items only)
    log_base: base of the logarithm of discount=log, a number > 1, or e
    discount: what divides the gain at a rank: log (log(rank + 1)), original (the larger of 1 and log2(rank), of the
      paper of 2002) or reciprocal (rank)
  Better: none
  Range: [0, inf)
  Unit: gain
  Undefined: a list without an item of gain > 0 counts as empty (see on_empty)
  Traps: it describes the labels and not the order, so no model can improve it; it grows with the number of
    relevant items
  Errors: k < 1; a negative label without truth=, unless gain=binary; a label > 500 with gain=exponential; a
    label for which the list of gains has no entry; log_base <= 1
  Source: Jarvelin and Kekalainen (2002), doi:10.1145/582415.582418
  Example: idcg@10
#}
{% macro metric_idcg(plan, k=none, gain='exponential', ideal='judged', log_base=2, discount='log') -%}
    {%- set what = sqlmetrics.discount_named(plan, discount) -%}
    {{- sqlmetrics.one_of(plan, 'ideal', ideal, ['judged', 'listed']) -}}
    {%- set best = sqlmetrics.in_log_base(
        plan, sqlmetrics.ideal_dcg(plan, k, gain, ideal == 'listed', what), log_base, discount
    ) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, best, '1', sqlmetrics.gains_nothing(plan, gain, sqlmetrics.gain_of_list(plan, gain)), **kwargs
    )) -%}
{%- endmacro %}

{#
  Rank-biased precision: the expected gain of a user who goes on to the next item with probability p, (1 - p)
  times the sum of gain * p^(rank - 1).

  Formula: \text{RBP}_q = \frac{1 - p}{Z} \sum_{r=1}^{k} p^{r-1} x_r
    Z = \begin{cases} 1 & \text{normalized=false} \\ 1 - p^{\min(k, R)} & \text{normalized=true} \end{cases}
    x_r = \begin{cases} \frac{\max(y_r, 0)}{\text{max_grade}} & \text{gain=linear} \\ \text{rel}_r & \text{gain=binary}
      \end{cases}
  Args:
    gain: linear (label / max_grade) or binary (1 for a relevant item)
    normalized: false, or, with gain=binary, true: divided by the greatest value that the relevant items of the list
      allow, so that the ideal order has 1
  Better: higher
  Range: [0, 1]
  Unit: none
  Traps: it reads the list without end, so that short lists stay far below 1 (see normalized); the residual
    (rbp_residual) says how much unseen items could add
  Errors: k < 1; p outside (0, 1); with gain=linear: no max_grade (Python and the command line take 1 for
    boolean and text labels), a label above max_grade, a negative label without truth=
  Source: Moffat and Zobel (2008), doi:10.1145/1416950.1416952; ties: McSherry and Najork (2008)
  Example: rbp(p=0.95)@10
#}
{% macro metric_rbp(plan, k=none, p=0.8, gain='linear', normalized='false') -%}
    {{- sqlmetrics.one_of(plan, 'gain', gain, ['linear', 'binary']) -}}
    {{- sqlmetrics.one_of(plan, 'normalized', normalized, ['false', 'true']) -}}
    {%- if gain == 'linear' -%}{{- sqlmetrics.within_max_grade(plan) -}}{%- endif -%}
    {%- set gains = 'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then 1 else 0 end' if gain == 'binary'
        else sqlmetrics.ratio(sqlmetrics.grade_of(plan), plan['facts']['max_grade']) -%}
    {%- set rbp = sqlmetrics.item_sum(
        plan, k, 'rbp_' ~ gain ~ sqlmetrics.cutoff_suffix(plan, k),
        '(' ~ gains ~ ') * ' ~ sqlmetrics.expected_attention(plan, k, p)
    ) -%}
    {%- set greatest = '1' -%}
    {%- if normalized == 'true' -%}
        {%- if gain != 'binary' -%}
            {{- sqlmetrics.refuse_metric(plan, "normalized=true counts relevant items; write gain=binary beside it") -}}
        {%- endif -%}
        {%- set relevant = sqlmetrics.relevant_of_list(plan) -%}
        {%- set within = relevant if k is none else sqlmetrics.at_most(relevant, k) -%}
        {%- set greatest = '(1 - ' ~ sqlmetrics.persistence(p, within) ~ ')' -%}
    {%- endif -%}
    {%- do return(sqlmetrics.list_metric(plan, rbp, greatest, sqlmetrics.lacks_relevant(plan), **kwargs)) -%}
{%- endmacro %}

{#
  Residual of rank-biased precision: the RBP that would be added if all unjudged listed items, and all items
  below the list or its cutoff, turned out to have the highest grade.

  An item is unjudged if the truth (`truth=`) lacks it or gives it a label below 0. Without truth= every row
  is judged, and only the items below add to the residual.

  Formula: \text{residual}_q = p^m + (1 - p) \sum_{r=1}^{m} p^{r-1} [y_r < 0]
    m = \min(k, n)
  Returns: float; 1 for a list that is missing from the predictions
  Better: lower
  Range: [0, 1]
  Unit: none
  Traps: it is the room above rbp and not an interval of it: the value may lie anywhere between rbp and their sum;
    with p=0.95 a list of 10 judged items still has 0.6
  Errors: k < 1; p outside (0, 1)
  Source: Moffat and Zobel (2008), doi:10.1145/1416950.1416952
  Example: rbp_residual(p=0.95)@10
#}
{% macro metric_rbp_residual(plan, k=none, p=0.8) -%}
    {%- set unjudged = sqlmetrics.item_sum(
        plan, none, 'rbp_unjudged' ~ sqlmetrics.cutoff_suffix(plan, k),
        'case when ' ~ sqlmetrics.is_unjudged(plan) ~ ' then ' ~ sqlmetrics.expected_attention(plan, k, p)
            ~ ' else 0 end'
    ) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, '(' ~ unjudged ~ ' + ' ~ sqlmetrics.persistence(p, sqlmetrics.listed_in_top(plan, k)) ~ ')', '1',
        sqlmetrics.lacks_relevant(plan), **kwargs
    )) -%}
{%- endmacro %}

{#
  The attention that an item gets from a user of persistence p: the mean of (1 - p) * p^(rank - 1) over the
  ranks of its block of ties.
#}
{% macro expected_attention(plan, k, p) -%}
    {%- if p is not number or p is boolean or p <= 0 or p >= 1 -%}
        {{- sqlmetrics.refuse_metric(plan, "p must be a number > 0 and < 1, got " ~ p) -}}
    {%- endif -%}
    {%- set first = sqlmetrics.first_rank(plan) -%}
    {%- set cases = [] -%}
    {%- if k is not none -%}{%- do cases.append('when ' ~ first ~ ' > ' ~ k ~ ' then 0') -%}{%- endif -%}
    {%- set share = '(1 - ' ~ sqlmetrics.sql_double(p) ~ ')' -%}
    {%- if plan['facts']['ties'] == 'average' -%}
        {%- set last = '{tie_last}' if k is none
            else '(case when {tie_last} < ' ~ k ~ ' then {tie_last} else ' ~ k ~ ' end)' -%}
        {%- set mean = sqlmetrics.ratio(
            '1 - ' ~ sqlmetrics.persistence(p, last ~ ' - {tie_first} + 1'), '{tie_last} - {tie_first} + 1'
        ) -%}
        {%- do cases.append('when {tie_first} < {tie_last} then ' ~ mean) -%}
    {%- endif -%}
    {%- set otherwise = ('else ' if cases else 'when 1 = 1 then ') ~ share -%}
    (case {{ cases | join(' ') }} {{ otherwise }} end * {{ sqlmetrics.persistence(p, first ~ ' - 1') }})
{%- endmacro %}

{# p^n for 0 < p < 1, or 0 if that underflows, which some engines treat as an error. #}
{% macro persistence(p, n) -%}
{%- set logarithm = sqlmetrics.sql_ln(sqlmetrics.sql_double(p)) -%}
(case when ({{ n }}) * {{ logarithm }} > -690 then {{ sqlmetrics.sql_power(p, n) }} else 0 end)
{%- endmacro %}

{#
  R-score: the utility of the list to a user whose chance to look on halves every half_life - 1 ranks, divided by
  the utility of the ideal order. An item at a rank is worth max(label - default, 0) / 2^((rank - 1) / (half_life - 1)).

  With average=micro the utilities of all lists are summed before the division, as in the paper.

  Formula: \text{R-score}_q = \frac{\sum_{r=1}^{\infty} \max(y_r - \text{default}, 0) \cdot x_r}{\sum_{r=1}^{\infty}
      \max(y^*_r - \text{default}, 0) \cdot x_r}
    x_r = 2^{-(r - 1) / (\text{half_life} - 1)}
  Args:
    half_life: the rank that half of the users reach, a number > 1
    default: the neutral vote, the label at and below which an item is worth nothing, a number >= 0
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: a list without an item of label > default, listed or not, counts as empty (see on_empty)
  Traps: values of different half_life or default are not comparable; the default half-life gives the first five
    ranks most of the weight; the mean over lists is another number than the paper's, which is average=micro
  Errors: half_life <= 1 or > 1e6; default < 0; a negative label without truth=
  Source: Breese, Heckerman and Kadie (1998), Empirical analysis of predictive algorithms for collaborative
    filtering, section 3.1; ties: McSherry and Najork (2008)
  Example: r_score(half_life=10)
#}
{% macro metric_r_score(plan, half_life=5, default=0) -%}
    {%- if half_life is not number or half_life is boolean or half_life <= 1 or half_life > 1000000 -%}
        {%- do sqlmetrics.refuse_metric(plan, "half_life must be a number > 1 and <= 1e6, got " ~ half_life) -%}
    {%- endif -%}
    {%- do sqlmetrics.number(plan, 'default', default, 0) -%}
    {%- do sqlmetrics.no_negative_grade(plan) -%}
    {%- set relevant_is_neutral = default >= 1 -%}
    {%- set grade, default = sqlmetrics.grade_of(plan), sqlmetrics.sql_double(default) -%}
    {%- set worth = '(case when ' ~ grade ~ ' > ' ~ default ~ ' then ' ~ grade ~ ' - ' ~ default ~ ' else 0 end)' -%}
    {#- the discount of rank r is p^(r - 1); both sums are 1 - p times those of the paper, which cancels -#}
    {%- set p = [0.5 ** (1 / (half_life - 1)), 1e-300] | max -%}
    {%- set name = sqlmetrics.column_name('utility ' ~ half_life ~ ' ' ~ default) -%}
    {%- set utility = sqlmetrics.item_sum(
        plan, none, name, worth ~ ' * ' ~ sqlmetrics.expected_attention(plan, none, p)
    ) -%}
    {#- the n items of a grade hold the ranks judged_through - n + 1 to judged_through of the ideal order -#}
    {%- set best = sqlmetrics.grade_sum(
        plan, 'best_' ~ name, worth ~ ' * (' ~ sqlmetrics.persistence(p, '{judged_through} - {n}')
            ~ ' - ' ~ sqlmetrics.persistence(p, '{judged_through}') ~ ')'
    ) -%}
    {%- set empty = sqlmetrics.undefined_if(plan, best ~ ' = 0', relevant_is_neutral) -%}
    {%- do return(sqlmetrics.list_metric(plan, utility, best, empty, **kwargs)) -%}
{%- endmacro %}

{#
  Q-measure: the sum of the blended ratio over the relevant items, divided by their number. The blended ratio
  at an item is (relevant items down to it + beta * cumulative gain) / (its rank + beta * cumulative gain of
  the ideal order down to that rank). With beta=0 it is average precision.

  Tied scores are put in the pessimistic order (lower grade first) unless `ties` sets another, because the
  expectation over random orders has no closed form.

  Formula: \text{Q}_q = \frac{1}{R} \sum_{r=1}^{n} \text{rel}_r \frac{h_r + \beta \sum_{j=1}^{r} g(y_j)}{r + \beta
      \sum_{j=1}^{r} g(y^*_j)}
  Args:
    beta: weight of cumulative gain against precision, a number >= 0
    gain: linear (label), exponential (2^label - 1), binary (1 for a relevant item), or one gain for each of
      the labels 0, 1, 2, ..., separated by colons: 0:1:3:7
  Better: higher
  Range: [0, 1]
  Unit: none
  Traps: values of different beta or gain are not comparable; tied scores lower it, where other metrics of lists
    average over ties
  Errors: beta < 0; a negative label without truth=, unless gain=binary; a label > 500 with gain=exponential;
    a label for which the list of gains has no entry; gains that do not begin with 0
  Source: Sakai (2004), NTCIR-4, "New performance metrics based on multigrade relevance"
  Example: q_measure(beta=1)
#}
{% macro metric_q_measure(plan, beta=1, gain='linear') -%}
    {{- sqlmetrics.number(plan, 'beta', beta, 0) -}}
    {%- if sqlmetrics.gains_by_label_0(gain) -%}
        {{- sqlmetrics.refuse_metric(
            plan, "the gains must begin with 0, since only relevant items gain something"
        ) -}}
    {%- endif -%}
    {%- set gained = sqlmetrics.cumulative_gain(plan, sqlmetrics.gain_of(plan, gain)) -%}
    {%- set rank = sqlmetrics.pessimistic_rank(plan) -%}
    {%- set ideal = '(' ~ gained['ideal'] ~ ' - ' ~ gained['of_grade'] ~ ' * (' ~ gained['ideal_through'] ~ ' - ' ~ rank
        ~ '))' -%}
    {%- set beta = sqlmetrics.sql_double(beta) -%}
    {%- set blended = sqlmetrics.ratio(
        sqlmetrics.pessimistic_relevant(plan) ~ ' + ' ~ beta ~ ' * ' ~ gained['listed'],
        rank ~ ' + ' ~ beta ~ ' * ' ~ ideal
    ) -%}
    {%- set blended = sqlmetrics.item_sum(
        plan, none, 'blended_ratios', 'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then ' ~ blended ~ ' else 0 end'
    ) -%}
    {%- set relevant = sqlmetrics.relevant_of_list(plan) -%}
    {%- do return(sqlmetrics.list_metric(plan, blended, relevant, relevant ~ ' = 0', **kwargs)) -%}
{%- endmacro %}

{#
  The gains down to an item, and those of the ideal order down to its rank: columns that are declared for each gain.

  Returns: listed, the gains down to the item in the pessimistic order; ideal, those of the ideal order down to the
    last rank of the grade that has the item's rank; of_grade, the gain of that grade; ideal_through, that last rank
#}
{% macro cumulative_gain(plan, gain) -%}
    {%- set gains = plan['cumulative_gains'] -%}
    {%- set name = gains.setdefault(gain | trim, 'cumulative_gain_' ~ (gains | length + 1)) -%}
    {%- do return({
        'listed': sqlmetrics.declare(plan, 'item_sums', name),
        'ideal': sqlmetrics.declare(plan, 'item_sums', name ~ '_ideal'),
        'of_grade': sqlmetrics.declare(plan, 'item_sums', name ~ '_of_grade'),
        'ideal_through': sqlmetrics.declare(plan, 'item_sums', 'ideal_through'),
    }) -%}
{%- endmacro %}

{#
  Metrics of the set that a list returns: the whole list, without a cutoff, as of a Boolean query or a filter. The order
  of the items adds nothing, so ties do not matter. Counts of lists are here, too. Grain: lists.

  Args:
    beta: how much more recall counts than precision, a number >= 0
    average: sum (over lists) or mean; in per_group it is the number of the list
  Task: Search and ranking
  Returns: float
  Better: higher
  Undefined: a list without a relevant item, listed or not, counts as empty (see on_empty)
  Errors: none of its own
#}

{#
  Precision of the set: the share of the listed items that is relevant.

  Formula: P_q = \frac{h_n}{n}
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: SetP (ir_measures) is set_precision(on_empty=zero), set_P (trec_eval) is set_precision(on_empty=zero,
    on_missing=skip)
  Traps: a list may be as short as it likes, and one sure item gives 1; read it beside set_recall
  Source: trec_eval, set_P
  Example: set_precision
#}
{% macro metric_set_precision(plan) -%}
    {%- do return(sqlmetrics.set_metric(
        plan, sqlmetrics.expected_hits(plan, none), sqlmetrics.listed_of_list(plan), **kwargs
    )) -%}
{%- endmacro %}

{#
  Recall of the set: the share of the relevant items, listed or not, that are listed.

  Formula: \text{recall}_q = \frac{h_n}{D_q}
    D_q = \begin{cases} R & \text{denominator=relevant} \\ \min(R, n) & \text{denominator=capped} \end{cases}
  Args:
    denominator: relevant (R) or capped (the smaller of R and the length of the list), where R counts the relevant
      items of the list, listed or not
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: SetR (ir_measures) is set_recall(on_empty=zero), set_relative_P (trec_eval) is
    set_recall(denominator=capped, on_empty=zero, on_missing=skip), SetRelP (ir_measures) is
    set_recall(denominator=capped, on_empty=zero)
  Traps: a list of all items has 1; without truth= every relevant item is listed, and it is 1
  Source: trec_eval, set_recall and set_relative_P
  Example: set_recall(average=micro)
#}
{% macro metric_set_recall(plan, denominator='relevant') -%}
    {{- sqlmetrics.one_of(plan, 'denominator', denominator, ['relevant', 'capped']) -}}
    {%- set relevant = sqlmetrics.relevant_of_list(plan) -%}
    {%- set hits, below = sqlmetrics.expected_hits(plan, none), relevant -%}
    {%- if denominator == 'capped' -%}
        {#- as floats, since an engine may have no common type of both counts -#}
        {%- set below = sqlmetrics.at_most(
            sqlmetrics.sql_double(relevant), sqlmetrics.sql_double(sqlmetrics.listed_of_list(plan))
        ) -%}
    {%- endif -%}
    {%- do return(sqlmetrics.set_metric(plan, hits, below, **kwargs)) -%}
{%- endmacro %}

{#
  F1 of the set: the harmonic mean of its precision and recall, 2 hits / (n + R) for n listed and R relevant items.

  Formula: F_q = \frac{2 h_n}{n + R}
  Same as: set_f_beta(beta=1)
  Aliases: SetF (ir_measures) is set_f1(on_empty=zero), set_F (trec_eval) is set_f1(on_empty=zero, on_missing=skip)
  Traps: it is the value of each list, then averaged; the f1 of mean precision and mean recall is another number
  Example: set_f1
#}
{% macro metric_set_f1(plan) -%}
    {%- do return(sqlmetrics.metric_set_f_beta(plan, beta=1, **kwargs)) -%}
{%- endmacro %}

{#
  F-beta of the set: (1 + beta^2) P R / (beta^2 P + R) of its precision and recall.

  Formula: F_q = \frac{(1 + \beta^2) h_n}{n + \beta^2 R}
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: it is the value of each list, then averaged; the parameter of trec_eval's set_F is beta^2
  Errors: beta < 0
  Source: Van Rijsbergen (1979), Information Retrieval, chapter 7
  Example: set_f_beta(beta=2)
#}
{% macro metric_set_f_beta(plan, beta=1) -%}
    {{- sqlmetrics.number(plan, 'beta', beta, 0) -}}
    {%- set squared = sqlmetrics.sql_double(beta * beta) -%}
    {%- do return(sqlmetrics.set_metric(
        plan, '((1 + ' ~ squared ~ ') * ' ~ sqlmetrics.expected_hits(plan, none) ~ ')',
        '(' ~ squared ~ ' * ' ~ sqlmetrics.relevant_of_list(plan) ~ ' + ' ~ sqlmetrics.listed_of_list(plan) ~ ')',
        **kwargs
    )) -%}
{%- endmacro %}

{#
  Average precision of the set: its precision times its recall, which average precision is if each relevant item adds
  the precision of the whole set.

  Formula: \text{AP}_q = \frac{h_n^2}{n R}
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: SetAP (ir_measures) is set_map(on_empty=zero)
  Traps: it is no average precision of an order, and usually lower
  Source: trec_eval, set_map
  Example: set_map
#}
{% macro metric_set_map(plan) -%}
    {%- set hits = sqlmetrics.sql_double(sqlmetrics.expected_hits(plan, none)) -%}
    {%- do return(sqlmetrics.set_metric(
        plan, '(' ~ hits ~ ' * ' ~ hits ~ ')',
        '(' ~ sqlmetrics.sql_double(sqlmetrics.relevant_of_list(plan)) ~ ' * ' ~ sqlmetrics.listed_of_list(plan) ~ ')',
        **kwargs
    )) -%}
{%- endmacro %}

{# A ratio over the set of a list, which is empty without a relevant item. #}
{% macro set_metric(plan, numerator, denominator) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, numerator, denominator, sqlmetrics.relevant_of_list(plan) ~ ' = 0', **kwargs
    )) -%}
{%- endmacro %}

{#
  Number of listed items, over all lists.

  Formula: \text{ret}_q = n
  Better: none
  Range: [0, inf)
  Unit: items
  Aliases: NumRet (ir_measures) is num_ret(on_missing=skip)
  Undefined: null without a list
  Traps: it counts the listed items that nobody judged, too, and those of lists without a relevant item
  Source: trec_eval, num_ret
  Example: num_ret
#}
{% macro metric_num_ret(plan, average='sum') -%}
    {%- do return(sqlmetrics.count_of_lists(plan, sqlmetrics.listed_of_list(plan), average, **kwargs)) -%}
{%- endmacro %}

{#
  Number of relevant items, listed or not, over all lists.

  Formula: \text{rel}_q = R
  Better: none
  Range: [0, inf)
  Unit: items
  Aliases: NumRel (ir_measures) is num_rel(on_missing=skip)
  Undefined: null without a list
  Traps: it describes the labels and not the model; without truth= it counts the relevant items that are listed;
    lists that the predictions lack count, unless on_missing=skip
  Source: trec_eval, num_rel
  Example: num_rel(average=mean)
#}
{% macro metric_num_rel(plan, average='sum') -%}
    {%- do return(sqlmetrics.count_of_lists(plan, sqlmetrics.relevant_of_list(plan), average, **kwargs)) -%}
{%- endmacro %}

{#
  Number of relevant listed items, over all lists.

  Formula: \text{rel}_q = h_n
  Better: higher
  Range: [0, inf)
  Unit: items
  Aliases: NumRelRet (ir_measures) is num_rel_ret(on_missing=skip)
  Undefined: null without a list
  Traps: it grows with the length of the lists and with the data; set_recall(average=micro) is its share of num_rel
  Source: trec_eval, num_rel_ret
  Example: num_rel_ret
#}
{% macro metric_num_rel_ret(plan, average='sum') -%}
    {%- do return(sqlmetrics.count_of_lists(plan, sqlmetrics.expected_hits(plan, none), average, **kwargs)) -%}
{%- endmacro %}

{# A number of items, summed or averaged over lists. No list is empty. #}
{% macro count_of_lists(plan, count, average) -%}
    {{- sqlmetrics.one_of(plan, 'average', average, ['sum', 'mean']) -}}
    {%- do return(sqlmetrics.over_lists(plan, count, '1', '1 = 0', average, on_empty=none, **kwargs)) -%}
{%- endmacro %}

{#
  Metrics of ranked lists whose items serve several subtopics (intents, aspects) of a query: what is shown again is worth less.
  Grain: lists. The truth has a row for each item and subtopic that it was judged for; subtopics for which no item is relevant
  do not count, and all others count alike.

  Tied scores rank by item, descending with ties='item desc', whatever `ties` says otherwise: what an item is worth depends on those
  above it, so that the expectation has no closed form.
#}

{#
  Alpha-nDCG: a relevant item gains (1 - alpha)^n for each of its subtopics, n the items above that serve it, discounted by
  1/log2(rank + 1), over the same of an ideal order. Grades count as relevant or not.

  Args:
    k: cutoff in items, integer >= 1 and <= 20
    alpha: how much of its worth a subtopic loses each time that it is served, a number in [0, 1]
    ideal: judged (the judged items, in the order that takes the most gainful item next, of equal ones the last by item: the best
      order is not to be had in reasonable time) or cutoff (k items, each relevant for all subtopics)
  Returns: float in [0, 1]; slightly more where the list beats the order of ideal=judged
  Undefined: a list without a relevant item, listed or not, is empty (see on_empty)
  Errors: k < 1 or k > 20; alpha outside [0, 1]; no subtopic=
  Source: Clarke et al. (2008), doi:10.1145/1390334.1390446, with the discount and the greedy ideal of TREC's ndeval, alpha-nDCG;
    cutoff: its alpha-DCG, which at k = 1 is not divided at all
  Example: alpha_ndcg@10
#}
{% macro metric_alpha_ndcg(plan, k, alpha=0.5, ideal='judged') -%}
    {{- sqlmetrics.one_of(plan, 'ideal', ideal, ['judged', 'cutoff']) -}}
    {%- do return(sqlmetrics.novelty_metric(plan, 'dcg', k, alpha, ideal, **kwargs)) -%}
{%- endmacro %}

{#
  Intent-aware ERR: the chance-weighted 1/rank at which a user stops who wants one of the subtopics, each as likely, and is
  content with an item relevant for it with chance alpha. Grades count as relevant or not.

  Args:
    k: cutoff in items, integer >= 1; none takes the whole list. With an ideal it is required, and <= 20
    alpha: the chance that a relevant item ends the search, a number in [0, 1]; 0.5 is that of 0/1 labels in ERR
    ideal: what it is divided by: none (nothing), judged (the judged items in the order of `alpha_ndcg`) or cutoff (k items, each
      relevant for all subtopics)
  Returns: float in [0, 1]; slightly more where the list beats the order of ideal=judged
  Undefined: a list without a relevant item, listed or not, is empty (see on_empty)
  Errors: k < 1; an ideal without k or with k > 20; alpha outside [0, 1]; no subtopic=
  Source: Chapelle, Ji, Liao, Velipasaoglu, Lai, Wu (2011), doi:10.1007/s10791-011-9167-7; TREC's ndeval: cutoff is its ERR-IA, which
    at k = 1 is not divided at all, judged its nERR-IA
  Example: err_ia@10
#}
{% macro metric_err_ia(plan, k=none, alpha=0.5, ideal=none) -%}
    {{- sqlmetrics.one_of(plan, 'ideal', ideal, [none, 'judged', 'cutoff']) -}}
    {%- do return(sqlmetrics.novelty_metric(plan, 'err', k, alpha, ideal, **kwargs)) -%}
{%- endmacro %}

{#
  Subtopic recall: the share of the subtopics that the top k serves.

  Args:
    k: cutoff in items, integer >= 1; none takes the whole list
  Returns: float in [0, 1]
  Undefined: a list without a relevant item, listed or not, is empty (see on_empty)
  Errors: k < 1; no subtopic=
  Source: Zhai, Cohen, Lafferty (2003), doi:10.1145/860435.860440; TREC's ndeval, strec
  Example: subtopic_recall@10
#}
{% macro metric_subtopic_recall(plan, k=none) -%}
    {%- set subtopics = sqlmetrics.subtopics_of_list(plan) -%}
    {%- set served = sqlmetrics.need(
        plan, 'subtopics', 'subtopics_served' ~ sqlmetrics.cutoff_suffix(plan, k), sqlmetrics.in_ranked_top(k, 'case when {served} = 0 then 1 else 0 end')
    ) -%}
    {%- do return(sqlmetrics.list_metric(plan, served, subtopics, subtopics ~ ' = 0', **kwargs)) -%}
{%- endmacro %}

{# The discounted gain of new subtopics over its ideal. #}
{% macro novelty_metric(plan, discount, k, alpha, ideal) -%}
    {{- sqlmetrics.number(plan, 'alpha', alpha, 0, 1) -}}
    {%- set suffix = '_' ~ discount ~ '_' ~ sqlmetrics.column_name(alpha) ~ sqlmetrics.cutoff_suffix(plan, k) -%}
    {%- set subtopics = sqlmetrics.subtopics_of_list(plan) -%}
    {%- set gain = sqlmetrics.need(
        plan, 'subtopics', 'novelty' ~ suffix,
        sqlmetrics.in_ranked_top(k, 'case when {served} = 0 then 1 else ' ~ sqlmetrics.sql_power(1 - alpha, '{served}') ~ ' end / ' ~ sqlmetrics.effort(discount, '{place}'))
    ) -%}
    {%- if ideal is none -%}
        {%- do return(sqlmetrics.list_metric(plan, '(' ~ alpha ~ ' * ' ~ gain ~ ')', subtopics, subtopics ~ ' = 0', **kwargs)) -%}
    {%- endif -%}
    {%- if k is none -%}
        {{- sqlmetrics.refuse("sqlmetrics." ~ plan['metric'] ~ ": ideal=" ~ ideal ~ " needs a cutoff; write err_ia(ideal=" ~ ideal ~ ")@10") -}}
    {%- endif -%}
    {{- sqlmetrics.number(plan, 'k', k, 1, 20, true) -}}
    {%- if ideal == 'cutoff' -%}
        {%- set terms = [] -%}
        {%- for rank in range(1, k + 1) -%}
            {%- do terms.append(sqlmetrics.sql_double((1 - alpha) ** (rank - 1)) ~ ' / ' ~ sqlmetrics.effort(discount, rank)) -%}
        {%- endfor -%}
        {%- set best = '(' ~ subtopics ~ ' * (' ~ terms | join(' + ') ~ '))' -%}
    {%- else -%}
        {%- set best = sqlmetrics.need(
            plan, sqlmetrics.picks_grain(plan, alpha, k), 'novelty_ideal' ~ suffix,
            'case when {pick} between 1 and ' ~ k ~ ' then {worth} / ' ~ sqlmetrics.effort(discount, '{pick}') ~ ' else 0 end'
        ) -%}
    {%- endif -%}
    {%- do return(sqlmetrics.list_metric(plan, gain, best, subtopics ~ ' = 0', **kwargs)) -%}
{%- endmacro %}

{# What a gain at a rank is divided by. #}
{% macro effort(discount, rank) -%}{{ sqlmetrics.sql_log2(sqlmetrics.sql_double(rank ~ ' + 1')) if discount == 'dcg' else sqlmetrics.sql_double(rank) }}{%- endmacro %}

{# x for a listed item of the top k, else 0. #}
{% macro in_ranked_top(k, x) -%}case when {listed} = 1{{ ' and {place} <= ' ~ k if k is not none }} then {{ x }} else 0 end{%- endmacro %}

{# The subtopics of a list that some item serves, listed or not. #}
{% macro subtopics_of_list(plan) -%}
    {%- if plan['subtopic'] is none -%}
        {{- sqlmetrics.refuse("sqlmetrics." ~ plan['metric'] ~ ": needs subtopic=, a column of truth= that has a row for each group, item and subtopic") -}}
    {%- endif -%}
    {{- sqlmetrics.need(plan, 'subtopics', 'n_subtopics', 'case when {served} = 0 then 1 else 0 end') -}}
{%- endmacro %}

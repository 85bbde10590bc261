{#
  Metrics of generated answers: attempts at a problem, and preferences between two models.

  Task: Language models
#}

{#
  Pass at k: the mean over problems of the probability that at least one of k attempts, drawn without replacement from
  the n attempts of the problem, is right: 1 - C(n - c, k) / C(n, k) if c are right. A group is a problem, a row an
  attempt with a label of 0 or 1; no score is read.

  Formula: \text{pass}_q = 1 - \frac{\binom{n - R}{k}}{\binom{n}{k}}
  Args:
    k: the number of attempts, an integer from 1 to 200
  Returns: float
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: a problem with fewer than k attempts counts as empty (see on_empty); counted in
    groups_without_pass_k
  Traps: it grows with k, so that it is not the chance that one answer is right, which is pass@1; values of
    another sampling of attempts (temperature, prompt) are not comparable; if n is near k it is coarse; a weak
    check of an attempt, such as few unit tests, raises it
  Errors: k < 1 or > 200; truth=, since the labels are those of the attempts
  Source: Chen et al. (2021), doi:10.48550/arXiv.2107.03374, equation 1
  Example: pass@2
#}
{% macro metric_pass_at(plan, k) -%}
    {%- set attempts = sqlmetrics.attempts_of_list(plan, k) -%}
    {%- set fails = sqlmetrics.chance_of_draws(
        '(' ~ attempts ~ ' - ' ~ sqlmetrics.relevant_of_list(plan) ~ ')', attempts, k
    ) -%}
    {%- set too_few = sqlmetrics.undefined_if(plan, attempts ~ ' < ' ~ k) -%}
    {%- do return(sqlmetrics.list_metric(plan, '(1 - ' ~ fails ~ ')', '1', too_few, **kwargs)) -%}
{%- endmacro %}

{#
  Pass to the k: the mean over problems of the probability that all of k attempts, drawn without replacement from the n
  attempts of the problem, are right: C(c, k) / C(n, k) if c are right. It says how reliable an agent is, where pass@k
  says what it can do. A group is a problem, a row an attempt with a label of 0 or 1; no score is read.

  Formula: \text{pass all}_q = \frac{\binom{R}{k}}{\binom{n}{k}}
  Args:
    k: the number of attempts, an integer from 1 to 200
  Returns: float
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: pass^k (tau-bench) is pass_all@k
  Undefined: a problem with fewer than k attempts counts as empty (see on_empty); counted in
    groups_without_pass_all_k
  Traps: it falls with k, and is pass@1 at k = 1; it is not pass@1 to the power of k, since problems differ; if n is
    near k it is coarse: at k = n it is the share of problems whose attempts are all right
  Errors: k < 1 or > 200; truth=, since the labels are those of the attempts
  Source: Yao, Shinn, Razavi and Narasimhan (2024), tau-bench, doi:10.48550/arXiv.2406.12045, section 3
  Example: pass_all@2
#}
{% macro metric_pass_all_at(plan, k) -%}
    {%- set attempts = sqlmetrics.attempts_of_list(plan, k) -%}
    {%- set passes = sqlmetrics.chance_of_draws(sqlmetrics.relevant_of_list(plan), attempts, k) -%}
    {%- set too_few = sqlmetrics.undefined_if(plan, attempts ~ ' < ' ~ k) -%}
    {%- do return(sqlmetrics.list_metric(plan, '(' ~ passes ~ ')', '1', too_few, **kwargs)) -%}
{%- endmacro %}

{# The number of attempts at a problem, for a metric that draws k of them and reads no score. #}
{% macro attempts_of_list(plan, k) -%}
    {{- sqlmetrics.number(plan, 'k', k, 1, 200, true) -}}
    {%- if plan['facts']['truth'] is not none -%}
        {{- sqlmetrics.refuse_metric(plan, "takes the label of each attempt from the data, not from truth=") -}}
    {%- endif -%}
    {%- do sqlmetrics.without_scores(plan) -%}
    {%- do sqlmetrics.is_positive(plan) -%}
    {{- sqlmetrics.listed_of_list(plan) -}}
{%- endmacro %}

{# The probability that k attempts, drawn without replacement, are all among some of them. #}
{% macro chance_of_draws(some, attempts, k) -%}
    {%- set shares = [] -%}
    {%- for i in range(k) -%}
        {%- do shares.append(sqlmetrics.ratio('(' ~ some ~ ' - ' ~ i ~ ')', '(' ~ attempts ~ ' - ' ~ i ~ ')')) -%}
    {%- endfor -%}
    case when {{ some }} < {{ k }} then 0 else {{ shares | join(' * ') }} end
{%- endmacro %}

{#
  Win rate: the share of rows in which the score is above that of an opponent; a tie counts one half. A row is a prompt
  or a task that both have done, with the rating of each.

  Formula: \text{win rate} = \frac{\sum_i w_i ([s_i > \text{against}_i] + \frac{1}{2} [s_i = \text{against}_i])}{\sum_i
      w_i}
  Args:
    against: the column of the opponent's score
  Returns: float; weighted by the row weight
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if there are no rows
  Traps: it says how often, not by how much; values against different opponents are not comparable; raters who
    favour long answers raise it for long answers; many ties draw it to 0.5
  Errors: against missing, or not a column of numbers
  Source: Hanley and McNeil (1982), doi:10.1148/radiology.143.1.7063747, for ties; Dubois et al. (2024),
    doi:10.48550/arXiv.2404.04475
  Example: win_rate(against=opponent)
#}
{% macro metric_win_rate(plan, against=none) -%}
    {%- set other = sqlmetrics.row_column(plan, 'against', against) -%}
    {%- do return(sqlmetrics.row_mean(
        plan, sqlmetrics.sum_of_columns(plan, 'won', [against]),
        'case when {score} > ' ~ other ~ ' then 1 when {score} = ' ~ other ~ ' then 0.5 else 0 end', complete=true
    )) -%}
{%- endmacro %}

{#
  The value of a policy from rows that another policy logged. The label is the reward of the logged action, the score
  the probability with which the policy would take this action, and propensity the probability with which it was taken.
  With several scores `compare` tests policies against each other. Grain: rows.

  Args:
    propensity: the column of the probability with which the logged action was taken, in (0, 1]
    clip: the greatest importance weight, a number > 0; none leaves weights as they are
  Task: Uplift and policies
  Returns: float; weighted by the row weight
  Errors: a score outside [0, 1]; a propensity outside (0, 1]; clip <= 0
#}

{#
  Inverse propensity score estimate of a policy's value: the mean of reward * min(score / propensity, clip). Without
  clip it is unbiased; clip lowers its variance and adds a bias towards 0.

  Formula: \text{IPS} = \frac{\sum_i w_i \omega_i y_i}{\sum_i w_i}
    \omega_i = \min \left( \frac{s_i}{\text{propensity}_i}, \text{clip} \right)
  Better: higher
  Range: (-inf, inf)
  Unit: label
  Undefined: null if there are no rows
  Traps: a few rows with small propensities decide it, and where none is among the rows its interval is too
    narrow; propensities have to be those of the logging policy, and an action that it never took is not seen; a
    low clip draws it to 0
  Source: Horvitz and Thompson (1952), doi:10.1080/01621459.1952.10483446; clip: Strehl et al. (2010),
    doi:10.48550/arXiv.1003.0120; obp, InverseProbabilityWeighting
  Example: ips(propensity=propensity, clip=10)
#}
{% macro metric_ips(plan, propensity=none, clip=none) -%}
    {%- set weight = sqlmetrics.importance_weight(plan, propensity, clip) -%}
    {%- do return(sqlmetrics.row_mean(
        plan, sqlmetrics.sum_of_columns(plan, 'weighted_reward' ~ sqlmetrics.suffix_of_clip(clip), [propensity]),
        sqlmetrics.row_product('{label}', weight), complete=true
    )) -%}
{%- endmacro %}

{#
  Self-normalised inverse propensity score estimate of a policy's value: the sum of reward * min(score / propensity,
  clip) over the sum of these weights. It does not change when a number is added to all rewards, and varies less than
  `ips`.

  Formula: \text{SNIPS} = \frac{\sum_i w_i \omega_i y_i}{\sum_i w_i \omega_i}
    \omega_i = \min \left( \frac{s_i}{\text{propensity}_i}, \text{clip} \right)
  Better: higher
  Range: (-inf, inf)
  Unit: label
  Undefined: null if there are no rows, or if the policy would take none of the logged actions
  Traps: in small samples it is biased; a policy that hardly takes the logged actions rests on a few rows with
    large weights; propensities have to be those of the logging policy
  Source: Swaminathan and Joachims (2015), The self-normalized estimator for counterfactual learning; obp,
    SelfNormalizedInverseProbabilityWeighting
  Example: snips(propensity=propensity)
#}
{% macro metric_snips(plan, propensity=none, clip=none) -%}
    {%- set weight = sqlmetrics.importance_weight(plan, propensity, clip) -%}
    {%- set suffix = sqlmetrics.suffix_of_clip(clip) -%}
    {%- do return(sqlmetrics.row_ratio(
        plan,
        sqlmetrics.row_sum(
            plan, sqlmetrics.sum_of_columns(plan, 'weighted_reward' ~ suffix, [propensity]),
            sqlmetrics.row_product('{label}', weight)
        ),
        sqlmetrics.row_sum(plan, sqlmetrics.sum_of_columns(plan, 'importance' ~ suffix, [propensity]), weight)
    )) -%}
{%- endmacro %}

{#
  Doubly robust estimate of a policy's value: the mean of expected + min(score / propensity, clip) * (reward -
  predicted), where a model of rewards predicts the logged action, and expects the policy's actions. It is unbiased if
  the propensities or the model are right.

  Formula: \text{DR} = \frac{\sum_i w_i (\text{expected}_i + \omega_i (y_i - \text{predicted}_i))}{\sum_i w_i}
    \omega_i = \min \left( \frac{s_i}{\text{propensity}_i}, \text{clip} \right)
  Args:
    predicted: the column of the reward that the model predicts for the logged action
    expected: the column of the reward that the model predicts for the policy: over all actions, the sum of the
      policy's probability times the predicted reward
  Better: higher
  Range: (-inf, inf)
  Unit: label
  Undefined: null if there are no rows
  Traps: a model of rewards that was fitted on the same rows hides its errors; if the propensities and the model
    are both wrong, nothing shows it; expected= is over all actions of the policy, not the logged one
  Source: Dudik, Langford and Li (2011), Doubly robust policy evaluation and learning; obp, DoublyRobust
  Example: doubly_robust(propensity=propensity, predicted=predicted, expected=expected)
#}
{% macro metric_doubly_robust(plan, propensity=none, predicted=none, expected=none, clip=none) -%}
    {%- set weight = sqlmetrics.importance_weight(plan, propensity, clip) -%}
    {%- set of_action = sqlmetrics.row_column(plan, 'predicted', predicted) -%}
    {%- set of_policy = sqlmetrics.row_column(plan, 'expected', expected) -%}
    {%- do return(sqlmetrics.row_mean(
        plan,
        sqlmetrics.sum_of_columns(
            plan, 'doubly_robust' ~ sqlmetrics.suffix_of_clip(clip), [propensity, predicted, expected]
        ),
        '(' ~ of_policy ~ ' + ' ~ weight ~ ' * ({label} - ' ~ of_action ~ '))', complete=true
    )) -%}
{%- endmacro %}

{# The importance weight of a row, a template. #}
{% macro importance_weight(plan, propensity, clip) -%}
    {%- set chance = sqlmetrics.row_column(plan, 'propensity', propensity) -%}
    {%- do sqlmetrics.require(
        plan, 'rows', sqlmetrics.sum_of_columns(plan, 'rows_no_propensity', [propensity]),
        chance ~ ' <= 0 or ' ~ chance ~ ' > 1',
        'rows have a propensity (' ~ propensity ~ ') outside (0, 1], but an action that was logged has a probability'
            ~ ' above 0'
    ) -%}
    {%- set weight = sqlmetrics.ratio(sqlmetrics.probability_of(plan) | trim, chance) -%}
    {%- if clip is none -%}{%- do return(weight) -%}{%- endif -%}
    {{- sqlmetrics.number(plan, 'clip', clip, 1e-300) -}}
    {%- do return(
        '(case when ' ~ weight ~ ' > ' ~ clip ~ ' then ' ~ sqlmetrics.sql_double(clip) ~ ' else ' ~ weight ~ ' end)'
    ) -%}
{%- endmacro %}

{# The suffix for the name of a sum whose weights are clipped. #}
{% macro suffix_of_clip(clip) -%}{{ '' if clip is none else '_' ~ sqlmetrics.column_name(clip) }}{%- endmacro %}

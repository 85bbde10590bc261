{# How a score goes along with a numeric label. Grain: rows; spearman ranks them. #}

{#
  Pearson correlation of label and score.

  Returns: float in [-1, 1]; weighted by the row weight
  Undefined: null without rows, or where label or score is constant
  Source: scipy, stats.pearsonr
  Example: pearson
#}
{% macro metric_pearson(plan) -%}
    {%- set products = sqlmetrics.centred_product(plan, 'label', 'score') -%}
    {%- set label = sqlmetrics.centred_product(plan, 'label', 'label') -%}
    {%- set score = sqlmetrics.centred_product(plan, 'score', 'score') -%}
    case when {{ sqlmetrics.varies(plan, 'label') }} and {{ sqlmetrics.varies(plan, 'score') }}
        then {{ sqlmetrics.ratio(products, 'sqrt(' ~ label ~ ') * sqrt(' ~ score ~ ')') }} end
{%- endmacro %}

{#
  Spearman's rank correlation: the Pearson correlation of the ranks of label and score, where tied values share their mean rank.

  Returns: float in [-1, 1]
  Undefined: null without rows, or where label or score is constant
  Errors: weight=, for which ranks have no agreed meaning
  Source: Spearman (1904), doi:10.2307/1412159; scipy, stats.spearmanr
  Example: spearman
#}
{% macro metric_spearman(plan) -%}
    {%- if plan['weight'] is not none -%}
        {{- sqlmetrics.refuse("sqlmetrics." ~ plan['metric'] ~ ": takes no weight=; ask for it without, or for pearson, which takes weights") -}}
    {%- endif -%}
    {%- do sqlmetrics.residual(plan) -%}
    {#- twice the distance to the mean rank, an integer: the rows up to a value, and those from it on, are told apart -#}
    {%- set n = sqlmetrics.need(plan, 'rows', 'count', 'case when sm_problem = 0 then 1 else 0 end') -%}
    {%- set distance = {} -%}
    {%- for role in ('label', 'score') -%}
        {%- do distance.update({role: sqlmetrics.sm_double(
            'sm_' ~ role ~ '_first - 1 - (' ~ n ~ ' - ' ~ sqlmetrics.from_share('sm_' ~ role ~ '_share', n) ~ ')'
        )}) -%}
    {%- endfor -%}
    {%- set products = sqlmetrics.need(plan, 'ranks', 'rank_products', distance['label'] ~ ' * ' ~ distance['score']) -%}
    {%- set label = sqlmetrics.need(plan, 'ranks', 'label_ranks', distance['label'] ~ ' * ' ~ distance['label']) -%}
    {%- set score = sqlmetrics.need(plan, 'ranks', 'score_ranks', distance['score'] ~ ' * ' ~ distance['score']) -%}
    {{- sqlmetrics.ratio(products, 'sqrt(' ~ label ~ ') * sqrt(' ~ score ~ ')') -}}
{%- endmacro %}

{#
  Concordance correlation coefficient (Lin): how close rows lie to the line score = label,
  2 cov / (variance of label + variance of score + (mean of label - mean of score)^2), variances dividing by n.

  Returns: float in [-1, 1]; weighted by the row weight
  Undefined: null without rows, or where label and score are one and the same constant
  Source: Lin (1989), doi:10.2307/2532051
  Example: concordance
#}
{% macro metric_concordance(plan) -%}
    {%- set products = sqlmetrics.centred_product(plan, 'label', 'score') -%}
    {%- set variances = sqlmetrics.centred_product(plan, 'label', 'label') ~ ' + ' ~ sqlmetrics.centred_product(plan, 'score', 'score') -%}
    {%- set bias = sqlmetrics.metric_bias(plan) -%}
    {%- set differ = sqlmetrics.least(plan, 'label') ~ ' <> ' ~ sqlmetrics.least(plan, 'score') -%}
    case when {{ sqlmetrics.varies(plan, 'label') }} or {{ sqlmetrics.varies(plan, 'score') }} or {{ differ }}
        then {{ sqlmetrics.ratio('2 * ' ~ products, variances ~ ' + ' ~ sqlmetrics.row_total(plan) ~ ' * ' ~ bias ~ ' * ' ~ bias) }} end
{%- endmacro %}

{#
  Correlations of a score and a numeric label. Grain: rows, which spearman and kendall_tau rank.

  Task: Regression
#}

{#
  Pearson correlation of label and score.

  Formula: \text{corr} = \frac{\sum_i w_i (y_i - \bar{y}) (s_i - \bar{s})} {\sqrt{\sum_i w_i (y_i - \bar{y})^2 \sum_i
      w_i (s_i - \bar{s})^2}}
  Returns: float; weighted by the row weight
  Better: higher
  Range: [-1, 1]
  Unit: none
  Aliases: pearsonr (SciPy), pearson_corrcoef (torchmetrics)
  Undefined: null if there are no rows, or if label or score is constant
  Interval: by the influence of each row, so labels and scores need not be normally distributed; a few far rows widen
    it. It needs more than 3 rows. Of lognormal labels one of 95 % holds the value in 92 to 96 % (docs/coverage.md)
  Traps: it sees a linear relation alone, and ignores scale and offset: predictions twice too high may have 1; a few
    far rows may decide it, as of lognormal labels: see spearman
  Source: scipy, stats.pearsonr
  Example: pearson
#}
{% macro metric_pearson(plan) -%}
    {%- set products = sqlmetrics.centred_product(plan, 'label', 'score') -%}
    {%- set label = sqlmetrics.centred_product(plan, 'label', 'label') -%}
    {%- set score = sqlmetrics.centred_product(plan, 'score', 'score') -%}
    {#- divided by an infinite sum, any products would give 0 -#}
    {%- set defined = [
        sqlmetrics.row_varies(plan, 'label'), sqlmetrics.row_varies(plan, 'score'),
        label ~ ' + ' ~ score ~ ' <= 1.7976931348623157e308',
    ] -%}
    {%- set spread = sqlmetrics.spread_of_correlation(plan) -%}
    {%- if spread -%}
        {%- set influence = sqlmetrics.influence_on_correlation(plan, products, label, score) -%}
        {%- do spread.update({'by_influence': dict(spread, kind='mean', **influence)}) -%}
    {%- endif -%}
    {%- do return(sqlmetrics.held_in_range(sqlmetrics.spreading_value(
        'case when ' ~ defined | join(' and ')
            ~ ' then ' ~ sqlmetrics.ratio(products, 'sqrt(' ~ label ~ ') * sqrt(' ~ score ~ ')') ~ ' end',
        spread
    ))) -%}
{%- endmacro %}

{#
  The influence of a row on a correlation, and its leverage, the share of its squared distance from the means among
  all: a dict of templates over a row, times the sum of the weights.

  Args:
    products, label, score: templates of the sums of products and of squares about the means
  Source: Devlin, Gnanadesikan and Kettenring (1975), doi:10.1093/biomet/62.3.531
#}
{% macro influence_on_correlation(plan, products, label, score) -%}
    {%- set size = 'sqrt(' ~ label ~ ') * sqrt(' ~ score ~ ')' -%}
    {%- set r, product = sqlmetrics.ratio(products, size), sqlmetrics.ratio(sqlmetrics.of_row(plan, products), size) -%}
    {%- set squares = '(' ~ sqlmetrics.ratio(sqlmetrics.of_row(plan, label), label) ~ ' + '
        ~ sqlmetrics.ratio(sqlmetrics.of_row(plan, score), score) ~ ')' -%}
    {%- set total, rest = sqlmetrics.row_total(plan), '(1 - ' ~ r ~ ' * ' ~ r ~ ')' -%}
    {#- rows on a line do not say how far others lie from it; rounding leaves 1 - 1e-16 -#}
    {%- set there = sqlmetrics.row_count(plan) ~ ' > 3 and ' ~ rest ~ ' > 2e-11' -%}
    {%- do return({
        'deviation': '(' ~ total ~ ' * (' ~ product ~ ' - ' ~ r ~ ' * 0.5 * ' ~ squares ~ '))',
        'leverage': sqlmetrics.ratio(
            '(' ~ squares ~ ' - 2 * ' ~ r ~ ' * ' ~ product ~ ')', 'case when ' ~ there ~ ' then ' ~ rest ~ ' end'
        ),
    }) -%}
{%- endmacro %}

{#
  Spearman's rank correlation: the Pearson correlation of the ranks of label and score; tied values share
  their mean rank.

  Formula: \text{corr} = \frac{\sum_i (u_i - \bar{u}) (v_i - \bar{v})}{\sqrt{\sum_i (u_i - \bar{u})^2 \sum_i (v_i -
      \bar{v})^2}}
    u_i = \text{rank}(y_i), \quad v_i = \text{rank}(s_i), \quad \bar{u} = \bar{v} = \frac{n + 1}{2}
  Returns: float
  Better: higher
  Range: [-1, 1]
  Unit: none
  Aliases: spearmanr (SciPy), spearman_corrcoef (torchmetrics)
  Undefined: null if there are no rows, or if label or score is constant
  Traps: it is computed over all rows; within lists other definitions give another number
  Errors: weight=, because weighted ranks have no agreed definition
  Source: Spearman (1904), doi:10.2307/1412159; scipy, stats.spearmanr
  Example: spearman
#}
{% macro metric_spearman(plan) -%}
    {{- sqlmetrics.need_ranks(plan) -}}
    {#- twice the distance of a row's mean rank from the middle -#}
    {%- set n = sqlmetrics.row_count(plan) -%}
    {%- set distance = {} -%}
    {%- for role in ('label', 'score') -%}
        {%- do distance.update({role: sqlmetrics.sql_double(
            '{' ~ role ~ '_first} - 1 - (' ~ n ~ ' - ' ~ sqlmetrics.from_share('{' ~ role ~ '_share}', n) ~ ')'
        )}) -%}
    {%- endfor -%}
    {%- set products = sqlmetrics.need(
        plan, 'ranks', 'rank_products', distance['label'] ~ ' * ' ~ distance['score']
    ) -%}
    {%- set label = sqlmetrics.need(plan, 'ranks', 'label_ranks', distance['label'] ~ ' * ' ~ distance['label']) -%}
    {%- set score = sqlmetrics.need(plan, 'ranks', 'score_ranks', distance['score'] ~ ' * ' ~ distance['score']) -%}
    {%- set rho = sqlmetrics.product_by_roots(products, label, score) -%}
    {#- Bonett and Wright (2000), doi:10.1007/BF02294183 -#}
    {%- do return(sqlmetrics.spreading_value(
        rho, sqlmetrics.spread_of_correlation(plan, '(1 + ' ~ rho ~ ' * ' ~ rho ~ ' / 2)')
    )) -%}
{%- endmacro %}

{#
  Kendall's rank correlation, tau-b: the pairs of rows that label and score put in the same order, less those in
  opposite orders, over the geometric mean of the pairs without a tie in the label and those without one in the score.

  Formula: \text{tau} = \frac{\sum_i \sum_j ([y_i > y_j] - [y_i < y_j]) ([s_i > s_j] - [s_i < s_j])} {\sqrt{\sum_i
      \sum_j [y_i \ne y_j] \sum_i \sum_j [s_i \ne s_j]}}
  Returns: float
  Better: higher
  Range: [-1, 1]
  Unit: none
  Aliases: kendalltau (SciPy), kendall_rank_corrcoef (torchmetrics)
  Undefined: null if there are no rows, or if label or score is constant
  Interval: on Fisher's scale, with the variance 0.437 / (n - 4). Ties make it larger, by as much as they do where label
    and score are independent. It needs more than 4 rows
  Traps: it is computed over all rows; the mean over lists is that of slices, by the column of the list; it is nearer
    to 0 than spearman of the same data, by about a third
  Errors: weight=, because weighted pairs have no agreed definition
  Source: Kendall (1945), The treatment of ties in ranking problems, doi:10.1093/biomet/33.3.239; interval: Fieller,
    Hartley and Pearson (1957), doi:10.1093/biomet/44.3-4.470, with the leading terms of Kendall's variance with ties
  Example: kendall_tau
#}
{% macro metric_kendall_tau(plan) -%}
    {{- sqlmetrics.need_ranks(plan) -}}
    {#- twice the pairs of a row whose values differ: its rows less those of its block -#}
    {%- set n, pairs, ties = sqlmetrics.row_count(plan), {}, [] -%}
    {%- set spreads = sqlmetrics.spread_of_correlation(plan) is not none -%}
    {%- for role in ('label', 'score') -%}
        {%- set through = sqlmetrics.from_share('{' ~ role ~ '_share}', n) -%}
        {%- set differing = sqlmetrics.sql_double(n ~ ' - (' ~ through ~ ' - {' ~ role ~ '_first} + 1)') -%}
        {%- do pairs.update({role: sqlmetrics.need(plan, 'ranks', role ~ '_pairs', differing)}) -%}
        {%- if spreads -%}
            {#- n^3 less the sum of t^3 over blocks of t equal values -#}
            {%- set triples = sqlmetrics.need(
                plan, 'ranks', role ~ '_triples', differing ~ ' * (2 * ' ~ n ~ ' - ' ~ differing ~ ')'
            ) -%}
            {%- do ties.append(sqlmetrics.ratio(triples, '(' ~ n ~ ' + 1) * ' ~ pairs[role])) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set agreeing = '2 * ' ~ sqlmetrics.need(plan, 'rank_halves', 'agreeing_pairs', '{agreeing}') -%}
    {%- set tau = sqlmetrics.product_by_roots(agreeing, pairs['label'], pairs['score']) -%}
    {%- set square = '(' ~ (['0.437', sqlmetrics.ratio(n ~ ' - 3', n ~ ' - 4')] + ties) | join(' * ') ~ ')' -%}
    {%- do return(sqlmetrics.held_in_range(
        sqlmetrics.spreading_value(tau, sqlmetrics.spread_of_correlation(plan, square))
    )) -%}
{%- endmacro %}

{# Needs the ranks of labels and scores, which have no weights. #}
{% macro need_ranks(plan) -%}
    {%- if plan['facts']['soft'] -%}{{- sqlmetrics.refuse_soft(plan, 'it reads the label as a number') -}}{%- endif -%}
    {%- if plan['facts']['weight'] is not none -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics." ~ plan['asked']['metric']
                ~ ": takes no weight=; ask for it without, or for pearson, which takes weights"
        ) -}}
    {%- endif -%}
    {%- for role in ('score', 'label') -%}{{- sqlmetrics.need_role(plan, role) -}}{%- endfor -%}
{%- endmacro %}

{#
  Concordance correlation coefficient (Lin): how close rows lie to the line score = label, 2 cov / (variance
  of label + variance of score + (mean of label - mean of score)^2), with variances that divide by n.

  Formula: \text{CCC} = \frac{2 \sum_i w_i (y_i - \bar{y}) (s_i - \bar{s})} {\sum_i w_i (y_i - \bar{y})^2 + \sum_i w_i
      (s_i - \bar{s})^2 + W (\bar{y} - \bar{s})^2}
  Returns: float; weighted by the row weight
  Better: higher
  Range: [-1, 1]
  Unit: none
  Undefined: null if there are no rows, or if label and score are the same constant
  Interval: by leaving out each row in turn. Of lognormal labels one of 95 % holds the value in 92 %, however many rows
    (docs/coverage.md)
  Traps: it depends on how far the labels spread, so slices of a narrow range have lower values at the same error;
    it does not say whether offset, scale or scatter lowers it
  Source: Lin (1989), doi:10.2307/2532051
  Example: concordance
#}
{% macro metric_concordance(plan) -%}
    {%- set products = sqlmetrics.centred_product(plan, 'label', 'score') -%}
    {%- set variances = sqlmetrics.centred_product(plan, 'label', 'label') ~ ' + '
        ~ sqlmetrics.centred_product(plan, 'score', 'score') -%}
    {%- set bias = sqlmetrics.sql_factor(sqlmetrics.metric_bias(plan)['sql']) -%}
    {%- set differ = sqlmetrics.row_least(plan, 'label') ~ ' <> ' ~ sqlmetrics.row_least(plan, 'score') -%}
    {%- set size = variances ~ ' + ' ~ sqlmetrics.row_total(plan) ~ ' * ' ~ bias ~ ' * ' ~ bias -%}
    {%- set ratio = sqlmetrics.ratio('2 * ' ~ products, size) -%}
    {%- set vary = sqlmetrics.row_varies(plan, 'label') ~ ' or ' ~ sqlmetrics.row_varies(plan, 'score') -%}
    {%- set sql = 'case when ' ~ vary ~ ' or ' ~ differ ~ ' then ' ~ ratio ~ ' end' -%}
    {%- if plan['facts']['interval'] is none -%}{%- do return(sqlmetrics.plain_value(sql)) -%}{%- endif -%}
    {#- the denominator is the sum of squared errors plus twice the products -#}
    {%- set product = '2 * ' ~ sqlmetrics.of_row(plan, products) -%}
    {%- set squared = sqlmetrics.row_weighted(plan, sqlmetrics.square(sqlmetrics.residual())) -%}
    {%- set of_size = '(' ~ squared ~ ' + ' ~ product ~ ')' -%}
    {%- set influence = '(' ~ product ~ ' - ' ~ ratio ~ ' * ' ~ of_size ~ ')' -%}
    {%- set weight = sqlmetrics.usable_weight(plan) -%}
    {%- set spread = sqlmetrics.spread_by_influence(plan, 'rows', influence, weight, '(' ~ size ~ ')') -%}
    {#- 1 less the value is the squared error over a size that is much the same for two models -#}
    {%- do spread.update({
        'leverage': sqlmetrics.ratio(of_size, '(' ~ size ~ ')'),
        'loss': {'sum': '(1 - ' ~ ratio ~ ') * (' ~ size ~ ')', 'of_row': squared},
    }) -%}
    {%- do return(sqlmetrics.spreading_value(sql, spread)) -%}
{%- endmacro %}

{#
  How rankings share exposure among groups of items, such as the items of one supplier, the authors of one sex, or new
  items. An item is exposed by the weight of its rank, in expectation over tied scores. Grain: lists.

  Each list has its own value, over all its items; the metric is the mean over lists. NULL is a value of the column
  like others. label= has to be given as for other metrics of lists, though only disparate_treatment_ratio reads it.

  Args:
    k: cutoff in items, integer >= 1; items below it have no exposure, but count as items of their group. none means
      whole lists
    sensitive: the column of the group of an item, whose values are compared
    p: the persistence of the user, a number > 0 and < 1: the item at a rank is exposed by p^(rank - 1), as in rbp. none
      means 1 / log2(rank + 1), as in ndcg
  Task: Fairness
  Returns: float
  Better: higher
  Range: [0, 1]
  Errors: k < 1; no sensitive column, or one that does not exist; p outside (0, 1); truth=, which has no groups of items
    that nobody judged
#}

{#
  Parity of exposure: the least exposure per item of a group, over the greatest.

  Formula: \text{ratio}_q = \frac{\min_z E_z / N_z}{\max_z E_z / N_z}
    E_z = \sum_{r=1}^{k} [z_r = z] x_r
    N_z = \sum_{r=1}^{n} [z_r = z]
    x_r = \begin{cases} \frac{1}{\log_2(r + 1)} & \text{p=none} \\ p^{r-1} & \text{otherwise} \end{cases}
  Unit: share
  Undefined: a list with items of one group alone counts as empty (see on_empty)
  Traps: it ignores the label, so a group of better items may earn its exposure, which disparate_treatment_ratio allows;
    lists are short, and in each the worst of several groups is far below the best by chance alone, so the mean over
    lists is below 1 for a random order, too: compare it with that; with k, a group without an item above it makes it 0
  Source: Singh and Joachims (2018), Fairness of exposure in rankings, doi:10.1145/3219819.3220088, section 4.1, whose
    constraint holds where it is 1; FairRankTune, EXP of one ranking, MinMaxRatio
  Example: exposure_parity_ratio(sensitive=country)@10
#}
{% macro metric_exposure_parity_ratio(plan, k=none, sensitive=none, p=none) -%}
    {%- set subsets = sqlmetrics.subsets_of_lists(plan, 'sensitive', sensitive) -%}
    {%- set exposure = sqlmetrics.exposure_of_subset(plan, subsets, k, p) -%}
    {%- do return(sqlmetrics.ratio_of_exposures(
        plan, subsets, exposure, sqlmetrics.items_of_subset(plan, subsets), **kwargs
    )) -%}
{%- endmacro %}

{#
  Disparate treatment ratio: the least exposure per relevance of a group, over the greatest. The relevance of a group is
  the sum of its labels, so that it is 1 where groups are exposed in proportion to the relevance of their items.

  Formula: \text{DTR}_q = \frac{\min_{z:\, U_z > 0} E_z / U_z}{\max_{z:\, U_z > 0} E_z / U_z}
    E_z = \sum_{r=1}^{k} [z_r = z] x_r
    U_z = \sum_{r=1}^{n} [z_r = z] y_r
    x_r = \begin{cases} \frac{1}{\log_2(r + 1)} & \text{p=none} \\ p^{r-1} & \text{otherwise} \end{cases}
  Unit: share
  Undefined: a list with relevant items of fewer than two groups, or none of whose groups is exposed, counts as empty
    (see on_empty); a group without a relevant item is left out
  Traps: the paper's ratio of two groups may be above 1, and this is the one of both directions that is not; a group
    with one relevant item among many that are not has much exposure per relevance; in short lists it is far below 1
    by chance alone; labels that are themselves unfair do not show
  Errors: k < 1; no sensitive column, or one that does not exist; p outside (0, 1); a negative label; truth=, which has
    no groups of items that nobody judged
  Source: Singh and Joachims (2018), Fairness of exposure in rankings, doi:10.1145/3219819.3220088, section 4.2;
    FairRankTune, EXPU of one ranking, MinMaxRatio
  Example: disparate_treatment_ratio(sensitive=country)@10
#}
{% macro metric_disparate_treatment_ratio(plan, k=none, sensitive=none, p=none) -%}
    {%- set subsets = sqlmetrics.subsets_of_lists(plan, 'sensitive', sensitive) -%}
    {%- do sqlmetrics.no_negative_grade(plan) -%}
    {%- set relevance = sqlmetrics.sum_in_list_subset(plan, subsets, 'relevance', sqlmetrics.grade_of(plan)) -%}
    {%- do return(sqlmetrics.ratio_of_exposures(
        plan, subsets, sqlmetrics.exposure_of_subset(plan, subsets, k, p), relevance, **kwargs
    )) -%}
{%- endmacro %}

{#
  Attention-weighted rank fairness (AWRF): 1 less the distance between the shares of the groups in the exposure of a
  list and their shares among its items.

  Formula: \text{AWRF}_q = \begin{cases} 1 - \frac{1}{2} \sum_z \left|e_z - f_z\right| & \text{distance=variation} \\
      1 - \frac{1}{2} \sum_z \left( e_z \ln \frac{2 e_z}{e_z + f_z} + f_z \ln \frac{2 f_z}{e_z + f_z} \right) &
      \text{distance=js} \end{cases}
    e_z = \frac{\sum_{r=1}^{k} [z_r = z] x_r}{\sum_{r=1}^{k} [r \le n] x_r}
    f_z = \frac{1}{n} \sum_{r=1}^{n} [z_r = z]
    x_r = \begin{cases} \frac{1}{\log_2(r + 1)} & \text{p=none} \\ p^{r-1} & \text{otherwise} \end{cases}
  Args:
    distance: variation (half the sum of the absolute differences: the share of the exposure that would have to move) or
      js (the Jensen-Shannon divergence in nats, which is at most ln 2)
  Unit: share
  Undefined: null if there are no lists
  Traps: the target are the shares among the items of the list, so a list that leaves out a group is not unfair to it;
    without k and with p=none long lists are near 1 in any order, since low ranks have most of the exposure; values of
    the two distances are not comparable
  Errors: k < 1; no sensitive column, or one that does not exist; p outside (0, 1); another distance; truth=, which has
    no groups of items that nobody judged
  Source: Sapiezynski, Zeng, Robertson, Mislove and Wilson (2019), doi:10.1145/3308560.3317595; of two groups,
    variation is the absolute difference of Raj and Ekstrand (2022), doi:10.1145/3477495.3532018; js: TREC's Fair
    Ranking tracks of 2021 and 2022, with targets of their own
  Example: awrf(sensitive=country)@10
#}
{% macro metric_awrf(plan, k=none, sensitive=none, p=none, distance='variation') -%}
    {{- sqlmetrics.one_of(plan, 'distance', distance, ['variation', 'js']) -}}
    {%- set subsets = sqlmetrics.subsets_of_lists(plan, 'sensitive', sensitive) -%}
    {%- set shares = [] -%}
    {%- for sum in (
        sqlmetrics.exposure_of_subset(plan, subsets, k, p), sqlmetrics.items_of_subset(plan, subsets),
    ) -%}
        {%- do shares.append(sqlmetrics.ratio(sum, sqlmetrics.sum_of_list_subsets(plan, subsets, sum))) -%}
    {%- endfor -%}
    {%- set exposed, listed = shares -%}
    {%- set apart = 'abs(' ~ exposed ~ ' - ' ~ listed ~ ')' -%}
    {%- if distance == 'js' -%}
        {%- set terms = [] -%}
        {%- for share in shares -%}
            {%- do terms.append('case when ' ~ share ~ ' > 0 then ' ~ share ~ ' * '
                ~ sqlmetrics.sql_ln(sqlmetrics.ratio('2 * ' ~ share, exposed ~ ' + ' ~ listed)) ~ ' else 0 end') -%}
        {%- endfor -%}
        {%- set apart = terms | join(' + ') -%}
    {%- endif -%}
    {%- set distances = sqlmetrics.need(
        plan, subsets, subsets ~ '_' ~ plan['asked']['prefix'] ~ '_' ~ distance, apart
    ) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, '(1 - ' ~ distances ~ ' / 2)', '1', sqlmetrics.undefined_if(plan, '1 = 0', false), **kwargs
    )) -%}
{%- endmacro %}

{# The least exposure per unit of a group over the greatest; a list without two groups that have units is empty. #}
{% macro ratio_of_exposures(plan, subsets, exposure, units) -%}
    {%- set name, each = subsets ~ '_' ~ plan['asked']['prefix'], sqlmetrics.ratio(exposure, units) -%}
    {%- set least = sqlmetrics.need(plan, subsets, name ~ '_least', each, 'min') -%}
    {%- set greatest = sqlmetrics.need(plan, subsets, name ~ '_greatest', each, 'max') -%}
    {%- set counted = sqlmetrics.need(
        plan, subsets, name ~ '_groups', 'case when ' ~ units ~ ' > 0 then 1 else 0 end'
    ) -%}
    {%- do return(sqlmetrics.list_metric(
        plan, sqlmetrics.ratio(least, greatest), '1',
        sqlmetrics.undefined_if(plan, '(' ~ counted ~ ' < 2 or ' ~ greatest ~ ' = 0)'), **kwargs
    )) -%}
{%- endmacro %}

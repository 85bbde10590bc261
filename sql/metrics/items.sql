{#
  Metrics of the recommended items themselves rather than of their relevance. Grain: items.

  They read the top k of each list, cut by score and then by item. Without k (`novelty`) they read whole
  lists. Only serendipity needs a label. With truth=, lists that the truth lacks are left out, as for every
  other metric.

  Args:
    k: cutoff in items, integer >= 1; tied scores are cut in the order of their items; none means whole lists
  Task: Recommendation
  Returns: float
  Undefined: null if nothing is recommended
#}

{#
  Catalog coverage: the share of the catalog's items that appear in the top k of at least one list.

  Formula: \text{coverage} = \frac{\left|\bigcup_{u} L_u\right|}{\left|\mathcal{I}\right|}
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null for an empty catalog, and without a list that counts
  Traps: it grows with the number of lists; compare models over the same lists
  Errors: k < 1; no catalog=; a recommended item that is not in the catalog
  Source: Shani and Gunawardana (2011), doi:10.1007/978-0-387-85820-3_8; RecTools,
    CatalogCoverage(normalize=True); recommenders, catalog_coverage, which takes the history as the catalog
  Example: catalog_coverage@10
#}
{% macro metric_catalog_coverage(plan, k=none) -%}
    {%- set suffix = sqlmetrics.item_top(plan, k) -%}
    {%- set shown = sqlmetrics.need(
        plan, 'exposures', 'items_shown' ~ suffix,
        'case when ' ~ sqlmetrics.exposure_of_item(plan, k) ~ ' > 0 then 1 else 0 end'
    ) -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(shown, sqlmetrics.catalog_size(plan, k)))) -%}
{%- endmacro %}

{#
  User coverage: the share of users who are recommended at least k items, or at least one without a cutoff.
  Users are the groups of the truth or, without a truth, of the history. The share of users with a relevant
  item is `hit_rate`.

  Formula: \text{coverage} = \frac{1}{\left|\mathcal{D}\right|} \sum_{u \in \mathcal{D}} [\left|L_u\right| \ge x]
    x = \begin{cases} 1 & \text{without a cutoff} \\ k & \text{otherwise} \end{cases}
  Args:
    k: number of items that a user has to be recommended, integer >= 1; none means one
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if there are no users
  Traps: it says that there is a list, not that it is any good
  Errors: k < 1; neither truth= nor history=; by= without truth=, because the history does not say which slice
    a user belongs to
  Source: Elliot, UserCoverageAtN, divided by the number of users
  Example: user_coverage@10
#}
{% macro metric_user_coverage(plan, k=none) -%}
    {%- set suffix = sqlmetrics.item_top(plan, k) -%}
    {%- if plan['facts']['truth'] is none and plan['facts']['history'] is none -%}
        {{- sqlmetrics.refuse_metric(plan, "needs truth= or history=, which say who the users are") -}}
    {%- elif plan['facts']['truth'] is none and plan['facts']['by'] -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics." ~ plan['asked']['metric']
                ~ ": with by= it needs truth=; a history does not say in which slice a user is due"
        ) -}}
    {%- elif plan['facts']['truth'] is none -%}
        {{- sqlmetrics.need_history(plan) -}}
    {%- endif -%}
    {%- set covered = sqlmetrics.need(
        plan, 'users', 'users_covered' ~ suffix,
        'case when ' ~ sqlmetrics.length_of_top(plan, k) ~ ' >= ' ~ (1 if k is none else k) ~ ' then 1 else 0 end'
    ) -%}
    {%- set coverage = sqlmetrics.ratio(covered, sqlmetrics.need(plan, 'users', 'users_due', '1')) -%}
    {%- do return(
        sqlmetrics.value_without_interval(coverage) if plan['facts']['truth'] is none
            else sqlmetrics.bounded_value(coverage)
    ) -%}
{%- endmacro %}

{#
  Gini index of exposure: how unequally the places of the top k are shared among all items of the catalog,
  including those never shown; 0 if each item has the same number of places.

  Formula: \text{Gini} = \frac{\sum_{a \in \mathcal{I}} \sum_{a' \in \mathcal{I}} \left|x_a - x_{a'}\right|} {2
      \left|\mathcal{I}\right| \sum_{a \in \mathcal{I}} x_a}
  Better: lower
  Range: [0, 1)
  Unit: none
  Traps: it depends on what the catalog holds: items that could not be shown raise it
  Errors: k < 1; no catalog=; a recommended item that is not in the catalog
  Source: Gini (1912); RecBole, GiniIndex. Evidently leaves out items that are never shown
  Example: exposure_gini@10
#}
{% macro metric_exposure_gini(plan, k=none) -%}
    {%- set suffix = sqlmetrics.item_top(plan, k) -%}
    {%- set items = sqlmetrics.sql_double(sqlmetrics.catalog_size(plan, k)) -%}
    {%- set ordered = sqlmetrics.need(
        plan, 'exposures', 'exposures_ordered' ~ suffix,
        sqlmetrics.exposure_order(plan, k) ~ ' * ' ~ sqlmetrics.exposure_of_item(plan, k)
    ) -%}
    {#- items that are never shown come last in the order and add nothing -#}
    {%- set mean_place = sqlmetrics.ratio(ordered, sqlmetrics.exposures(plan, k)) -%}
    {%- do return(sqlmetrics.bounded_value(
        '((' ~ items ~ ' + 1 - 2 * ' ~ mean_place ~ ') / nullif(' ~ items ~ ', 0))'
    )) -%}
{%- endmacro %}

{#
  Shannon entropy of exposure, in bits: how evenly the places of the top k are shared among items.

  Formula: H = -\sum_{a:\, x_a > 0} \frac{x_a}{X} \log_2 \frac{x_a}{X}, \quad X = \sum_a x_a
  Returns: float, at most log2 of the number of items shown
  Better: higher
  Range: [0, inf)
  Unit: bits
  Traps: its greatest value depends on the number of items
  Errors: k < 1
  Source: Shani and Gunawardana (2011), doi:10.1007/978-0-387-85820-3_8, formula 21; recommenders,
    distributional_coverage. RecBole's ShannonEntropy is this in nats, divided by the number of items shown
  Example: exposure_entropy@10
#}
{% macro metric_exposure_entropy(plan, k=none) -%}
    {%- set exposure = sqlmetrics.exposure_of_item(plan, k) -%}
    {%- set bits = sqlmetrics.need(
        plan, 'exposures', 'exposure_bits' ~ sqlmetrics.item_top(plan, k),
        'case when ' ~ exposure ~ ' > 0 then ' ~ exposure ~ ' * ' ~ sqlmetrics.sql_log2(sqlmetrics.sql_double(exposure))
            ~ ' else 0 end'
    ) -%}
    {%- set places = sqlmetrics.exposures(plan, k) -%}
    {%- do return(sqlmetrics.bounded_value(
        '(' ~ sqlmetrics.sql_log2(sqlmetrics.sql_double('nullif(' ~ places ~ ', 0)')) ~ ' - '
            ~ sqlmetrics.ratio(bits, places) ~ ')', most=none
    )) -%}
{%- endmacro %}

{#
  Personalization: the mean over pairs of users of 1 - the cosine similarity of their top k; 1 if no two users
  share an item.

  It is computed from items. The similarities of all pairs add up to the sum over items of w * w, less the
  number of lists. The w of an item is the sum of 1 / sqrt(items in the top k) over the lists that contain it.

  Formula: \text{personalization} = \frac{2}{m (m - 1)} \sum_{u < u'} \left( 1 - \frac{\left|L_u \cap
      L_{u'}\right|}{\sqrt{\left|L_u\right| \left|L_{u'}\right|}} \right), \quad m = \left|\mathcal{U}\right|
  Better: higher
  Range: [0, 1]
  Unit: none
  Undefined: null if there are fewer than two lists
  Traps: random lists have the highest value; read it beside a metric of relevance
  Errors: k < 1
  Source: recmetrics, personalization; Evidently, PersonalizationMetric, which agrees if each list has k items
  Example: personalization@10
#}
{% macro metric_personalization(plan, k=none) -%}
    {%- set suffix = sqlmetrics.item_top(plan, k) -%}
    {%- set share = sqlmetrics.need(
        plan, 'exposed', 'cosine' ~ suffix,
        sqlmetrics.item_in_top(k, '1 / sqrt(' ~ sqlmetrics.sql_double(sqlmetrics.length_of_top(plan, k)) ~ ')')
    ) -%}
    {%- set similar = sqlmetrics.need(plan, 'exposures', 'similarities' ~ suffix, share ~ ' * ' ~ share) -%}
    {%- set lists = sqlmetrics.sql_double(sqlmetrics.lists_of_tops(plan)) -%}
    {%- do return(sqlmetrics.bounded_value(
        '(1 - (' ~ similar ~ ' - ' ~ lists ~ ') / nullif(' ~ lists ~ ' * (' ~ lists ~ ' - 1), 0))'
    )) -%}
{%- endmacro %}

{#
  Average popularity: the mean over lists of the mean number of past interactions of the items in their top k;
  an item without past interactions counts 0, and with an empty history all do.

  Formula: \text{popularity} = \frac{1}{\left|\mathcal{U}\right|} \sum_{u \in \mathcal{U}} \frac{1}{\left|L_u\right|}
      \sum_{a \in L_u} N_a
  Better: lower
  Range: [0, inf)
  Unit: interactions
  Traps: popularity is counted in the history, whose length changes the value
  Errors: k < 1; no history=
  Source: Yin et al. (2012), arXiv:1205.6700; RecTools, AvgRecPopularity; RecBole, AveragePopularity
  Example: average_popularity@10
#}
{% macro metric_average_popularity(plan, k=none) -%}
    {%- set interactions = 'coalesce(' ~ sqlmetrics.popularity_of(plan, k, '{interactions}') ~ ', 0)' -%}
    {%- do return(sqlmetrics.bounded_value(
        sqlmetrics.mean_over_tops(plan, 'popularity', k, interactions), most=none
    )) -%}
{%- endmacro %}

{#
  Novelty: the mean over lists of the mean self-information -log2(p) of the items in their top k, where p is
  the share of past users who know the item. An item without past interactions counts as known to a single
  user.

  Formula: \text{novelty} = \frac{1}{\left|\mathcal{U}\right|} \sum_{u \in \mathcal{U}} \frac{1}{\left|L_u\right|}
      \sum_{a \in L_u} (-\log_2 x_a)
    x_a = \begin{cases} \frac{\max(U_a, 1)}{U} & \text{popularity=users} \\ \frac{\max(N_a, 1)}{N} &
      \text{popularity=interactions} \end{cases}
  Args:
    popularity: users (the share of users who had the item) or interactions (the share of all interactions)
  Better: higher
  Range: [0, inf)
  Unit: bits
  Undefined: null if nothing is recommended, or if there are no past interactions
  Traps: random lists have a high value; read it beside a metric of relevance
  Errors: k < 1; no history=
  Source: Castells, Vargas, Wang (2011), item discovery and item choice; users: RecTools, MeanInvUserFreq;
    interactions: recommenders, novelty, which pools the places of all lists
  Example: novelty(popularity=interactions)@10
#}
{% macro metric_novelty(plan, k=none, popularity='users') -%}
    {{- sqlmetrics.one_of(plan, 'popularity', popularity, ['users', 'interactions']) -}}
    {%- set known = 'coalesce('
        ~ sqlmetrics.popularity_of(plan, k, '{item_users}' if popularity == 'users' else '{interactions}') ~ ', 1)' -%}
    {%- set bits = sqlmetrics.mean_over_tops(
        plan, 'bits_of_' ~ popularity, k, sqlmetrics.sql_log2(sqlmetrics.sql_double(known))
    ) -%}
    {%- set past = sqlmetrics.item_past(plan, popularity) -%}
    {%- set all = sqlmetrics.sql_log2(sqlmetrics.sql_double('nullif(' ~ past ~ ', 0)')) -%}
    {%- do return(sqlmetrics.bounded_value('(' ~ all ~ ' - ' ~ bits ~ ')', most=none)) -%}
{%- endmacro %}

{#
  Share of the long tail: the mean over lists of the share of their top k that lies outside the head. The head
  is the set of the most popular items that together have a given share of the past interactions.

  An item without past interactions belongs to the tail, and with an empty history all do. Equally popular items all
  belong to the head or all to the tail.

  Formula: \text{share} = \frac{1}{\left|\mathcal{U}\right|} \sum_{u \in \mathcal{U}} \frac{1}{\left|L_u\right|} \sum_{a
      \in L_u} [a \notin H]
    H = \left\{ a :\; N_a > 0, \; \sum_{a':\, N_{a'} > N_a} N_{a'} < \text{head} \cdot N \right\}
  Args:
    head: the share of interactions that defines the head, a number in [0, 1]: an item belongs to the head if
      all more popular items together have less than this share
  Better: higher
  Range: [0, 1]
  Unit: share
  Traps: which items are the tail depends on the history and on the share that is asked for
  Errors: k < 1; head outside [0, 1]; no history=
  Source: Abdollahpouri, Burke, Mobasher (2019), arXiv:1901.07555; Elliot, APLT, which puts equally popular
    items in any order. RecBole's TailPercentage defines the tail as a share of the items instead, by default
    the least popular tenth
  Example: long_tail_share(head=0.8)@10
#}
{% macro metric_long_tail_share(plan, k=none, head=0.8) -%}
    {{- sqlmetrics.number(plan, 'head', head, 0, 1) -}}
    {%- set in_head = sqlmetrics.popularity_of(plan, k, '{more_popular}') ~ ' < ' ~ sqlmetrics.sql_double(head)
        ~ ' * {all_interactions}' -%}
    {%- do return(sqlmetrics.bounded_value(
        sqlmetrics.mean_over_tops(plan, 'tail', k, 'case when ' ~ in_head ~ ' then 0 else 1 end')
    )) -%}
{%- endmacro %}

{#
  Diversity, intra-list: the mean over lists of the mean distance of two items of their top k. With category=
  the distance is 1 for two different categories and 0 for the same; distances= gives the distance of each
  pair.

  Formula: \text{diversity} = \frac{1}{\left|Z\right|} \sum_{u \in Z} \frac{2}{\left|L_u\right| (\left|L_u\right| - 1)}
      \sum_{a \in L_u} \; \sum_{a' \in L_u, \; a' > a} d(a, a'), \quad Z = \left\{ u :\; \left|L_u\right| > 1 \right\}
  Returns: float; at most 1 by category, otherwise in the range of the distances
  Better: higher
  Range: [0, inf)
  Unit: distance
  Undefined: null if no list has a pair; a list of one item has none and is left out, counted in
    groups_without_diversity
  Traps: random lists have a high value; read it beside a metric of relevance
  Errors: k < 1; neither category= with catalog= nor distances=, or both; a recommended item without a
    category or with several; a pair of recommended items without a distance >= 0 or with two
  Source: Ziegler et al. (2005), doi:10.1145/1060745.1060754; RecTools, IntraListDiversity, in which a list of
    one item counts 0
  Example: diversity@10
#}
{% macro metric_diversity(plan, k=none) -%}
    {%- set suffix = sqlmetrics.item_top(plan, k) -%}
    {%- if (plan['facts']['category'] is none) == (plan['facts']['distances'] is none) -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "needs category=, a column of catalog=, or distances=,"
            ~ " a table of item_a, item_b and distance" ~ (", not both" if plan['facts']['category'] is not none)
        ) -}}
    {%- endif -%}
    {%- set length = sqlmetrics.sql_double(sqlmetrics.length_of_top(plan, k)) -%}
    {%- set pairs = length ~ ' * (' ~ length ~ ' - 1)' -%}
    {%- if plan['facts']['category'] is not none -%}
        {{- sqlmetrics.need_item_table(plan, 'catalog', 'a table of the items with their category') -}}
        {{- sqlmetrics.require(
            plan, 'exposures', 'items_without_category' ~ suffix,
            sqlmetrics.exposure_of_item(plan, k) ~ ' > 0 and {catalog.sm_category} is null',
            'recommended items have no category (category=) in catalog=, or several'
        ) -}}
        {%- set alike = sqlmetrics.need(plan, 'categories', 'of_category' ~ suffix, sqlmetrics.item_in_top(k, '1')) -%}
        {%- set distance = '(' ~ pairs ~ ' - '
            ~ sqlmetrics.need(plan, 'pairs', 'pairs_alike' ~ suffix, alike ~ ' * (' ~ alike ~ ' - 1)') ~ ')' -%}
    {%- else -%}
        {{- sqlmetrics.require(
            plan, 'top_lists', 'groups_without_distance' ~ suffix,
            sqlmetrics.need(
                plan, 'pairs', 'pairs_without_distance' ~ suffix,
                sqlmetrics.item_pair_in_top(k, 'case when {distance} is null then 1 else 0 end')
            ) ~ ' > 0',
            'groups are recommended two items without a distance >= 0 in distances=, or with two distances'
        ) -}}
        {%- set distance = sqlmetrics.need(
            plan, 'pairs', 'distances' ~ suffix, sqlmetrics.item_pair_in_top(k, '{distance}')
        ) -%}
    {%- endif -%}
    {%- set means = sqlmetrics.need(plan, 'top_lists', 'distance_means' ~ suffix, sqlmetrics.ratio(distance, pairs)) -%}
    {%- set counted = sqlmetrics.need(
        plan, 'top_lists', 'lists_of_pairs' ~ suffix, 'case when ' ~ length ~ ' > 1 then 1 else 0 end'
    ) -%}
    {%- do sqlmetrics.audit(
        plan, 'top_lists', 'groups_without_' ~ plan['asked']['prefix'], 'case when ' ~ length ~ ' > 1 then 0 else 1 end'
    ) -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(means, counted), most=none)) -%}
{%- endmacro %}

{#
  Serendipity: the mean over lists of the mean over their top k of how much earlier a relevant item is
  recommended than its popularity suggests.

  With N items in the catalog, a relevant item at rank r adds max(q - r, 0) / N if its number of past
  interactions is the q-th largest distinct number. A relevant item without past interactions adds (N + 1 - r)
  / N. Items that are not relevant add 0.

  Formula: \text{serendipity} = \frac{1}{\left|\mathcal{U}\right|} \sum_{u \in \mathcal{U}} \frac{1}{\left|L_u\right|}
      \sum_{r=1}^{\left|L_u\right|} \text{rel}_r \frac{\max(x_r - r, 0)}{\left|\mathcal{I}\right|}
    x_r = \begin{cases} 1 + \left|\left\{ N_a :\; N_a > N_{a_r} \right\}\right| & \text{if } N_{a_r} > 0 \\
      \left|\mathcal{I}\right| + 1 & \text{otherwise} \end{cases}
  Better: higher
  Range: [0, 1]
  Unit: none
  Undefined: null if nothing is recommended, or if the catalog is empty
  Traps: a relevant item that history= lacks adds most of all, so a short history raises it; it depends on the
    number of items in the catalog; a list in the order of popularity has 0, however relevant its items are
  Errors: k < 1; no label=, history= or catalog=; a recommended item that is not in the catalog
  Source: RecTools, Serendipity; the metric of that name in recommenders needs the similarity of each pair of
    items instead
  Example: serendipity@10
#}
{% macro metric_serendipity(plan, k=none) -%}
    {{- sqlmetrics.need_role(plan, 'label') -}}
    {%- set items = sqlmetrics.catalog_size(plan, k) -%}
    {%- set rank = sqlmetrics.popularity_of(plan, k, '{popularity_rank}') -%}
    {%- set sooner = sqlmetrics.mean_over_tops(
        plan, 'sooner', k,
        'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then case when ' ~ rank ~ ' > {place} then ' ~ rank
        ~ ' - {place} when ' ~ rank ~ ' is null then ' ~ items ~ ' + 1 - {place} else 0 end else 0 end'
    ) -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(sooner, items))) -%}
{%- endmacro %}

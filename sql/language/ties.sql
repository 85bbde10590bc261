{#
  Ranks of tied items. The block of an item is the set of items of its list that share its score. It holds the ranks
  sm_tie_first to sm_tie_last. With ties='average' all orders inside a block are equally likely, and the formulas are
  expectations, after McSherry and Najork (ECIR 2008), "Computing information retrieval performance measures
  efficiently in the presence of tied scores". With any other policy each item holds one rank, sm_rank.
#}

{# The first rank of an item's block. #}
{% macro first_rank(plan) -%}{{ '{tie_first}' if plan['facts']['ties'] == 'average' else '{rank}' }}{%- endmacro %}

{# The last rank of an item's block. #}
{% macro last_rank(plan) -%}{{ '{tie_last}' if plan['facts']['ties'] == 'average' else '{rank}' }}{%- endmacro %}

{# The probability that an item is in the top k; k is a number or a column. #}
{% macro chance_in_top(plan, k) -%}
    {%- set first = sqlmetrics.first_rank(plan) -%}
    {%- if k is none -%}
        1
    {%- elif plan['facts']['ties'] != 'average' -%}
        case when {{ first }} <= {{ k }} then 1 else 0 end
    {%- else -%}
        {%- set share = sqlmetrics.ratio(k ~ ' + 1 - {tie_first}', '{tie_last} - {tie_first} + 1') -%}
        case when {tie_last} <= {{ k }} then 1 when {tie_first} <= {{ k }} then {{ share }} else 0 end
    {%- endif -%}
{%- endmacro %}

{# The expected number of relevant items in the top k of a list. #}
{% macro expected_hits(plan, k, item_weight='1') -%}
    {{- sqlmetrics.item_sum(
        plan, k, 'hits' ~ sqlmetrics.cutoff_suffix(plan, k),
        sqlmetrics.value_times(
            'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then ' ~ sqlmetrics.chance_in_top(plan, k) ~ ' else 0 end',
            item_weight
        )
    ) -}}
{%- endmacro %}

{#
  Requires that the hits in the top k are the same in every order of tied items, which the mean over orders of a ratio
  by hits needs. They are not if the block of a relevant item reaches across the cutoff and has other items, or items of
  other weights.
#}
{% macro require_certain_hits(plan, k, item_weight=none) -%}
    {%- set across = '{tie_first} <= ' ~ k ~ ' and {tie_last} > ' ~ k
        ~ (' and {relevant_tied} < {tie_last} - {tie_first} + 1' if item_weight is none) -%}
    {%- set name = ('' if item_weight is none else 'weights_') ~ 'tied_across_' ~ k -%}
    {%- set tied = sqlmetrics.item_sum(
        plan, k, name,
        'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' and ' ~ across ~ ' then 1 else 0 end', 'max'
    ) -%}
    {{- sqlmetrics.require(
        plan, 'list_sums', 'groups_' ~ name, tied ~ ' = 1',
        'groups have relevant items that tie with others across rank ' ~ k ~ ', where the mean over their orders has no'
            ~ " closed form with denominator=hits; pass ties='worst', 'best' or 'item'"
    ) -}}
{%- endmacro %}

{# The discounts of ranks, each by the name under which it is added up over ranks (stages/lists/ranked.sql). #}
{% macro discounts_of_rank(rank) -%}
    {%- do return({
        'discount': '1 / ' ~ sqlmetrics.sql_log2(sqlmetrics.sql_double(rank ~ ' + 1')),
        'harmonic': sqlmetrics.ratio('1', rank),
        'original': '1 / case when ' ~ rank ~ ' <= 2 then ' ~ sqlmetrics.sql_double('1') ~ ' else '
            ~ sqlmetrics.sql_log2(sqlmetrics.sql_double(rank)) ~ ' end',
    }) -%}
{%- endmacro %}

{# The name of the discount that a metric is asked for. #}
{% macro discount_named(plan, discount) -%}
    {{- sqlmetrics.one_of(plan, 'discount', discount, ['log', 'original', 'reciprocal']) -}}
    {%- do return({'log': 'discount', 'reciprocal': 'harmonic'}.get(discount, discount)) -%}
{%- endmacro %}

{# The expected DCG of a list: the sum over items of the gain times the mean discount over the ranks of the block. #}
{% macro expected_dcg(plan, k, gain, item_weight='1', what='discount') -%}
    {%- set suffix = sqlmetrics.cutoff_suffix(plan, k) -%}
    {%- set discount = sqlmetrics.expected_discount(plan, k, what) -%}
    {{- sqlmetrics.gain_sum(
        plan, gain, k, sqlmetrics.name_of_dcg('dcg', what) ~ sqlmetrics.column_name(gain) ~ suffix,
        sqlmetrics.value_times(sqlmetrics.gain_of_item(plan, gain) ~ ' * ' ~ discount, item_weight)
    ) -}}
{%- endmacro %}

{# The discount of an item: the mean over the ranks of its block, with 0 below rank k. #}
{% macro expected_discount(plan, k, what='discount', grain='item_sums') -%}
    {%- set first = sqlmetrics.first_rank(plan) -%}
    {%- set alone = sqlmetrics.discounts_of_rank(first)[what] -%}
    {%- set cases = [] -%}
    {%- if k is not none -%}{%- do cases.append('when ' ~ first ~ ' > ' ~ k ~ ' then 0') -%}{%- endif -%}
    {%- if plan['facts']['ties'] == 'average' -%}
        {%- set tied = sqlmetrics.tie_over_block(plan, k, what, grain) ~ ' / ({tie_last} - {tie_first} + 1)' -%}
        {%- do cases.append('when {tie_first} < {tie_last} then ' ~ tied) -%}
    {%- endif -%}
    {%- do return('case ' ~ cases | join(' ') ~ ' else ' ~ alone ~ ' end' if cases else '(' ~ alone ~ ')') -%}
{%- endmacro %}

{# The beginning of the name of a sum of discounted gains. #}
{% macro name_of_dcg(name, what) -%}{{ name }}_{{ what ~ '_' if what != 'discount' }}{%- endmacro %}

{# The DCG of the ideal order of a list, from its counts by grade. A grade holds the ranks above + 1 to through. #}
{% macro ideal_dcg(plan, k, gain, listed=false, what='discount') -%}
    {%- set suffix = sqlmetrics.cutoff_suffix(plan, k) -%}
    {%- set which = 'listed' if listed and plan['facts']['truth'] is not none else 'judged' -%}
    {%- set ranks = sqlmetrics.tie_between(
        plan, 'grade_sums', k, '{' ~ which ~ '_through}',
        '{ideal_' ~ which ~ '_above.sm_' ~ what ~ '}', '{ideal_' ~ which ~ '_through.sm_' ~ what ~ '}', what
    ) -%}
    {%- set gains = sqlmetrics.gain_of(plan, gain) ~ ' * ' ~ ranks -%}
    {#- where lists are ranked first, each item has its own rank in the ideal order -#}
    {%- set alone = sqlmetrics.gain_of(plan, gain) ~ ' / '
        ~ sqlmetrics.sql_log2(sqlmetrics.sql_double('{judged_through} + 1')) if what == 'discount'
        else sqlmetrics.gain_of(plan, gain) ~ ' * (' ~ sqlmetrics.discounts_of_rank('{judged_through}')[what] ~ ')' -%}
    {%- set alone = alone if k is none else 'case when {judged_through} <= ' ~ k ~ ' then ' ~ alone ~ ' else 0 end' -%}
    {#- items of label 0 are not ranked there -#}
    {%- set ranked = which == 'judged' and not sqlmetrics.gains_by_label_0(gain) -%}
    {{- sqlmetrics.need(
        plan, 'grade_sums',
        sqlmetrics.name_of_dcg('ideal_dcg', what) ~ sqlmetrics.column_name(gain)
            ~ ('_listed' if which == 'listed' else '') ~ suffix,
        gains if k is none else 'case when {' ~ which ~ '_above} < ' ~ k ~ ' then ' ~ gains ~ ' else 0 end',
        more=dict({'reach': k}, **({'ranked': 'sum(' ~ alone ~ ')'} if ranked else {}))
    ) -}}
{%- endmacro %}

{# The DCG of k relevant items with gain 1, equal for all lists. #}
{% macro dcg_of_relevant(plan, k, what) -%}
    {%- set suffix = sqlmetrics.cutoff_suffix(plan, k) -%}
    {{- sqlmetrics.need(
        plan, 'grade_sums', sqlmetrics.name_of_dcg('dcg', what) ~ 'of_relevant' ~ suffix,
        sqlmetrics.tie_at_cutoff(plan, 'grade_sums', what, k), 'max',
        {'reach': k, 'through': k, 'ranked': 'max({cutoffs.sm_' ~ what ~ '_' ~ k ~ '})'}
    ) -}}
{%- endmacro %}

{# The sum of a discount over the ranks of an item's block down to rank k. #}
{% macro tie_over_block(plan, k, what, grain='item_sums') -%}
    {{- sqlmetrics.tie_between(
        plan, grain, k, '{tie_last}', '{above.sm_' ~ what ~ '}', '{through.sm_' ~ what ~ '}', what
    ) -}}
{%- endmacro %}

{# The difference of two cumulative sums over ranks, cut at k. #}
{% macro tie_between(plan, grain, k, last, above, through, what) -%}
    {%- set through = 'coalesce(' ~ through ~ ', 0)' -%}
    {%- set end = through -%}
    {%- if k is not none -%}
        {%- set at_k = sqlmetrics.tie_at_cutoff(plan, grain, what, k) -%}
        {%- set end = 'case when ' ~ last ~ ' <= ' ~ k ~ ' then ' ~ through ~ ' else ' ~ at_k ~ ' end' -%}
    {%- endif -%}
    ({{ end }} - coalesce({{ above }}, 0))
{%- endmacro %}

{#
  The expected sum, over the relevant items of a list, of the precisions at their ranks. Take a block of s items, r of
  them relevant, below c relevant ones. At rank p the summand is r/s * (c + 1 + (p - first) * (r - 1)/(s - 1)) / p. Here
  the r relevant items share it equally.
#}
{% macro expected_precisions(plan, k, item_weight='1') -%}
    {%- set suffix = sqlmetrics.cutoff_suffix(plan, k) -%}
    {%- set first = sqlmetrics.first_rank(plan) -%}
    {%- set cases = ['when not (' ~ sqlmetrics.is_relevant(plan) ~ ') then 0'] -%}
    {%- if k is not none -%}{%- do cases.append('when ' ~ first ~ ' > ' ~ k ~ ' then 0') -%}{%- endif -%}
    {%- if plan['facts']['ties'] == 'average' -%}
        {%- set harmonic = sqlmetrics.tie_over_block(plan, k, 'harmonic') -%}
        {%- set last = '{tie_last}' if k is none
            else 'case when {tie_last} < ' ~ k ~ ' then {tie_last} else ' ~ k ~ ' end' -%}
        {%- set of_first = '({relevant_through} - {relevant_tied} + 1) * ' ~ harmonic -%}
        {%- set growth = sqlmetrics.ratio('{relevant_tied} - 1', '{tie_last} - {tie_first}') -%}
        {%- set of_others = growth ~ ' * (' ~ last ~ ' - {tie_first} + 1 - {tie_first} * ' ~ harmonic ~ ')' -%}
        {%- do cases.append(
            'when {tie_first} < {tie_last} then (' ~ of_first ~ ' + ' ~ of_others ~ ') / ({tie_last} - {tie_first} + 1)'
        ) -%}
    {%- endif -%}
    {{- sqlmetrics.item_sum(
        plan, k, 'precisions' ~ suffix,
        sqlmetrics.value_times(
            'case ' ~ cases | join(' ') ~ ' else ' ~ sqlmetrics.ratio('{relevant_through}', first) ~ ' end',
            item_weight
        )
    ) -}}
{%- endmacro %}

{#
  The worth of the first relevant item of a list.

  Args:
    at_first: the worth at rank sm_hit_first
    at_rank: the worth at sm_position times its probability sm_chance, where the first relevant block also has items
      that are not relevant
#}
{% macro first_hit(plan, name, k, at_first, at_rank) -%}
    {%- set suffix = sqlmetrics.cutoff_suffix(plan, k) -%}
    {%- set relevant = sqlmetrics.is_relevant(plan) -%}
    {%- set first = sqlmetrics.item_sum(
        plan, none, 'hit_first', 'case when ' ~ relevant ~ ' then ' ~ sqlmetrics.first_rank(plan) ~ ' end', 'min'
    ) -%}
    {%- set certain = 'case when ' ~ first ~ ' ' ~ ('is not null' if k is none else '<= ' ~ k) ~ ' then ' ~ at_first
        ~ ' else 0 end' -%}
    {%- if plan['facts']['ties'] != 'average' -%}{%- do return('(' ~ certain ~ ')') -%}{%- endif -%}
    {#- stages/lists/lists.sql reads these three columns by name -#}
    {%- set last = sqlmetrics.item_sum(
        plan, none, 'hit_last', 'case when ' ~ relevant ~ ' then {tie_last} end', 'min'
    ) -%}
    {#- below all cutoffs, only the items that tie with a first relevant item count -#}
    {%- set among = sqlmetrics.item_sum(
        plan, 'tied' if k is none else k, 'hit_relevant', 'case when ' ~ relevant ~ ' then {relevant_through} end',
        'min'
    ) -%}
    {%- set expected = sqlmetrics.need(
        plan, 'hits', name ~ suffix,
        at_rank if k is none else 'case when {position} <= ' ~ k ~ ' then ' ~ at_rank ~ ' else 0 end', more={'reach': k}
    ) -%}
    {{- '(case when ' ~ last ~ ' - ' ~ first ~ ' + 1 > ' ~ among ~ ' then ' ~ expected ~ ' else ' ~ certain
        ~ ' end)' -}}
{%- endmacro %}

{#
  The rank of an item in the pessimistic order, in which the lower grade of tied items comes first. It serves metrics
  whose expectation has no closed form. With any other policy it is the item's own rank.
#}
{% macro pessimistic_rank(plan) -%}
{{ '{pessimistic_rank}' if plan['facts']['ties'] == 'average' else '{rank}' }}
{%- endmacro %}

{# The number of relevant items down to an item, including it, in the pessimistic order. #}
{% macro pessimistic_relevant(plan) -%}
    {{ '{pessimistic_relevant}' if plan['facts']['ties'] == 'average' else '{relevant_through}' }}
{%- endmacro %}

{#
  The expected number of the first `limit` others below a relevant item: max(0, limit - others above it). `limit` is a
  number or a column. Others are items that are not relevant; with `judged`, only judged ones. Of the n others of a
  block, 0, 1, ..., n are above the item with equal probability.
#}
{% macro expected_others_below(plan, limit, judged=false) -%}
    {%- set apart = judged and sqlmetrics.has_unjudged(plan) -%}
    {%- if plan['facts']['ties'] == 'average' -%}
        {%- set tied = '({tie_last} - {tie_first} + 1 - {relevant_tied}' ~ (' - {unjudged_tied}' if apart) ~ ')' -%}
        {%- set below = '(' ~ limit ~ ' - ' ~ sqlmetrics.sql_integer('{tie_first}')
            ~ ' + 1 + {relevant_through} - {relevant_tied}'
            ~ (' + {unjudged_through} - {unjudged_tied}' if apart) ~ ')' -%}
        case when {{ below }} <= 0 then 0
            when {{ tied }} < {{ below }} then {{ below }} - {{ sqlmetrics.ratio(tied, '2') }}
            else {{ below }} * {{ sqlmetrics.ratio(below ~ ' + 1', '2 * (' ~ tied ~ ' + 1)') }} end
    {%- else -%}
        {%- set below = '(' ~ limit ~ ' - ' ~ sqlmetrics.sql_integer('{rank}') ~ ' + {relevant_through}'
            ~ (' + {unjudged_through}' if apart) ~ ')' -%}
        case when {{ below }} > 0 then {{ below }} else 0 end
    {%- endif -%}
{%- endmacro %}

{#
  A sum over the items of a list to which items of label 0 add nothing, so their rows may be left out. If such items add
  to the sum, use need(plan, 'item_sums', ...) instead.

  Args:
    reach: the last rank whose items matter; none for all; 'tied' for all items that tie with others
#}
{% macro item_sum(plan, reach, name, inner, aggregate='sum') -%}
    {{- sqlmetrics.need(plan, 'item_sums', name, inner, aggregate, {'reach': reach, 'items': 'gaining'}) -}}
{%- endmacro %}

{# A sum of gains over the items of a list. It reads items of label 0 only if they gain something. #}
{% macro gain_sum(plan, gain, reach, name, inner) -%}
    {%- if sqlmetrics.gains_by_label_0(gain) -%}
        {{- sqlmetrics.need(plan, 'item_sums', name, inner, more={'reach': reach}) -}}
    {%- else -%}
        {{- sqlmetrics.item_sum(plan, reach, name, inner) -}}
    {%- endif -%}
{%- endmacro %}

{# The sum of the discounts (discounts_of_rank) down to rank k; a column of each grain that reads it. #}
{% macro tie_at_cutoff(plan, grain, what, k) -%}
    {{ sqlmetrics.declare(plan, grain, 'cutoffs.sm_' ~ what ~ '_' ~ k) }}
{%- endmacro %}

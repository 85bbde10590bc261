{#
  Ranks of tied items. The block of an item are the items of its list that share its score; it holds the ranks
  sm_tie_first to sm_tie_last. With ties='average' each order inside a block is as likely as any other and the formulas are
  expectations, after McSherry and Najork (ECIR 2008), "Computing information retrieval performance measures
  efficiently in the presence of tied scores". With any other policy an item holds the one rank sm_rank.
#}

{# The first rank of an item's block. #}
{% macro first_rank(plan) -%}
    {%- do plan['flags'].update({'positions': true}) -%}
    {{- 'sm_tie_first' if plan['ties'] == 'average' else 'sm_rank' -}}
{%- endmacro %}

{# The chance that an item is in the top k, a number or a column. #}
{% macro chance_in_top(plan, k) -%}
    {%- set first = sqlmetrics.first_rank(plan) -%}
    {%- if k is none -%}
        1
    {%- elif plan['ties'] != 'average' -%}
        case when {{ first }} <= {{ k }} then 1 else 0 end
    {%- else -%}
        case when sm_tie_last <= {{ k }} then 1 when sm_tie_first <= {{ k }} then {{ sqlmetrics.ratio(k ~ ' + 1 - sm_tie_first', 'sm_tie_last - sm_tie_first + 1') }} else 0 end
    {%- endif -%}
{%- endmacro %}

{# The relevant items expected in the top k of a list. #}
{% macro expected_hits(plan, k, item_weight='1') -%}
    {{- sqlmetrics.need_of_ranks(
        plan, k, 'hits' ~ sqlmetrics.cutoff_suffix(plan, k),
        sqlmetrics.times('case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then ' ~ sqlmetrics.chance_in_top(plan, k) ~ ' else 0 end', item_weight)
    ) -}}
{%- endmacro %}

{# The DCG expected of a list: over items, the gain times the mean discount over the ranks of its block. #}
{% macro expected_dcg(plan, k, gain, item_weight='1') -%}
    {%- set suffix = sqlmetrics.cutoff_suffix(plan, k) -%}
    {%- set first = sqlmetrics.first_rank(plan) -%}
    {%- set alone = '1 / ' ~ sqlmetrics.sql_log2(sqlmetrics.sql_double(first ~ ' + 1')) -%}
    {%- set cases = [] -%}
    {%- if k is not none -%}{%- do cases.append('when ' ~ first ~ ' > ' ~ k ~ ' then 0') -%}{%- endif -%}
    {%- if plan['ties'] == 'average' -%}
        {%- set tied = sqlmetrics.over_block(plan, k, 'discount') ~ ' / (sm_tie_last - sm_tie_first + 1)' -%}
        {%- do cases.append('when sm_tie_first < sm_tie_last then ' ~ tied) -%}
    {%- endif -%}
    {%- set discount = 'case ' ~ cases | join(' ') ~ ' else ' ~ alone ~ ' end' if cases else '(' ~ alone ~ ')' -%}
    {{- sqlmetrics.need_of_ranks(
        plan, k, 'dcg_' ~ sqlmetrics.column_name(gain) ~ suffix,
        sqlmetrics.times(sqlmetrics.gain_of(plan, gain) ~ ' * ' ~ discount, item_weight)
    ) -}}
{%- endmacro %}

{# The DCG of the ideal order of a list, from its counts per grade: a grade holds the ranks above + 1 to through. #}
{% macro ideal_dcg(plan, k, gain, listed=false) -%}
    {%- set suffix = sqlmetrics.cutoff_suffix(plan, k) -%}
    {%- set which = 'listed' if listed and plan['truth'] is not none else 'judged' -%}
    {%- do plan['flags'].update({'ideal': true, 'ideal_' ~ which: true}) -%}
    {%- set ranks = sqlmetrics.between(
        plan, k, 'sm_' ~ which ~ '_through',
        'sm_ideal_' ~ which ~ '_above.sm_discount', 'sm_ideal_' ~ which ~ '_through.sm_discount', 'discount'
    ) -%}
    {%- set gains = sqlmetrics.gain_of(plan, gain) ~ ' * ' ~ ranks -%}
    {%- set column = sqlmetrics.need(
        plan, 'grade_sums', 'ideal_dcg_' ~ sqlmetrics.column_name(gain) ~ ('_listed' if which == 'listed' else '') ~ suffix,
        gains if k is none else 'case when sm_' ~ which ~ '_above < ' ~ k ~ ' then ' ~ gains ~ ' else 0 end'
    ) -%}
    {#- over items, each at a rank of its own -#}
    {%- set alone = sqlmetrics.gain_of(plan, gain) ~ ' / ' ~ sqlmetrics.sql_log2(sqlmetrics.sql_double('sm_judged_through + 1')) -%}
    {%- do plan['by_rank'].update({column: 'sum(' ~ (alone if k is none else 'case when sm_judged_through <= ' ~ k ~ ' then ' ~ alone ~ ' else 0 end') ~ ')'}) -%}
    {{- column -}}
{%- endmacro %}

{# The DCG of k relevant items at gain 1, the same for every list. #}
{% macro dcg_of_relevant(plan, k) -%}
    {%- set suffix = sqlmetrics.cutoff_suffix(plan, k) -%}
    {%- do plan['cutoffs'].append(k) -%}
    {%- do plan['flags'].update({'ideal': true, 'positions_through': [k, plan['flags'].get('positions_through', k)] | max}) -%}
    {{- sqlmetrics.need(plan, 'grade_sums', 'dcg_of_relevant' ~ suffix, 'sm_cutoffs.sm_discount' ~ suffix, 'max') -}}
{%- endmacro %}

{# The sum of a discount over the ranks of an item's block that are not below k. #}
{% macro over_block(plan, k, what) -%}
    {%- do plan['flags'].update({'blocks': true}) -%}
    {{- sqlmetrics.between(plan, k, 'sm_tie_last', 'sm_above.sm_' ~ what, 'sm_through.sm_' ~ what, what) -}}
{%- endmacro %}

{# The difference of two cumulative sums over ranks, cut at k. #}
{% macro between(plan, k, last, above, through, what) -%}
    {%- do plan['cutoffs'].append(k) -%}
    {%- set through = 'coalesce(' ~ through ~ ', 0)' -%}
    {%- set end = through if k is none else 'case when ' ~ last ~ ' <= ' ~ k ~ ' then ' ~ through ~ ' else sm_cutoffs.sm_' ~ what ~ '_' ~ k ~ ' end' -%}
    ({{ end }} - coalesce({{ above }}, 0))
{%- endmacro %}

{#
  The sum, expected of a list, of the precisions at the ranks of its relevant items. A block of s items, r of them
  relevant, below c relevant ones: at rank p the summand is r/s * (c + 1 + (p - first) * (r - 1)/(s - 1)) / p, here shared
  among the r relevant items.
#}
{% macro expected_precisions(plan, k, item_weight='1') -%}
    {%- set suffix = sqlmetrics.cutoff_suffix(plan, k) -%}
    {%- set first = sqlmetrics.first_rank(plan) -%}
    {%- do plan['flags'].update({'relevant_through': true}) -%}
    {%- set cases = ['when not (' ~ sqlmetrics.is_relevant(plan) ~ ') then 0'] -%}
    {%- if k is not none -%}{%- do cases.append('when ' ~ first ~ ' > ' ~ k ~ ' then 0') -%}{%- endif -%}
    {%- if plan['ties'] == 'average' -%}
        {%- do plan['flags'].update({'relevant_tied': true}) -%}
        {%- set harmonic = sqlmetrics.over_block(plan, k, 'harmonic') -%}
        {%- set last = 'sm_tie_last' if k is none else 'case when sm_tie_last < ' ~ k ~ ' then sm_tie_last else ' ~ k ~ ' end' -%}
        {%- do cases.append(
            'when sm_tie_first < sm_tie_last then ((sm_relevant_through - sm_relevant_tied + 1) * ' ~ harmonic
            ~ ' + ' ~ sqlmetrics.ratio('sm_relevant_tied - 1', 'sm_tie_last - sm_tie_first') ~ ' * (' ~ last ~ ' - sm_tie_first + 1 - sm_tie_first * ' ~ harmonic
            ~ ')) / (sm_tie_last - sm_tie_first + 1)'
        ) -%}
    {%- endif -%}
    {{- sqlmetrics.need_of_ranks(
        plan, k, 'precisions' ~ suffix,
        sqlmetrics.times('case ' ~ cases | join(' ') ~ ' else ' ~ sqlmetrics.ratio('sm_relevant_through', first) ~ ' end', item_weight)
    ) -}}
{%- endmacro %}

{#
  What the first relevant item of a list is worth.

  Args:
    at_first: the worth at rank sm_hit_first
    at_rank: the worth at sm_position times its chance sm_chance, where the first relevant block has items that are not relevant
#}
{% macro first_hit(plan, name, k, at_first, at_rank) -%}
    {%- set suffix = sqlmetrics.cutoff_suffix(plan, k) -%}
    {%- set relevant = sqlmetrics.is_relevant(plan) -%}
    {#- these three columns are read by name in stages/lists.sql -#}
    {%- do sqlmetrics.need(plan, 'item_sums', 'hit_first', 'case when ' ~ relevant ~ ' then ' ~ sqlmetrics.first_rank(plan) ~ ' end', 'min') -%}
    {%- set certain = 'case when sm_hit_first ' ~ ('is not null' if k is none else '<= ' ~ k) ~ ' then ' ~ at_first ~ ' else 0 end' -%}
    {%- if plan['ties'] == 'average' -%}
        {%- do plan['cutoffs'].append(k) -%}
        {%- do plan['flags'].update({'relevant_through': true}) -%}
        {%- do sqlmetrics.need(plan, 'item_sums', 'hit_last', 'case when ' ~ relevant ~ ' then sm_tie_last end', 'min') -%}
        {#- of a first one below all cutoffs only those count that tie with it -#}
        {%- do sqlmetrics.need_of_ranks(plan, 'tied' if k is none else k, 'hit_relevant', 'case when ' ~ relevant ~ ' then sm_relevant_through end', 'min') -%}
        {%- set expected = sqlmetrics.need(
            plan, 'hits', name ~ suffix, at_rank if k is none else 'case when sm_position <= ' ~ k ~ ' then ' ~ at_rank ~ ' else 0 end'
        ) -%}
        (case when sm_hit_last - sm_hit_first + 1 > sm_hit_relevant then {{ expected }} else {{ certain }} end)
    {%- else -%}
        ({{ certain }})
    {%- endif -%}
{%- endmacro %}

{#
  The rank of an item in the pessimistic order, where of tied items the lower grade comes first: for what has no closed form of its
  expectation. With any other policy the rank is its own.
#}
{% macro pessimistic_rank(plan) -%}
    {%- do plan['flags'].update({'pessimistic': true, 'positions': true}) -%}
    {{- 'sm_pessimistic_rank' if plan['ties'] == 'average' else 'sm_rank' -}}
{%- endmacro %}

{# The relevant items down to an item, itself included, in the pessimistic order. #}
{% macro pessimistic_relevant(plan) -%}
    {%- do plan['flags'].update({'pessimistic_relevant': true} if plan['ties'] == 'average' else {'relevant_through': true}) -%}
    {{- 'sm_pessimistic_relevant' if plan['ties'] == 'average' else 'sm_relevant_through' -}}
{%- endmacro %}

{# The relevant items of a list, listed or not, as a column beside its items. #}
{% macro relevant_beside_items(plan) -%}
    {%- do plan['flags'].update({'relevant': sqlmetrics.relevant_of_list(plan)}) -%}
    {{- plan['flags']['relevant'] -}}
{%- endmacro %}

{#
  Of the first `limit` others (a number or a column) those expected below a relevant item: max(0, limit - others above it).
  Others are items that are not relevant; with `judged`, judged so. Of the n others of a block 0, 1, ... or n stand above
  the item, each as likely.
#}
{% macro expected_others_below(plan, limit, judged=false) -%}
    {%- do plan['flags'].update({'relevant_through': true, 'positions': true}) -%}
    {%- set apart = judged and sqlmetrics.has_unjudged(plan) -%}
    {%- if plan['ties'] == 'average' -%}
        {%- do plan['flags'].update({'relevant_tied': true}) -%}
        {%- set tied = '(sm_tie_last - sm_tie_first + 1 - sm_relevant_tied' ~ (' - sm_unjudged_tied' if apart) ~ ')' -%}
        {%- set below = '(' ~ limit ~ ' - ' ~ sqlmetrics.sql_integer('sm_tie_first') ~ ' + 1 + sm_relevant_through - sm_relevant_tied'
            ~ (' + sm_unjudged_through - sm_unjudged_tied' if apart) ~ ')' -%}
        case when {{ below }} <= 0 then 0
            when {{ tied }} < {{ below }} then {{ below }} - {{ sqlmetrics.ratio(tied, '2') }}
            else {{ below }} * {{ sqlmetrics.ratio(below ~ ' + 1', '2 * (' ~ tied ~ ' + 1)') }} end
    {%- else -%}
        {%- set below = '(' ~ limit ~ ' - ' ~ sqlmetrics.sql_integer('sm_rank') ~ ' + sm_relevant_through' ~ (' + sm_unjudged_through' if apart) ~ ')' -%}
        case when {{ below }} > 0 then {{ below }} else 0 end
    {%- endif -%}
{%- endmacro %}

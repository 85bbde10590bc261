{#
  Helper macros for list metrics, and the aggregation of a list metric to one number for each slice.

  A list metric is a numerator and a denominator over its list. This file owns the mean and the pooled ratio, the weight
  of a list, and the values of empty and missing lists.
#}

{#
  The average of numerator / denominator over lists. In `per_group` it is the value of one list, by the same rules.

  Args:
    numerator, denominator: expressions over the columns of a list
    empty: the condition under which a list has nothing to find
    average: mean (over lists) or micro (sum of numerators / sum of denominators); or how far lists differ: std (their
      standard deviation, which divides by their number), median, min or max, without intervals
#}
{% macro list_metric(plan, numerator, denominator, empty, average='mean') -%}
    {{- sqlmetrics.one_of(plan, 'average', average, ['mean', 'micro', 'std', 'median', 'min', 'max']) -}}
    {%- do return(sqlmetrics.over_lists(plan, numerator, denominator, empty, average, **kwargs)) -%}
{%- endmacro %}

{#
  The mean (or `micro`) of list_metric, or with average='sum' the sum of numerator / denominator, without a spread.

  Args:
    weight: the weight of a list: uniform, impressions (its rows), positives (its relevant items, listed or not),
      negatives (its other rows), pairs (relevant rows times others), or a column that is constant in the list; if
      the call has weight=, the two are multiplied
    on_empty: the value of an empty list: none (left out), zero, one or error
    on_missing: the value of a list of the truth that the predictions lack: zero, skip or error
#}
{% macro over_lists(
    plan, numerator, denominator, empty, average, weight='uniform', on_empty=none, on_missing='zero'
) -%}
    {%- for role in ('group', 'label', 'score') -%}{{- sqlmetrics.need_role(plan, role) -}}{%- endfor -%}
    {{- sqlmetrics.one_of(plan, 'on_empty', on_empty, [none, 'zero', 'one', 'error']) -}}
    {{- sqlmetrics.one_of(plan, 'on_missing', on_missing, ['zero', 'skip', 'error']) -}}
    {{- sqlmetrics.check_lists(plan, empty, on_empty, on_missing) -}}
    {%- set counts = sqlmetrics.list_weight(plan, weight) -%}
    {%- set rules = [] -%}
    {%- if on_missing == 'skip' -%}
        {%- do rules.append([sqlmetrics.listed_of_list(plan) ~ ' = 0', none, none]) -%}
    {%- endif -%}
    {%- set mean = average != 'micro' or plan['question']['keeps'] == 'lists' -%}
    {%- set of_one = numerator if denominator == '1' else sqlmetrics.ratio(numerator, denominator) -%}
    {%- set value = 'coalesce(' ~ of_one ~ ', 0)' if mean else numerator -%}
    {%- set below = '1' if mean else denominator -%}
    {%- set in_empty = {none: none, 'error': none, 'zero': '0', 'one': below}[on_empty] -%}
    {%- do rules.append([empty, in_empty, none if in_empty is none else below]) -%}
    {%- if plan['question']['keeps'] == 'lists' -%}
        {%- do return(sqlmetrics.plain_value(sqlmetrics.list_by_rules(rules, 1, value, '1'))) -%}
    {%- endif -%}
    {%- if average in ('std', 'median', 'min', 'max') -%}
        {%- do return(sqlmetrics.difference_of_lists(plan, average, rules, value, counts)) -%}
    {%- endif -%}
    {%- set of_list = sqlmetrics.list_by_rules(rules, 1, value, counts) -%}
    {%- set above = sqlmetrics.need(plan, 'list_sums', plan['asked']['prefix'] ~ '_total', of_list) -%}
    {%- if average == 'sum' -%}{%- do return(sqlmetrics.value_without_interval(above)) -%}{%- endif -%}
    {%- set counted = sqlmetrics.list_by_rules(rules, 2, below, counts) -%}
    {%- set total = sqlmetrics.need(plan, 'list_sums', plan['asked']['prefix'] ~ '_counted', counted) -%}
    {%- do return(sqlmetrics.spreading_value(
        sqlmetrics.ratio(above, total), sqlmetrics.spread_of_ratio(
            plan, 'lists', of_list, counted, above, total, equal=below == '1' and counts == '1'
        )
    )) -%}
{%- endmacro %}

{#
  The standard deviation, the median, the least or the greatest of the values of lists. Lists of weight 0 do not count.

  Args:
    rules, value, counts: as for `list_by_rules`
#}
{% macro difference_of_lists(plan, average, rules, value, counts) -%}
    {%- if plan['question']['adds_up'] -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "no state of periods makes it, since a state has sums over lists, and not each of them;"
                ~ " evaluate computes it from the rows"
        ) -}}
    {%- endif -%}
    {%- set name, one = plan['asked']['prefix'], sqlmetrics.list_by_rules(rules, 1, value, '1') -%}
    {%- set one = one if counts == '1' else 'case when ' ~ counts ~ ' > 0 then ' ~ one ~ ' end' -%}
    {%- set counted = sqlmetrics.list_by_rules(rules, 2, '1', counts) -%}
    {%- set total = sqlmetrics.need(plan, 'list_sums', name ~ '_counted', counted) -%}
    {%- if average == 'std' -%}
        {%- set of_list = sqlmetrics.list_by_rules(rules, 1, value, counts) -%}
        {%- set mean = sqlmetrics.ratio(sqlmetrics.need(plan, 'list_sums', name ~ '_total', of_list), total) -%}
        {%- set apart = sqlmetrics.sql_factor('(' ~ one ~ ' - ' ~ mean ~ ')') -%}
        {%- set square = sqlmetrics.need(
            plan, 'list_deviations', name ~ '_square', sqlmetrics.value_times(apart ~ ' * ' ~ apart, counted)
        ) -%}
        {%- set squares = sqlmetrics.need(plan, 'list_spreads', name ~ '_squares_of_lists', square) -%}
        {%- do return(sqlmetrics.value_without_interval('sqrt(' ~ sqlmetrics.ratio(squares, total) ~ ')')) -%}
    {%- endif -%}
    {%- set of_one = sqlmetrics.need(plan, 'list_deviations', name ~ '_of_list', one) -%}
    {%- if average in ('min', 'max') -%}
        {%- do return(sqlmetrics.value_without_interval(
            sqlmetrics.need(plan, 'list_spreads', name ~ '_' ~ average, of_one, average)
        )) -%}
    {%- endif -%}
    {%- set half = sqlmetrics.need(plan, 'list_deviations', name ~ '_half', sqlmetrics.sql_double(total) ~ ' / 2') -%}
    {%- set down = sqlmetrics.need(
        plan, 'list_deviations', name ~ '_down', 'case when ' ~ one ~ ' is not null then ' ~ counted ~ ' end',
        more={'order': one},
    ) -%}
    {#- the mean of two values if a gap between them divides the weight exactly -#}
    {%- set ends = [] -%}
    {%- for over in ('>=', '>') -%}
        {%- do ends.append(sqlmetrics.need(
            plan, 'list_spreads', name ~ '_median_' ~ loop.index,
            'case when ' ~ down ~ ' ' ~ over ~ ' ' ~ half ~ ' then ' ~ of_one ~ ' end', 'min',
        )) -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.value_without_interval('(' ~ ends | join(' + ') ~ ') / 2')) -%}
{%- endmacro %}

{#
  A case over lists: the value of the first rule that applies, else `value`, each times the weight of the list. If a
  rule gives a number, all branches are floats.
#}
{% macro list_by_rules(rules, part, value, counts) -%}
    {%- set ns = namespace(cases='', otherwise=sqlmetrics.value_times(value, counts)) -%}
    {%- for rule in rules -%}
        {%- set then = rule[part] -%}
        {%- if then is not none -%}
            {%- set ns.otherwise = sqlmetrics.sql_double(sqlmetrics.value_times(value, counts)) -%}
        {%- endif -%}
        {%- set ns.cases = ns.cases ~ 'when ' ~ rule[0] ~ ' then '
            ~ ('null' if then is none else sqlmetrics.sql_double(sqlmetrics.value_times(then, counts))) ~ ' ' -%}
    {%- endfor -%}
    case {{ ns.cases }}else {{ ns.otherwise }} end
{%- endmacro %}

{# The weight of a list in the average: the weight that the metric names, times weight= of the call. #}
{% macro list_weight(plan, weight) -%}
    {%- set factors = [] -%}
    {%- if weight == 'impressions' -%}
        {%- do factors.append(sqlmetrics.listed_of_list(plan)) -%}
    {%- elif weight == 'positives' -%}
        {%- do factors.append(sqlmetrics.relevant_of_list(plan)) -%}
    {%- elif weight in ('negatives', 'pairs') -%}
        {%- set relevant_listed = sqlmetrics.grade_sum(
            plan, 'relevant_listed',
            'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then ' ~ sqlmetrics.listed_count(plan) ~ ' else 0 end'
        ) -%}
        {%- set negatives = '(' ~ sqlmetrics.listed_of_list(plan) ~ ' - ' ~ relevant_listed ~ ')' -%}
        {%- set pairs = sqlmetrics.sql_double(relevant_listed) ~ ' * ' ~ negatives -%}
        {%- do factors.append(negatives if weight == 'negatives' else pairs) -%}
    {%- elif weight != 'uniform' -%}
        {%- set source = sqlmetrics.named_column(plan, weight) -%}
        {%- if source == plan['facts']['weight'] -%}
            {{- sqlmetrics.refuse_metric(
                plan,
                "weight=" ~ weight ~ " names the column that already is weight= of the call; the two are multiplied,"
                ~ " so it would be squared. Pass it once"
            ) -}}
        {%- endif -%}
        {%- if source not in plan['list_weights'] -%}
            {%- do plan['list_weights'].update({source: 'list_weight_' ~ (plan['list_weights'] | length + 1)}) -%}
        {%- endif -%}
        {%- set name = plan['list_weights'][source] -%}
        {%- for column in (name, name ~ '_min') -%}
            {%- do sqlmetrics.declare(plan, 'grade_sums', column) -%}
        {%- endfor -%}
        {%- do factors.append(sqlmetrics.constant_in_list(plan, name, weight)) -%}
    {%- endif -%}
    {%- if plan['facts']['weight'] is not none -%}
        {%- do factors.append(sqlmetrics.constant_in_list(plan, 'weight', plan['facts']['weight'])) -%}
    {%- endif -%}
    {{- factors | join(' * ') or '1' -}}
{%- endmacro %}

{# A column of the input that is constant in a list. #}
{% macro constant_in_list(plan, column, said) -%}
    {%- set value = sqlmetrics.need(plan, 'grade_sums', column ~ '_of_list', '{' ~ column ~ '}', 'max') -%}
    {%- set least = sqlmetrics.need(plan, 'grade_sums', column ~ '_least', '{' ~ column ~ '_min}', 'min') -%}
    {{- sqlmetrics.require(
        plan, 'list_sums', 'groups_' ~ column ~ '_unclear',
        value ~ ' is null or ' ~ least ~ ' < 0 or ' ~ least ~ ' <> ' ~ value,
        'groups have a weight ' ~ said ~ ' that is missing, negative or not the same in all rows of the group;'
            ~ ' a list metric takes one weight a list'
    ) -}}
    {{- value -}}
{%- endmacro %}

{#
  A column that a metric names. The Python API looks it up; otherwise it is SQL text. `words` are the words allowed
  instead of a column, for the message.
#}
{% macro named_column(plan, name, words='impressions, positives, negatives, pairs, uniform') -%}
    {%- if plan['facts']['columns'] is none -%}
        {{- name -}}
    {%- elif name not in plan['facts']['columns'] -%}
        {%- set is = 'neither ' ~ words ~ ' nor a column' if words
            else 'no column' ~ (' of the truth' if plan['facts']['truth'] is not none) -%}
        {{- sqlmetrics.refuse_metric(plan, "'" ~ name ~ "' is " ~ is) -}}
    {%- else -%}
        {{- plan['facts']['columns'][name] -}}
    {%- endif -%}
{%- endmacro %}

{# The number of relevant items of a list, listed or not; their total weight if items have weights. #}
{% macro relevant_of_list(plan, item_weight='1') -%}
    {{- sqlmetrics.reaching_of_list(plan, sqlmetrics.is_relevant(plan), item_weight) -}}
{%- endmacro %}

{# The condition that a list has no relevant item. Metrics of grades call such a list empty, too. #}
{% macro lacks_relevant(plan) -%}
    {{- sqlmetrics.reaching_of_list(plan, sqlmetrics.reaches_positive(plan), '1') ~ ' = 0' -}}
{%- endmacro %}

{# The number, or the weight, of the items of a list that meet the condition of relevance. #}
{% macro reaching_of_list(plan, relevant, item_weight) -%}
    {{- sqlmetrics.grade_sum(
        plan, 'relevant',
        'case when ' ~ relevant ~ ' then ' ~ sqlmetrics.weight_of_grade(item_weight) ~ ' else 0 end'
    ) -}}
{%- endmacro %}

{# The number of listed items of a list. #}
{% macro listed_of_list(plan) -%}
    {{- sqlmetrics.need(
        plan, 'grade_sums', 'listed', sqlmetrics.listed_count(plan), more={'ranked': 'max({listed})'}
    ) -}}
{%- endmacro %}

{# The number of listed items of a list, at most k. #}
{% macro listed_in_top(plan, k) -%}
    {%- set listed = sqlmetrics.listed_of_list(plan) -%}
    {{- listed if k is none else '(' ~ sqlmetrics.at_most(listed, k) ~ ')' -}}
{%- endmacro %}

{# The smaller of two numbers of items. #}
{% macro at_most(count, limit) -%}
    {{- 'case when ' ~ count ~ ' < ' ~ limit ~ ' then ' ~ count ~ ' else ' ~ limit ~ ' end' -}}
{%- endmacro %}

{#
  True if there may be listed items without a judgement. Without truth= each row is a judgement, unless `unjudged` is
  given.
#}
{% macro has_unjudged(plan) -%}
    {%- do return(plan['facts']['truth'] is not none or plan['facts']['unjudged'] == 'not_relevant') -%}
{%- endmacro %}

{# The condition under which a listed item is unjudged. #}
{% macro is_unjudged(plan) -%}{{ '{unjudged} = 1' if sqlmetrics.has_unjudged(plan) else '1 = 0' }}{%- endmacro %}

{# The number of listed items that a judged row stands for: all of them, unless the truth is a separate table. #}
{% macro listed_count(plan) -%}{{ '{n}' if plan['facts']['truth'] is none else '{n_listed}' }}{%- endmacro %}

{# The gain of all judged items of a list; 0 if there is nothing to find. #}
{% macro gain_of_list(plan, gain, item_weight='1') -%}
    {%- set name = 'gain_' ~ sqlmetrics.column_name(gain) -%}
    {%- if not sqlmetrics.gains_by_label_0(gain) -%}
        {{- sqlmetrics.grade_sum(
            plan, name, sqlmetrics.gain_of(plan, gain) ~ ' * ' ~ sqlmetrics.weight_of_grade(item_weight)
        ) -}}
    {%- elif item_weight != '1' -%}
        {{- sqlmetrics.refuse_metric(
            plan, "item_weight= needs gains that begin with 0, since only items of label >= 1 need a weight, got gain="
                ~ gain
        ) -}}
    {%- else -%}
        {%- set judged = '({n} - {n_unjudged})' if sqlmetrics.has_unjudged(plan) else '{n}' -%}
        {{- sqlmetrics.need(plan, 'grade_sums', name, sqlmetrics.gain_of(plan, gain) ~ ' * ' ~ judged) -}}
    {%- endif -%}
{%- endmacro %}

{#
  The condition that no item of a list gains anything. By a list of gains, or by a weight of 0, that may be so of a
  relevant item, too.
#}
{% macro gains_nothing(plan, gain, sum, item_weight='1') -%}
    {%- set gains = (gain | string).split(':') -%}
    {%- set label_1_gains = gains | length == 1 or sqlmetrics.parse_value(gains[1] | trim) != 0 -%}
    {{- sqlmetrics.undefined_if(plan, sum ~ ' = 0', item_weight != '1' or not label_1_gains) -}}
{%- endmacro %}

{# The items of a grade: their number, or their total weight. #}
{% macro weight_of_grade(item_weight) -%}{{ '{n}' if item_weight == '1' else item_weight }}{%- endmacro %}

{# True if a judged item of label 0 gains something: for a list of gains that does not begin with 0. #}
{% macro gains_by_label_0(gain) -%}
    {%- do return(':' in gain | string and sqlmetrics.parse_value(gain.split(':')[0] | trim) != 0) -%}
{%- endmacro %}

{# The gain of a listed item. An item that nobody judged has label 0 and gains nothing, whatever label 0 gains. #}
{% macro gain_of_item(plan, gain) -%}
    {%- if sqlmetrics.gains_by_label_0(gain) and sqlmetrics.has_unjudged(plan) -%}
        (case when {{ sqlmetrics.is_unjudged(plan) }} then 0 else {{ sqlmetrics.gain_of(plan, gain) }} end)
    {%- else -%}
        {{- sqlmetrics.gain_of(plan, gain) -}}
    {%- endif -%}
{%- endmacro %}

{# The gain of a judged item: a named function, or the gains listed for the labels 0, 1, 2, ... #}
{% macro gain_of(plan, gain) -%}
    {%- if ':' in gain | string -%}
        {{- sqlmetrics.listed_gain(plan, gain) -}}
    {%- elif gain not in ('exponential', 'linear', 'binary') -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "gain must be one of exponential, linear, binary,"
            ~ " or the gains of the labels 0, 1, 2, ... such as 0:1:3:7, got " ~ gain
        ) -}}
    {%- elif gain == 'binary' -%}
        (case when {{ sqlmetrics.is_relevant(plan) }} then 1 else 0 end)
    {%- else -%}
        {{- sqlmetrics.no_negative_grade(plan) -}}
        {%- set grade = sqlmetrics.grade_of(plan) -%}
        {%- if gain == 'linear' -%}
            {{ grade }}
        {%- else -%}
            {{- sqlmetrics.require(
                plan, 'rows', 'rows_huge_grade', '{label} > 500',
                'rows have a label such as {value}, for which the gain 2^label - 1 leaves the floats;'
                    ~ ' pass gain=linear or gain=binary', '{label}'
            ) -}}
            (case when {label} <= 500 then {{ sqlmetrics.sql_power_of_2(grade) }} - 1 end)
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#
  The gain of a label from a list such as 0:1:3:7:15, for labels 0 to 4. Gains do not fall, since the ideal order is
  the order of the labels. A label below 0 in the truth means not judged, and gains nothing.
#}
{% macro listed_gain(plan, gain) -%}
    {%- set gains = [] -%}
    {%- for text in gain.split(':') -%}{%- do gains.append(sqlmetrics.parse_value(text | trim)) -%}{%- endfor -%}
    {%- if gains | reject('number') | list or gains[0] < 0 or gains | sort != gains -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "the gains of the labels 0, 1, 2, ... must be numbers >= 0"
            ~ " that do not fall, such as gain=0:1:3:7, got " ~ gain
        ) -}}
    {%- endif -%}
    {%- set grade = sqlmetrics.grade_of(plan) -%}
    {{- sqlmetrics.require(
        plan, 'rows', 'rows_not_in_' ~ gains | length ~ '_grades',
        grade ~ ' not in (' ~ range(gains | length) | join(', ') ~ ')',
        'rows have a label such as {value}, but gain=' ~ gain ~ ' has gains for the labels 0 to '
            ~ (gains | length - 1) ~ ' alone', '{label}'
    ) -}}
    {%- set of_grade -%}
        (case {{ grade }} {%- for of_label in gains %} when {{ loop.index0 }} then {{ of_label }} {%- endfor %} end)
    {%- endset -%}
    {{- '(case when {label} < 0 then 0 else ' ~ of_grade ~ ' end)'
        if gains[0] != 0 and plan['facts']['truth'] is not none else of_grade -}}
{%- endmacro %}

{# Checks that labels are between 0 and max_grade, which describes the scale and cannot be read from the data. #}
{% macro within_max_grade(plan) -%}
    {%- if plan['facts']['max_grade'] is none -%}
        {{- sqlmetrics.refuse_metric(plan, "needs max_grade=, the highest grade of the scale (1 for 0/1 labels)") -}}
    {%- endif -%}
    {{- sqlmetrics.require(
        plan, 'rows', 'rows_above_max_grade', '{label} > ' ~ plan['facts']['max_grade'],
        'rows have a label above max_grade=' ~ plan['facts']['max_grade'] ~ ', such as {value}', '{label}'
    ) -}}
    {{- sqlmetrics.no_negative_grade(plan) -}}
{%- endmacro %}

{#
  Rejects negative labels without truth=, where they could mean not relevant or not judged. With truth= they mean not
  judged, as in TREC's qrels.
#}
{% macro no_negative_grade(plan) -%}
    {%- if plan['facts']['truth'] is none -%}
        {{- sqlmetrics.require(
            plan, 'rows', 'rows_negative_grade', '{label} < 0',
            'rows have a negative label, such as {value}, but ' ~ plan['asked']['metric'] ~ ' takes grades >= 0',
            '{label}'
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# The label as a grade >= 0; an unjudged item has grade 0. #}
{% macro grade_of(plan) -%}
    {{- '{label}' if plan['facts']['truth'] is none else '(case when {label} > 0 then {label} else 0 end)' -}}
{%- endmacro %}

{# Rejects a cutoff that is not an integer >= 1. Returns the suffix of columns that are cut there. #}
{% macro cutoff_suffix(plan, k) -%}
    {%- if k is not none -%}
        {{- sqlmetrics.number(plan, 'k', k, 1, 1000000000, true) -}}
        {{- '_' ~ k -}}
    {%- endif -%}
{%- endmacro %}

{#
  The checks of lists: those of on_empty and on_missing, one slice for each list with truth=, and whole lists in a
  state.
#}
{% macro check_lists(plan, empty, on_empty, on_missing) -%}
    {%- if on_empty == 'error' -%}
        {{- sqlmetrics.require(
            plan, 'list_sums', 'groups_undefined', empty,
            'groups have no value for ' ~ plan['asked']['metric'] ~ ' (on_empty=error)'
        ) -}}
    {%- endif -%}
    {%- if on_missing == 'error' -%}
        {{- sqlmetrics.require(
            plan, 'list_sums', 'groups_not_predicted', sqlmetrics.listed_of_list(plan) ~ ' = 0',
            'groups of the truth are missing from the predictions (on_missing=error)'
        ) -}}
    {%- endif -%}
    {%- if plan['facts']['by'] | selectattr('in_truth') | list -%}
        {{- sqlmetrics.require(
            plan, 'list_sums', 'groups_in_several_slices',
            sqlmetrics.need(plan, 'grade_sums', 'split', '{split}', 'max') ~ ' = 1',
            'groups have several values of by in the truth; with truth= a group belongs to one slice'
        ) -}}
    {%- endif -%}
    {%- if plan['question']['adds_up'] -%}{{- sqlmetrics.require_whole_lists(plan) -}}{%- endif -%}
{%- endmacro %}

{#
  A sum over the grades of a list to which grades of label 0 add nothing. It is the same where lists are ranked first
  and such rows are left out. If label 0 adds to the sum, use need(plan, 'grade_sums', ...) instead.
#}
{% macro grade_sum(plan, name, inner) -%}
    {{- sqlmetrics.need(plan, 'grade_sums', name, inner, more={'ranked': 'sum(' ~ inner ~ ')'}) -}}
{%- endmacro %}

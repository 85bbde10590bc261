{# The measures of agreement: what a notation asks for, as sums over items. #}

{#
  What the measures of a call ask for.

  Returns: a list of mappings
    name: the notation, in the result
    family: krippendorff, fleiss, gwet, percent or cohen
    distance: what two ratings of an item are compared by (`distances_of_ratings`)
    numbers: whether ratings have to be numbers
  Errors: no measure; an unknown one; a parameter or a value of it that is unknown; one measure twice
#}
{% macro measures_of_agreement(measures) -%}
    {%- set found = [] -%}
    {%- for notation in ([measures] if measures is string else measures or []) -%}
        {%- if notation is not string -%}
            {{- sqlmetrics.refuse("agreement: a measure is text, such as 'krippendorff', got " ~ notation) -}}
        {%- endif -%}
        {%- set parsed, known = sqlmetrics.parse_notation(notation), sqlmetrics.parameters_of_agreement() -%}
        {%- set name = parsed['name'] -%}
        {%- if name not in known -%}
            {{- sqlmetrics.refuse(
                "Unknown measure of agreement '" ~ notation ~ "'. Known: " ~ known | join(', ')
            ) -}}
        {%- elif notation in found | map(attribute='name') -%}
            {{- sqlmetrics.refuse("agreement: the measure '" ~ notation ~ "' is asked for twice") -}}
        {%- endif -%}
        {%- set chosen = namespace(distance='nominal') -%}
        {%- for parameter, value in parsed['params'].items() -%}
            {%- if parameter not in known[name] -%}
                {{- sqlmetrics.refuse(
                    "sqlmetrics." ~ notation ~ ": " ~ name ~ " has no parameter " ~ parameter
                        ~ (". It has: " ~ known[name] | join(', ') if known[name])
                ) -}}
            {%- elif value not in known[name][parameter] -%}
                {{- sqlmetrics.refuse(
                    "sqlmetrics." ~ notation ~ ": " ~ parameter ~ " must be one of "
                        ~ known[name][parameter] | join(', ') ~ ", got " ~ value
                ) -}}
            {%- endif -%}
            {%- set chosen.distance = known[name][parameter][value] -%}
        {%- endfor -%}
        {%- do found.append({
            'name': notation, 'family': name, 'distance': chosen.distance, 'numbers': chosen.distance != 'nominal',
        }) -%}
    {%- endfor -%}
    {%- if not found -%}
        {{- sqlmetrics.refuse("agreement: no measure was asked for. Pass at least one, such as 'krippendorff'") -}}
    {%- endif -%}
    {%- do return(found) -%}
{%- endmacro %}

{# The measures, their parameters, and the distance that each value of a parameter chooses. #}
{% macro parameters_of_agreement() -%}
    {%- do return({
        'krippendorff': {
            'level': {'nominal': 'nominal', 'ordinal': 'ranks', 'interval': 'squares', 'ratio': 'ratios'},
        },
        'fleiss': {},
        'gwet': {
            'weights': {'identity': 'nominal', 'ordinal': 'steps', 'linear': 'lengths', 'quadratic': 'squares'},
        },
        'cohen': {},
        'percent': {},
    }) -%}
{%- endmacro %}

{# The first of the measures that reads ratings as numbers, or none. #}
{% macro measure_of_numbers(measures) -%}
    {%- for measure in sqlmetrics.measures_of_agreement(measures) if measure['numbers'] -%}
        {%- do return(measure['name']) -%}
    {%- endfor -%}
    {%- do return(none) -%}
{%- endmacro %}

{#
  How far apart the ratings of an item are, by distance: the sum over all pairs of its ratings, both orders, as an
  expression of the sums of `stage_of_rated_items`. No pair is formed, except by ratios.

  nominal: 1 where they differ; squares: of the difference; lengths: the difference; steps: C(d + 1, 2) of two values
  that are d places apart; ranks: the square of the difference of their mid-ranks; ratios: ((x - y) / (x + y))^2
#}
{% macro distances_of_ratings() -%}
    {%- set squares = '2 * (sm_n * sm_squares_of_{} - sm_sum_of_{} * sm_sum_of_{})' -%}
    {%- do return({
        'nominal': '(sm_n * sm_n - sm_squared_counts)',
        'squares': '(' ~ squares | replace('{}', 'value') ~ ')',
        'ranks': '(' ~ squares | replace('{}', 'rank') ~ ')',
        'steps': '((' ~ squares | replace('{}', 'place') ~ ' + 2 * sm_lengths_of_place) / 2)',
        'lengths': '(2 * sm_lengths_of_value)',
        'ratios': 'sm_ratios',
    }) -%}
{%- endmacro %}

{# The scales on which values have a number, by distance. #}
{% macro scales_of_distances() -%}
    {%- do return({'squares': 'value', 'lengths': 'value', 'ranks': 'rank', 'steps': 'place'}) -%}
{%- endmacro %}

{#
  A measure as expressions.

  Returns: a mapping
    sum: the sum over items that it needs, of `sm_items`
    value: of the sums of a slice (`stage_of_estimates`)
    influence: how far an item moves the value, times the number of items, of both
    items: the number of items over which it varies
#}
{% macro expressions_of_agreement(measure, number) -%}
    {%- set within = sqlmetrics.distances_of_ratings()[measure['distance']] -%}
    {%- set sum, value = 'sm_sum_' ~ number, 'sm_value_' ~ number -%}
    {%- set of_pairs = 'case when sm_n >= 2 then ' ~ within ~ ' / (sm_n * (sm_n - 1)) else 0 end' -%}
    {%- if measure['family'] == 'krippendorff' -%}
        {%- set of_item = 'case when sm_n >= 2 then ' ~ within ~ ' / (sm_n - 1) else 0 end' -%}
        {%- set expected, chance = {
            'nominal': ['(sm_all * sm_all - sm_squared_masses)', '(sm_n * sm_all - sm_with_masses)'],
            'squares': ['(2 * sm_all * sm_spread_of_value)',
                '(sm_all * sm_squares_of_value + sm_n * sm_spread_of_value)'],
            'ranks': ['(2 * sm_all * sm_spread_of_rank)', '(sm_all * sm_squares_of_rank + sm_n * sm_spread_of_rank)'],
            'ratios': ['sm_expected_ratios', 'sm_with_ratios'],
        }[measure['distance']] -%}
        {%- set scale = 'nullif(' ~ expected ~ ', 0)' -%}
        {%- do return({
            'sum': of_item, 'items': 'sm_n_rated',
            'value': '1 - (sm_all - 1) * ' ~ sum ~ ' / ' ~ scale,
            'influence': 'case when sm_n >= 2 then sm_n_rated * (2 * (sm_all - 1) * ' ~ sum ~ ' / ' ~ scale ~ ' * '
                ~ chance ~ ' - (sm_all - 1) * ' ~ within ~ ' / (sm_n - 1) - ' ~ sum ~ ' * sm_n) / ' ~ scale
                ~ ' else 0 end',
        }) -%}
    {%- elif measure['family'] == 'percent' -%}
        {%- do return({
            'sum': of_pairs, 'items': 'sm_n_rated', 'value': '1 - ' ~ sum ~ ' / nullif(sm_n_rated, 0)',
            'influence': 'case when sm_n >= 2 then 1 - ' ~ of_pairs ~ ' - ' ~ value ~ ' else 0 end',
        }) -%}
    {%- endif -%}
    {#- the greatest distance, and the sum of the distances of all pairs of values relative to it -#}
    {%- set reach = 'nullif(sm_most - sm_least, 0)' -%}
    {%- set greatest, apart = {
        'nominal': ['1', 'sm_of_values * (sm_of_values - 1)'],
        'squares': ['(' ~ reach ~ ' * ' ~ reach ~ ')', '2 * (sm_of_values * sm_even_squares - sm_even_sum'
            ~ ' * sm_even_sum) / (' ~ reach ~ ' * ' ~ reach ~ ')'],
        'lengths': [reach, '2 * sm_even_lengths / ' ~ reach],
        'steps': ['nullif(sm_of_values * (sm_of_values - 1) / 2, 0)', '(sm_of_values + 1) * (sm_of_values + 2) / 6'],
    }[measure['distance']] -%}
    {%- set observed = '(1 - ' ~ sum ~ ' / ' ~ greatest ~ ' / nullif(sm_n_rated, 0))' -%}
    {%- set same, alike = '(sm_squared_shares / (sm_n_all * sm_n_all))', '(sm_with_shares / (sm_n_all * sm_n))' -%}
    {%- if measure['family'] == 'fleiss' -%}
        {%- set chance, of_item = same, alike -%}
    {%- else -%}
        {%- set weight = '((sm_of_values * sm_of_values - ' ~ apart
            ~ ') / nullif(sm_of_values * (sm_of_values - 1), 0))' -%}
        {%- set chance, of_item = weight ~ ' * (1 - ' ~ same ~ ')', weight ~ ' * (1 - ' ~ alike ~ ')' -%}
    {%- endif -%}
    {%- set left = 'nullif(1 - ' ~ chance ~ ', 0)' -%}
    {%- set agreed = 'case when sm_n >= 2 then sm_n_all / sm_n_rated * (1 - ' ~ within ~ ' / (sm_n * (sm_n - 1)) / '
        ~ greatest ~ ' - ' ~ observed ~ ') else 0 end' -%}
    {%- do return({
        'sum': of_pairs, 'items': 'sm_n_all',
        'value': '(' ~ observed ~ ' - ' ~ chance ~ ') / ' ~ left,
        'influence': '(' ~ agreed ~ ' - 2 * (1 - ' ~ value ~ ') * (' ~ of_item ~ ' - ' ~ chance ~ ')) / ' ~ left,
    }) -%}
{%- endmacro %}

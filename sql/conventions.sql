{#
  Conventions: what other libraries mean by a metric's name, as options of ours. Nothing else in the book knows of them.

  A convention is a set of defaults: what is written in a notation (`ndcg(gain=linear)@10`), and `ties` where it is given,
  beats it. A metric that is not named here under a convention is none of that library's; it keeps its own defaults.
#}

{#
  All conventions by name.

  ties: how tied scores rank
  every_list: options of each of its list metrics
  lists: its list metrics, by macro, each with options of its own
  others: its metrics of rows and score levels, likewise
#}
{% macro conventions() -%}
    {%- do return({
        'trec_eval': {
            'ties': 'item desc',
            'every_list': {'on_empty': 'zero', 'on_missing': 'skip'},
            'lists': {
                'ndcg': {'gain': 'linear'}, 'map': {'denominator': 'relevant'}, 'mrr': {}, 'hit_rate': {},
                'precision_at': {}, 'recall_at': {},
                'success': {}, 'r_precision': {}, 'bpref': {}, 'infap': {}, 'gmap': {}, 'interpolated_precision': {},
                'interpolated_map': {}, 'rbp': {'p': 0.9}, 'rbp_residual': {'p': 0.9}, 'cg': {}, 'judged': {}, 'f1_at': {}, 'f_beta_at': {},
            },
            'others': {},
        },
    }) -%}
{%- endmacro %}

{#
  A convention by name; none is that of sqlmetrics, whose options are the defaults in the signatures.

  Errors: a name that is not known
#}
{% macro convention(name) -%}
    {%- if name is none -%}
        {%- do return({'ties': 'average', 'every_list': {}, 'lists': {}, 'others': {}}) -%}
    {%- elif name not in sqlmetrics.conventions() -%}
        {{- sqlmetrics.refuse("Unknown convention '" ~ name ~ "'. Known: " ~ sqlmetrics.conventions() | join(', ')) -}}
    {%- endif -%}
    {%- do return(sqlmetrics.conventions()[name]) -%}
{%- endmacro %}

{# The options of a metric's macro under a convention (what `convention` gives); none where the library has no such metric. #}
{% macro conventional(convention, macro) -%}
    {%- set metric = macro[7:] -%}
    {%- if metric in convention['lists'] -%}
        {%- do return(dict(convention['every_list'], **convention['lists'][metric])) -%}
    {%- endif -%}
    {%- do return(convention['others'].get(metric)) -%}
{%- endmacro %}

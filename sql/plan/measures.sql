{#
  Names under which trec_eval prints several measures (its option -m), for sqlmetrics.trec: name -> notations, in the
  order of trec_eval. n_groups of the result is its num_q; measures that are not here (binG, utility, ...) are
  left out.
#}
{% macro measures_of_trec_eval() -%}
    {%- set recalls = [] -%}
    {%- for tenth in range(11) -%}{%- do recalls.append('iprec_at_recall_' ~ '%.2f' % (tenth / 10)) -%}{%- endfor -%}
    {%- set recalls, deep = recalls | join(', '), '5,10,15,20,30,100,200,500,1000' -%}
    {%- set counts, of_set = 'num_ret, num_rel, num_rel_ret', 'set_P, set_recall, set_F, set_map, set_relative_P' -%}
    {%- set official = counts ~ ', map, gm_map, Rprec, bpref, recip_rank, ' ~ recalls ~ ', P.' ~ deep -%}
    {%- do return({
        'official': official,
        'set': counts ~ ', ' ~ of_set,
        'all_trec': official ~ ', recall.' ~ deep ~ ', infAP, 11pt_avg, ndcg, ndcg_cut.' ~ deep ~ ', map_cut.' ~ deep
            ~ ', relative_P.' ~ deep ~ ', success.1,5,10, ' ~ of_set,
    }) -%}
{%- endmacro %}

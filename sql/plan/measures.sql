{#
  Names under which trec_eval prints several measures (its option -m), for sqlmetrics.trec: name -> notations, in the
  order of trec_eval. Its counts of documents and topics are columns beside each result; measures that are not here
  (bing, ndcg_rel, Rndcg, utility, ...) are left out.
#}
{% macro measures_of_trec_eval() -%}
    {%- set recalls = [] -%}
    {%- for tenth in range(11) -%}{%- do recalls.append('iprec_at_recall_' ~ '%.2f' % (tenth / 10)) -%}{%- endfor -%}
    {%- set recalls, deep = recalls | join(', '), '5,10,15,20,30,100,200,500,1000' -%}
    {%- set official = 'map, gm_map, Rprec, bpref, recip_rank, ' ~ recalls ~ ', P.' ~ deep -%}
    {%- do return({
        'official': official,
        'set': 'set_P, set_recall',
        'all_trec': official ~ ', recall.' ~ deep ~ ', infAP, 11pt_avg, ndcg, ndcg_cut.' ~ deep ~ ', map_cut.' ~ deep
            ~ ', success.1,5,10, set_P, set_recall',
    }) -%}
{%- endmacro %}

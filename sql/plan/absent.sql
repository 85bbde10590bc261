{#
  Names of other libraries for what is no metric here, each with what there is instead.

  Returns: name in lower case -> the rest of the sentence. `(k)` stands for the number at the end of a name
#}
{% macro absent_names() -%}
    {%- set count = "is a count, not a metric: the result has " -%}
    {%- set rows = count ~ "n_rows, the listed items, and n_groups, the lists" -%}
    {%- set hits = count ~ "n_groups, the lists, and cg(gain=binary) is the mean number of relevant items listed" -%}
    {%- set relevant = "is a count of the judgements, not a metric; count the rows of the truth" -%}
    {%- set capped = "is hits over the smaller of k and the relevant items, which is not here; precision@10 is over k,"
        ~ " recall@10 over the relevant items, and map@10 has this denominator" -%}
    {%- set of_list = "is a measure of a whole list that is not here; SetP is its precision, SetR its recall, and f1@10"
        ~ " its F1 at a cutoff" -%}
    {%- set subtopics = "is not here; the measures of subtopics are alpha_ndcg@10, err_ia@10 and subtopic_recall@10" -%}
    {%- set users = "is not here; the models of a user are err@10 and rbp" -%}
    {%- set own = "is a measure of trec_eval alone, which is not here; graded ones are ndcg, q_measure and rbp" -%}
    {%- set several = "is several measures; name each, such as map, P_10 and ndcg_cut_10" -%}
    {%- do return({
        'numret': rows, 'num_ret': rows, 'numq': rows, 'num_q': rows,
        'numrelret': hits, 'num_rel_ret': hits, 'numrel': relevant, 'num_rel': relevant,
        'num_nonrel_judged_ret': "is a count, not a metric; judged@10 is the share of judged items",
        'relative_p': capped, 'relative_p_(k)': capped, 'setrelp': capped, 'set_relative_p': capped,
        'setf': of_list, 'set_f': of_list, 'setap': of_list, 'set_map': of_list,
        'ndcg_cut': "needs a cutoff; write ndcg_cut_10", 'map_cut': "needs a cutoff; write map_cut_10",
        'iprec_at_recall': "needs a recall level; write iprec_at_recall_0.10",
        'iprec': "needs a recall level; write IPrec@0.5",
        'official': several, 'all_trec': several,
        'nrbp': subtopics, 'nnrbp': subtopics, 'ap_ia': subtopics, 'map_ia': subtopics, 'p_ia': subtopics,
        'bpm': users, 'inst': users, 'insq': users, 'sdcg': users, 'nerr8': users, 'nerr9': users, 'nerr10': users,
        'nerr11': users, 'bing': own, 'ndcg_rel': own, 'rndcg': own, 'utility': own,
        'compat': "is the overlap with an ideal order, which is not here; ndcg compares gains with those of that order",
        'rprec_mult_(k)': "is precision at a multiple of R, which is not here; r_precision is that at R",
        'gm_bpref': "is not here; gmap is the geometric mean of average precision, bpref the arithmetic mean of bpref",
        'alpha_dcg': "is alpha_ndcg(ideal=cutoff)@10 here, from a cutoff of 2 on",
        'α_dcg': "is alpha_ndcg(ideal=cutoff)@10 here, from a cutoff of 2 on",
    }) -%}
{%- endmacro %}

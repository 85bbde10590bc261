{#
  Conventions: definitions of metrics in other libraries, as options of ours. No other file knows about these libraries.

  A convention is a set of defaults. Parameters in the notation (`ndcg(gain=linear)@10`) take precedence, as does
  `ties=`. A metric that is not listed under a convention does not exist in that library and keeps its own defaults.
  An alias, the name that a library gives a metric (`ndcg_cut_10`), has that library's options under every convention.
#}

{#
  All conventions by name.

  ties: the policy for tied scores
  every_list: options of every list metric
  lists: the list metrics of the library, by macro, each with its own options
  others: its metrics of rows and score levels, likewise
#}
{% macro conventions() -%}
    {%- set found = {} -%}
    {#-
      Document ids are texts. map_cut divides by all relevant items. Topics that the run lacks are left out;
      trec_eval -c counts them as 0
    -#}
    {%- do found.update({'trec_eval': {
        'ties': 'text desc',
        'every_list': {'on_empty': 'zero', 'on_missing': 'skip'},
        'lists': {
            'ndcg': {'gain': 'linear'}, 'map': {'denominator': 'relevant'}, 'mrr': {}, 'hit_rate': {},
            'precision_at': {}, 'recall_at': {}, 'success': {}, 'r_precision': {}, 'bpref': {}, 'infap': {}, 'gmap': {},
            'interpolated_precision': {'reach': 'nearest'}, 'interpolated_map': {'reach': 'nearest'}, 'rbp': {'p': 0.9},
            'rbp_residual': {'p': 0.9}, 'cg': {}, 'judged': {}, 'f1_at': {}, 'f_beta_at': {},
            'set_precision': {}, 'set_recall': {}, 'set_f1': {}, 'set_f_beta': {}, 'set_map': {},
        },
        'others': {
            'num_ret': {'on_missing': 'skip'}, 'num_rel': {'on_missing': 'skip'}, 'num_rel_ret': {'on_missing': 'skip'},
        },
    }}) -%}
    {#- sklearn clips probabilities to the distance from 1 to the next float -#}
    {%- do found.update({'sklearn': {
        'ties': 'average',
        'every_list': {'on_empty': 'zero'},
        'lists': {
            'ndcg': {'gain': 'linear'}, 'dcg': {'gain': 'linear'}, 'coverage_error': {}, 'label_ranking_loss': {},
            'label_ranking_average_precision': {'on_empty': 'one'},
        },
        'others': {
            'multiclass_log_loss': {'eps': 2.220446049250313e-16}, 'multiclass_brier': {}, 'multiclass_auc': {},
            'multilabel_precision': {}, 'multilabel_recall': {}, 'multilabel_f1': {}, 'multilabel_f_beta': {},
            'multilabel_jaccard': {}, 'subset_accuracy': {}, 'top_k_accuracy': {}, 'multiclass_average_precision': {},
            'rig': {'eps': 2.220446049250313e-16}, 'brier_skill': {},
            'auc': {}, 'average_precision': {}, 'pr_auc': {'method': 'trapezoid', 'start': 'one'},
            'log_loss': {'eps': 2.220446049250313e-16}, 'brier': {}, 'accuracy': {}, 'precision': {'zero_division': 0},
            'recall': {'zero_division': 0}, 'f1': {'zero_division': 0}, 'f_beta': {'zero_division': 0},
            'error_rate': {}, 'tp': {}, 'fp': {}, 'fn': {}, 'tn': {}, 'balanced_accuracy': {}, 'kappa': {},
            'positive_likelihood_ratio': {}, 'negative_likelihood_ratio': {},
            'mcc': {'zero_division': 0}, 'jaccard': {'zero_division': 0}, 'mse': {}, 'rmse': {}, 'mae': {}, 'r2': {},
            'median_absolute_error': {}, 'max_error': {}, 'explained_variance': {},
            'mape': {'zero_target': 2.220446049250313e-16}, 'msle': {}, 'rmsle': {}, 'pinball': {}, 'd2_pinball': {},
            'd2_absolute_error': {}, 'poisson_deviance': {}, 'gamma_deviance': {}, 'tweedie_deviance': {},
            'd2_tweedie': {},
        },
    }}) -%}
    {#- LightGBM ranks ties in input order; a column of row numbers as item= reproduces it -#}
    {%- do found.update({'lightgbm': {
        'ties': 'item',
        'every_list': {'on_empty': 'one'},
        'lists': {'ndcg': {}, 'map': {}},
        'others': {
            'auc': {}, 'average_precision': {}, 'log_loss': {}, 'mse': {}, 'rmse': {}, 'mae': {},
            'mape': {'zero_target': 1}, 'pinball': {'quantile': 0.9}, 'huber': {'delta': 0.9},
        },
    }}) -%}
    {%- do found.update({'xgboost': {
        'ties': 'item',
        'every_list': {},
        'lists': {
            'ndcg': {'on_empty': 'one'}, 'map': {'on_empty': 'one'},
            'precision_at': {'on_empty': 'zero', 'denominator': 'listed'},
        },
        'others': {'auc': {}, 'log_loss': {'eps': 1e-16}, 'rmse': {}, 'mae': {}, 'rmsle': {}},
    }}) -%}
    {#- RankingMetrics takes ordered lists without scores -#}
    {%- do found.update({'spark': {
        'ties': 'average',
        'every_list': {'on_empty': 'zero'},
        'lists': {'ndcg': {}, 'map': {}, 'precision_at': {}, 'recall_at': {}},
        'others': {
            'auc': {}, 'pr_auc': {'method': 'trapezoid'}, 'log_loss': {}, 'mse': {}, 'rmse': {}, 'mae': {}, 'r2': {},
        },
    }}) -%}
    {#- ranx documents no order of ties -#}
    {%- do found.update({'ranx': {
        'ties': 'average',
        'every_list': {'on_empty': 'zero'},
        'lists': {
            'ndcg': {'gain': 'linear'}, 'dcg': {'gain': 'linear'}, 'map': {'denominator': 'relevant'}, 'mrr': {},
            'hit_rate': {}, 'precision_at': {}, 'recall_at': {}, 'f1_at': {}, 'r_precision': {},
        },
        'others': {},
    }}) -%}
    {#- TorchMetrics averages over ties in nDCG; for other metrics it documents no order of ties -#}
    {%- do found.update({'torchmetrics': {
        'ties': 'average',
        'every_list': {'on_empty': 'zero'},
        'lists': {
            'ndcg': {'gain': 'linear'}, 'map': {'denominator': 'hits'}, 'mrr': {}, 'hit_rate': {}, 'precision_at': {},
            'recall_at': {}, 'r_precision': {},
        },
        'others': {
            'auc': {}, 'average_precision': {}, 'mse': {}, 'rmse': {}, 'mae': {}, 'r2': {}, 'explained_variance': {},
            'msle': {}, 'mape': {'zero_target': 1.17e-6}, 'pearson': {}, 'spearman': {},
            'kendall_tau': {}, 'kappa': {}, 'recall_at_precision': {}, 'precision_at_recall': {}, 'tpr_at_fpr': {},
        },
    }}) -%}
    {%- do found.update({'recbole': {
        'ties': 'average',
        'every_list': {},
        'lists': {
            'ndcg': {'gain': 'binary'}, 'map': {}, 'mrr': {}, 'hit_rate': {}, 'precision_at': {}, 'recall_at': {},
            'gauc': {'weight': 'positives'},
        },
        'others': {
            'auc': {}, 'log_loss': {}, 'rmse': {}, 'mae': {}, 'exposure_gini': {}, 'average_popularity': {},
        },
    }}) -%}
    {#- RecTools takes ranks, not scores; the ideal of nDCG has k relevant items even if the user has fewer -#}
    {%- do found.update({'rectools': {
        'ties': 'average',
        'every_list': {},
        'lists': {
            'ndcg': {'gain': 'binary', 'ideal': 'cutoff'}, 'map': {'denominator': 'relevant'}, 'mrr': {},
            'hit_rate': {}, 'precision_at': {}, 'recall_at': {}, 'f1_at': {}, 'f_beta_at': {}, 'pauc_at': {},
        },
        'others': {
            'catalog_coverage': {}, 'average_popularity': {}, 'novelty': {'popularity': 'users'}, 'serendipity': {},
        },
    }}) -%}
    {%- do return(found) -%}
{%- endmacro %}

{#
  A convention by name; none gives the defaults of sqlmetrics, as in the signatures.

  Errors: an unknown name
#}
{% macro convention(name) -%}
    {%- if name is none -%}
        {%- do return({'ties': 'average', 'every_list': {}, 'lists': {}, 'others': {}}) -%}
    {%- elif name not in sqlmetrics.conventions() -%}
        {{- sqlmetrics.refuse("Unknown convention '" ~ name ~ "'. Known: " ~ sqlmetrics.conventions() | join(', ')) -}}
    {%- endif -%}
    {%- do return(sqlmetrics.conventions()[name]) -%}
{%- endmacro %}

{# The options of a metric's macro under a convention (see `convention`); none if the library has no such metric. #}
{% macro conventional(convention, macro) -%}
    {%- set metric = macro | replace('metric_', '', 1) -%}
    {%- if metric in convention['lists'] -%}
        {%- do return(dict(convention['every_list'], **convention['lists'][metric])) -%}
    {%- endif -%}
    {%- do return(convention['others'].get(metric)) -%}
{%- endmacro %}

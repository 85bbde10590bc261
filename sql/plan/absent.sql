{#
  Names of other libraries for what is no metric here, each with what to write instead, or with what is nearest.

  An answer writes a metric as a notation that can be copied, a public function as `sqlmetrics.drift`, which is a
  command and a macro, too, and a curve as "sqlmetrics.curve with 'roc'".

  Returns: name in lower case -> the rest of the sentence. `(k)` stands for the number at the end of a name, `@k` for a
    cutoff
#}
{% macro absent_names() -%}
    {%- set lists = "is a count, not a metric: the result has n_groups, the lists" -%}
    {%- set subtopics = "is not here; the measures of subtopics are alpha_ndcg@10, err_ia@10 and subtopic_recall@10" -%}
    {%- set users = "is not here; the models of a user are err@10 and rbp" -%}
    {%- set own = "is a measure of trec_eval alone, which is not here; graded ones are ndcg, q_measure and rbp" -%}
    {%- set several = "is several measures; name each, such as map, P_10 and ndcg_cut_10" -%}
    {#- what a function of its own answers -#}
    {%- set moved = "compares a column of two tables or periods, which sqlmetrics.drift does" -%}
    {%- set kullback = "is not here; psi, which sqlmetrics.drift has, is its sum in both directions" -%}
    {%- set smirnov = "is ks here, between the scores of positive and negative rows; sqlmetrics.drift tests a column"
        ~ " against a reference" -%}
    {%- set counts = "is about counts of categories, not predictions; write sqlmetrics.chi_square" -%}
    {%- set test = "is about a difference, not a metric; sqlmetrics.compare tests two models, DeLong's for auc" -%}
    {%- set shares = "is a test of two shares, not a metric; write sqlmetrics.two_proportions" -%}
    {%- set planned = "is about the plan of a comparison, not a metric; write sqlmetrics.sample_size" -%}
    {%- set report = "is a table of all classes, not a metric; write sqlmetrics.class_report" -%}
    {%- set roc = "is a curve, not a metric; write sqlmetrics.curve with 'roc', or auc for its area" -%}
    {%- set pr = "is a curve, not a metric; write sqlmetrics.curve with 'precision_recall', or average_precision" -%}
    {%- set reliability = "is a curve, not a metric; write sqlmetrics.curve with 'calibration', or ece" -%}
    {%- set gains = "is a curve, not a metric; write sqlmetrics.curve with 'gain', or lift(share=0.1) and"
        ~ " capture(share=0.1) for a point" -%}
    {%- set benefit = "is a curve, not a metric; write sqlmetrics.curve with 'net_benefit'" -%}
    {%- set treated = "is a curve, not a metric; write sqlmetrics.curve with 'qini(treatment=treated)'" -%}

    {#- no metrics of this kind -#}
    {%- set words = "compares texts, and sqlmetrics has no metric of texts; accuracy with prediction= is the share of"
        ~ " equal ones" -%}
    {%- set clusters = "is of clusters, and sqlmetrics has no metric of clusters; kappa with prediction= is the"
        ~ " agreement of two classes" -%}
    {%- set images = "is of images, and sqlmetrics has no metric of images; mse and mae are errors of numbers" -%}
    {%- set boxes = "is map of boxes in images, which is not here; average_precision is of rows, map@10 of lists" -%}
    {%- set summary = "describes one column; of those there are mean(column=latency), total(column=cost),"
        ~ " quantile(column=latency, q=0.5), rate(where='latency > 2'); write others in SQL" -%}
    {%- set fitted = "is of a fitted model and its parameters, which a table of predictions lacks; log_loss and"
        ~ " adjusted_r2(features=5) are nearest" -%}
    {%- set players = "is a rating from battles of two models, not a metric; sqlmetrics.bradley_terry ranks models from"
        ~ " battles, and win_rate(against=baseline) is a share of wins" -%}

    {#- another name here -#}
    {%- set nll = "is log_loss here, and multiclass_log_loss for several classes" -%}
    {%- set kendall = "is kendall_tau here" -%}
    {%- set overlap = "is rbo@10 here, of the rankings by score and by label" -%}
    {%- set psndcg = "is ips_ndcg(propensity=p)@10 here, and ips_dcg(propensity=p)@10 without an ideal order" -%}
    {%- set sets = "is set_coverage(threshold=0.1) here, with set_size and size_stratified_coverage, where scores"
        ~ " of classes are given" -%}
    {%- set corr = "is pearson here, and spearman for ranks" -%}
    {%- set prevalence = "is base_rate here, the share of positive rows" -%}
    {%- set youden = "is informedness here; ks is its greatest size at any threshold" -%}
    {%- set overlapping = "is jaccard here, of rows" -%}
    {%- set f_measure = "is f1 here, and f_beta(beta=2) where recall counts twice as much" -%}
    {%- set f2 = "is f_beta(beta=2) here" -%}
    {%- set classes = " here, with prediction=, the predicted class" -%}
    {%- set top_k = "is top_k_accuracy@5 here, a metric of lists: group= is the example, an item is a class" -%}
    {%- set signed = "is bias here, the mean of score - label" -%}
    {%- set median_percentage = "is not here; mape is the mean of these errors, median_absolute_error a median" -%}
    {%- set scaled = "has several definitions and is not here; r2 is relative to the spread of the label, wape to its"
        ~ " size" -%}
    {%- set nash = "is r2 here" -%}
    {%- set pairs_in_order = "is auc here for labels of two classes; sqlmetrics has none of censored times" -%}
    {%- set raters = "is of several raters, which is not here; kappa is of two, concordance of two numbers" -%}
    {%- set ranked = "is a test of models over several tasks, not a metric; write sqlmetrics.leaderboard" -%}
    {%- set agreed = "is of several raters; write sqlmetrics.agreement" -%}
    {%- set qwk = "is kappa(weights=quadratic)" ~ classes -%}
    {%- set bins = "is ece(bins=15) here, and mce for the greatest error of a bin" -%}
    {%- set calibrated = "is not here; spiegelhalter_z tests whether probabilities are calibrated" -%}
    {%- set parts = "is brier_reliability, brier_resolution and brier_uncertainty here" -%}
    {%- set parity = "is demographic_parity_difference(sensitive=sex) here, or"
        ~ " demographic_parity_ratio(sensitive=sex)" -%}
    {%- set impact = "is demographic_parity_ratio(sensitive=sex) here, the least selection rate over the greatest" -%}
    {%- set opportunity = "is equal_opportunity_difference(sensitive=sex) here, or"
        ~ " equal_opportunity_ratio(sensitive=sex)" -%}
    {%- set odds = "is equalized_odds_difference(sensitive=sex) here, or equalized_odds_ratio(sensitive=sex)" -%}
    {%- set equal_errors = "is not here; break_even is the point where precision equals recall" -%}
    {%- set partial = "is auc(max_fpr=0.1) here" -%}
    {%- set ratio_of_rates = "is positive_likelihood_ratio here" -%}
    {%- set all_of_k = "is written pass_all@4 here" -%}
    {%- set threshold = "is best_f1_threshold here, or ks_threshold" -%}
    {%- set reciprocal = "is mrr@10 here" -%}
    {%- do return({
        'numq': lists, 'num_q': lists,
        'num_nonrel_judged_ret': "is a count, not a metric; judged@10 is the share of judged items",
        'relative_p': "needs a cutoff; write relative_P_10",
        'ndcg_cut': "needs a cutoff; write ndcg_cut_10", 'map_cut': "needs a cutoff; write map_cut_10",
        'iprec_at_recall': "needs a recall level; write iprec_at_recall_0.10",
        'iprec': "needs a recall level; write IPrec@0.5",
        'official': several, 'all_trec': several,
        'nrbp': subtopics, 'nnrbp': subtopics, 'ap_ia': subtopics, 'map_ia': subtopics, 'p_ia': subtopics,
        'bpm': users, 'inst': users, 'insq': users, 'sdcg': users, 'nerr8': users, 'nerr9': users, 'nerr10': users,
        'nerr11': users, 'bing': own, 'ndcg_rel': own, 'rndcg': own, 'utility': own,
        'compat': "is likeness to an ideal order, which is not here; ndcg compares gains with those of that order",
        'rprec_mult_(k)': "is precision at a multiple of R, which is not here; r_precision is that at R",
        'gm_bpref': "is not here; gmap is the geometric mean of average precision, bpref the arithmetic mean of bpref",
        'alpha_dcg': "is alpha_ndcg(ideal=cutoff)@10 here, from a cutoff of 2 on",
        'α_dcg': "is alpha_ndcg(ideal=cutoff)@10 here, from a cutoff of 2 on",
        'psi': moved, 'population_stability_index': moved, 'jensen_shannon': moved, 'js_divergence': moved,
        'hellinger': moved, 'total_variation': moved, 'wasserstein': moved, 'emd': moved, 'data_drift': moved,
        'drift': moved,
        'kl': kullback, 'kl_divergence': kullback,
        'ks_test': smirnov, 'ks_2samp': smirnov, 'ks_statistic': smirnov, 'kolmogorov_smirnov': smirnov,
        'chi2': counts, 'chi_square': counts, 'chisquare': counts, 'chi2_contingency': counts, 'cramers_v': counts,
        'delong': test, 'roc_test': test, 't_test': test, 'ttest': test, 'paired_t_test': test, 'wilcoxon': test,
        'sign_test': test, 'permutation_test': test, 'p_value': test,
        'z_test': shares, 'two_proportions': shares, 'proportions_ztest': shares,
        'power': planned, 'sample_size': planned, 'minimum_detectable': planned,
        'classification_report': report, 'class_report': report, 'precision_recall_fscore_support': report,
        'roc_curve': roc,
        'det_curve': "is a curve here; write sqlmetrics.curve with 'det'",
        'pr_curve': pr, 'precision_recall_curve': pr,
        'calibration_curve': reliability, 'reliability_curve': reliability, 'reliability_diagram': reliability,
        'lift_chart': gains, 'lift_curve': gains, 'gain_chart': gains, 'gains_chart': gains, 'gain_curve': gains,
        'cumulative_gains': gains, 'cumulative_gain_curve': gains,
        'decision_curve': benefit, 'net_benefit_curve': benefit,
        'qini_curve': treated, 'uplift_curve': treated,
        'wer': words, 'cer': words, 'bleu': words, 'sacrebleu': words, 'chrf': words, 'rouge': words,
        'rouge_l': words, 'meteor': words, 'bertscore': words, 'exact_match': words, 'edit_distance': words,
        'levenshtein': words,
        'silhouette': clusters, 'silhouette_score': clusters, 'rand_score': clusters, 'adjusted_rand_score': clusters,
        'mutual_info_score': clusters, 'normalized_mutual_info_score': clusters,
        'adjusted_mutual_info_score': clusters, 'v_measure_score': clusters, 'homogeneity_score': clusters,
        'completeness_score': clusters, 'davies_bouldin_score': clusters, 'calinski_harabasz_score': clusters,
        'fowlkes_mallows_score': clusters,
        'psnr': images, 'ssim': images, 'fid': images, 'inception_score': images, 'lpips': images,
        'map50': boxes, 'map_50': boxes, 'map_75': boxes,
        'avg': summary, 'average': summary, 'median': summary, 'std': summary, 'stddev': summary, 'var': summary,
        'variance': summary, 'min': summary, 'max': summary, 'sum': summary, 'percentile': summary,
        'aic': fitted, 'bic': fitted,
        'elo': players, 'bradley_terry': players, 'trueskill': players,
        'nll': nll, 'nll_loss': nll, 'negative_log_likelihood': nll, 'bce': nll, 'binary_cross_entropy': nll,
        'cross_entropy_loss': nll, 'categorical_crossentropy': nll, 'mlogloss': nll, 'multi_logloss': nll,
        'kendall': kendall,
        'rank_biased_overlap': overlap,
        'psndcg': psndcg, 'unbiased_ndcg': psndcg, 'snips_ndcg': psndcg,
        'conformal_coverage': sets, 'classification_coverage_score': sets, 'classification_mean_width_score': sets,
        'classification_ssc_score': sets, 'coverage_gap': sets,
        'corr': corr, 'correlation': corr, 'corrcoef': corr,
        'prevalence': prevalence, 'ctr': prevalence, 'cvr': prevalence, 'click_through_rate': prevalence,
        'conversion_rate': prevalence,
        'youden': youden, 'youden_j': youden, 'youden_index': youden, 'j_index': youden,
        'iou': overlapping, 'jaccard_index': overlapping, 'threat_score': overlapping,
        'critical_success_index': overlapping,
        'dice': f_measure, 'dice_score': f_measure, 'f_score': f_measure, 'f_measure': f_measure,
        'accuracy@k': top_k, 'accuracy_at_(k)': top_k, 'topk_accuracy': top_k, 'top_k_accuracy_score': top_k,
        'top_k_categorical_accuracy': top_k,
        'me': signed, 'mbe': signed, 'mean_error': signed, 'mean_bias_error': signed,
        'mdape': median_percentage, 'median_absolute_percentage_error': median_percentage,
        'nrmse': scaled, 'normalized_rmse': scaled, 'normalized_root_mean_squared_error': scaled,
        'nse': nash, 'nash_sutcliffe': nash,
        'c_index': pairs_in_order, 'concordance_index': pairs_in_order, 'c_statistic': pairs_in_order,
        'icc': raters, 'fleiss_kappa': agreed, 'krippendorff_alpha': agreed,
        'gwet_ac1': agreed, 'gwet_ac2': agreed, 'light_kappa': agreed,
        'percent_agreement': agreed, 'scott_pi': agreed,
        'friedman': ranked, 'nemenyi': ranked, 'critical_difference': ranked,
        'interleaving': "is win_rate(against=baseline) here, of the credit of each ranking",
        'qwk': qwk, 'weighted_kappa': qwk, 'quadratic_weighted_kappa': qwk,
        'calibration_error': bins,
        'hosmer_lemeshow': calibrated, 'spiegelhalter': "is spiegelhalter_z here",
        'brier_decomposition': parts, 'murphy_decomposition': parts,
        'calibration_in_the_large': "is calibration_intercept here", 'citl': "is calibration_intercept here",
        'cox_slope': "is calibration_slope here",
        'confidence_ece': "is top_label_ece here", 'static_calibration_error': "is classwise_ece here",
        'demographic_parity': parity, 'statistical_parity': parity, 'statistical_parity_difference': parity,
        'disparate_impact': impact, 'adverse_impact_ratio': impact,
        'equal_opportunity': opportunity,
        'equalized_odds': odds,
        'eer': equal_errors, 'equal_error_rate': equal_errors,
        'partial_auc': partial,
        'roc_auc_ovr': "is multiclass_auc(method=ovr) here", 'roc_auc_ovo': "is multiclass_auc(method=ovo) here",
        'mean_average_precision': "is map@10 here, of lists; average_precision is of rows",
        'expected_calibration_error': "is ece here",
        'pass^k': all_of_k, 'pass_hat_k': all_of_k, 'pass_hat_(k)': all_of_k, 'pass_all_at_k': all_of_k,
        'best_threshold': threshold, 'optimal_threshold': threshold,
        'reciprocal_rank': reciprocal, 'mean_reciprocal_rank': reciprocal,
        'mcnemar': "is a test of two classifiers, not a metric; write sqlmetrics.mcnemar",
        'confusion_matrix': "is a table, not a metric; write sqlmetrics.confusion_matrix, or tp, fp, fn, tn for cells",
        'perplexity': "is the exponential of log_loss, or of multiclass_log_loss for several classes; these are here",
        'hinge_loss': "is hinge here, of two classes and a margin",
        'ppv': "is precision here",
        'positive_predictive_value': "is precision here",
        'detection_prevalence': "is selection_rate here",
        'f2': f2, 'f2_score': f2, 'fbeta': f2, 'fbeta_score': f2,
        'f0.5': "is f_beta(beta=0.5) here",
        'f1_macro': "is f1(average=macro)" ~ classes, 'macro_f1': "is f1(average=macro)" ~ classes,
        'f1_micro': "is f1(average=micro)" ~ classes, 'micro_f1': "is f1(average=micro)" ~ classes,
        'f1_weighted': "is f1(average=weighted)" ~ classes, 'weighted_f1': "is f1(average=weighted)" ~ classes,
        'precision_macro': "is precision(average=macro)" ~ classes,
        'recall_macro': "is recall(average=macro)" ~ classes,
        'precision_micro': "is precision(average=micro)" ~ classes,
        'recall_micro': "is recall(average=micro)" ~ classes,
        'precision_weighted': "is precision(average=weighted)" ~ classes,
        'recall_weighted': "is recall(average=weighted)" ~ classes,
        'd2_log_loss_score': "is rig here", 'd2_brier_score': "is brier_skill here",
        'roc_auc_ovr_weighted': "is multiclass_auc(method=ovr, average=weighted) here",
        'roc_auc_ovo_weighted': "is multiclass_auc(method=ovo, average=weighted) here",
        'class_likelihood_ratios': "is positive_likelihood_ratio and negative_likelihood_ratio here",
        'relative_squared_error': "is 1 - r2 here",
        'brier_multi': "is multiclass_brier here",
        'lr_plus': ratio_of_rates,
        'sensitivity_at_specificity': "is tpr_at_fpr(fpr=0.1) here, for a specificity of 0.9",
        'recall_at_fixed_precision': "is recall_at_precision(precision=0.9) here",
        'precision_at_fixed_recall': "is precision_at_recall(recall=0.9) here",
        'average_recommendation_popularity': "is average_popularity@10 here", 'arp': "is average_popularity@10 here",
        'ild': "is diversity@10 here", 'intra_list_diversity': "is diversity@10 here",
        'item_coverage': "is catalog_coverage@10 here", 'itemcoverage': "is catalog_coverage@10 here",
        'coverage@k': "is of predicted intervals here; the share of items that are recommended is catalog_coverage@10",
        'entropy': "is not here; base_log_loss is the entropy of a label, exposure_entropy@10 of recommended items",
        'lift@k': "has no cutoff here; write lift(share=0.1), of the top share of rows",
        'mean_rank': "is not here; average_rank is the mean rank of relevant items, mrr that of 1 / rank of the first",
        'winkler_score': "is interval_score(lower=lo, upper=hi) here",
        'ndcg_at_(k)': "is written ndcg@10 here", 'precision_at_(k)': "is written precision@10 here",
        'recall_at_(k)': "is written recall@10 here", 'map_at_(k)': "is written map@10 here",
        'mrr_at_(k)': "is written mrr@10 here", 'hit_rate_at_(k)': "is written hit_rate@10 here",
        'pass_at_(k)': "is written pass@10 here",
        'ndcg_at_k': "is written ndcg@10 here", 'precision_at_k': "is written precision@10 here",
        'recall_at_k': "is written recall@10 here", 'map_at_k': "is written map@10 here",
        'pass_at_k': "is written pass@10 here",
    }) -%}
{%- endmacro %}

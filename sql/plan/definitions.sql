{#
  What each metric and curve is, for the head of a statement (head.sql). Made by `make readme` from the comments above
  them, which dbt cannot read.

  Returns: the name of a macro -> the first sentence of its comment
#}
{% macro definitions() -%}
    {%- do return({
        'curve_of_calibration':
            "Calibration curve, also called reliability diagram: the mean score and the share of positive rows in "
            ~ "bins of scores, with Wilson intervals of the shares",
        'curve_of_det':
            "Detection error tradeoff: the false positive rate and the false negative rate, the share of positive "
            ~ "rows that are missed, at every threshold, from the highest score down, used as `score >= threshold`",
        'curve_of_gain':
            "Cumulative gain and lift: the share of all positive rows that lie in the top shares of rows by score",
        'curve_of_net_benefit':
            "Decision curve: the net benefit at thresholds between 0 and 1, beside that of acting on every row and "
            ~ "on none",
        'curve_of_precision_recall':
            "Precision-recall curve: precision and recall at every threshold, from the highest score down, used as "
            ~ "`score >= threshold`",
        'curve_of_qini':
            "Qini curve: the positive rows that a treatment of the top share of rows adds, from the highest score "
            ~ "down",
        'curve_of_residuals':
            "Residuals of a regression: labels and errors in bins of the predicted numbers that hold equally many "
            ~ "rows, from the lowest predictions up",
        'curve_of_roc':
            "ROC curve: the false and the true positive rate at every threshold, from the highest score down, used "
            ~ "as `score >= threshold`",
        'curve_of_thresholds':
            "Threshold table: what deciding `score >= threshold` gives, a row for each threshold: how many rows are "
            ~ "selected, how many of them are right, what is missed, and what the mistakes cost",
        'metric_accuracy':
            "Accuracy: the share of rows whose label equals the decision `score >= threshold`, or the predicted "
            ~ "class",
        'metric_adjusted_r2':
            "Adjusted coefficient of determination: 1 - (1 - r2) (n - 1) / (n - features - 1) for n rows",
        'metric_alpha_ndcg':
            "Alpha-nDCG: the discounted gain of new subtopics over that of an ideal order",
        'metric_auc':
            "Area under the ROC curve: the probability that a positive row scores above a negative one, a tie "
            ~ "counts one half",
        'metric_auuc':
            "Area under the uplift curve: the area between the uplift curve and the line of a random order, as a "
            ~ "share of the perfect area",
        'metric_average_overlap':
            "Average overlap of score and label: the mean over the depths 1 to k of the share of items that both "
            ~ "tops have",
        'metric_average_popularity':
            "Average popularity: the mean over lists of the mean number of past interactions of the items in their "
            ~ "top k, an item without past interactions counts 0, and with an empty history all do",
        'metric_average_precision':
            "Average precision, the area under the precision-recall curve by steps: the sum over score levels of "
            ~ "the precision at the level times the recall it adds",
        'metric_average_rank':
            "Average rank: the mean rank of the listed relevant items",
        'metric_awrf':
            "Attention-weighted rank fairness (AWRF): 1 less the distance between the shares of the groups in the "
            ~ "exposure of a list and their shares among its items",
        'metric_balanced_accuracy':
            "Balanced accuracy: the mean of recall and specificity, with prediction=, the mean recall over the "
            ~ "classes that occur as labels",
        'metric_base_log_loss':
            "Log loss of the base rate, the entropy of the label: the log loss of a constant score, the share of "
            ~ "positive rows (of the slice)",
        'metric_base_rate':
            "Base rate: the share of positive rows",
        'metric_best_f1':
            "Best F1 over all thresholds",
        'metric_best_f1_threshold':
            "Threshold of the best F1: the highest score that reaches it, used as `score >= threshold`",
        'metric_best_f_beta':
            "Best F-beta over all thresholds",
        'metric_best_f_beta_threshold':
            "Threshold of the best F-beta: the highest score that reaches it, used as `score >= threshold`",
        'metric_bias':
            "Bias: the mean of score - label, positive if scores are too high",
        'metric_bpref':
            "Binary preference: the mean over the relevant items of the share of the first R judged non-relevant "
            ~ "items that rank below, where R is the number of relevant items",
        'metric_break_even':
            "Break-even point of precision and recall: their common value at the rank that equals the number of "
            ~ "positive rows",
        'metric_brier':
            "Brier score: the mean squared difference of probability and label",
        'metric_brier_reliability':
            "Reliability of the Brier score: the mean squared distance between the mean score and the share of "
            ~ "positive rows in a bin of scores",
        'metric_brier_resolution':
            "Resolution of the Brier score: the mean squared distance between the share of positive rows in a bin "
            ~ "of scores and that of all rows",
        'metric_brier_skill':
            "Brier skill score: 1 - Brier score / the Brier score of a constant score, the base rate (of the slice)",
        'metric_brier_uncertainty':
            "Uncertainty of the Brier score, the variance of the label: the Brier score of a constant score, the "
            ~ "share of positive rows (of the slice)",
        'metric_calibration_intercept':
            "Calibration intercept, also called calibration in the large: the intercept of the logistic regression "
            ~ "of the labels on the logits of the scores with a slope of 1",
        'metric_calibration_slope':
            "Calibration slope: the slope of the logistic regression of the labels on the logits of the scores",
        'metric_capture':
            "Capture, also called cumulative gain: the share of all positive rows that lie in the top share of rows "
            ~ "by score",
        'metric_catalog_coverage':
            "Catalog coverage: the share of the catalog's items that appear in the top k of at least one list",
        'metric_cg':
            "Cumulative gain: the sum of the gains of the top k",
        'metric_classwise_ece':
            "Classwise expected calibration error: for each class the mean distance between its score and the share "
            ~ "of examples of the class, in bins of this score, then the mean over the classes",
        'metric_concordance':
            "Concordance correlation coefficient (Lin): how close rows lie to the line score = label, 2 cov / "
            ~ "(variance of label + variance of score + (mean of label - mean of score)^2), with variances that "
            ~ "divide by n",
        'metric_copc':
            "Calibration ratio, COPC (clicks over predicted clicks): the number of positive rows / the sum of the "
            ~ "scores, above 1 if scores are too low",
        'metric_cost':
            "Cost of the decisions at a threshold: (fp * false positives + fn * false negatives) / rows, the mean "
            ~ "cost of a row",
        'metric_count':
            "Number of usable rows",
        'metric_coverage':
            "Coverage: the share of labels in a predicted interval, lower <= label <= upper",
        'metric_coverage_error':
            "Coverage error: how far down the labels of an example one has to go to find all that it has, those "
            ~ "that tie with the last one included",
        'metric_crps':
            "Continuous ranked probability score, from predicted quantiles: twice the mean of their pinball losses",
        'metric_d2_absolute_error':
            "D2 of the absolute error: 1 - mae / the mae of a constant score, the median of the label",
        'metric_d2_pinball':
            "D2 of the pinball loss: 1 - pinball loss / the pinball loss of a constant score, the quantile of the "
            ~ "label",
        'metric_d2_tweedie':
            "D2 of the Tweedie deviance: 1 - deviance / the deviance of a constant score, the mean of the label",
        'metric_dcg':
            "Discounted cumulative gain: the sum over ranks of gain / log(rank + 1)",
        'metric_debiased_calibration_error':
            "Debiased calibration error: the root mean squared calibration error without what chance adds to it",
        'metric_demographic_parity_difference':
            "Demographic parity difference: the greatest selection rate of the values of a column less the least "
            ~ "one",
        'metric_demographic_parity_ratio':
            "Demographic parity ratio: the least selection rate of the values of a column over the greatest one",
        'metric_disparate_treatment_ratio':
            "Disparate treatment ratio: the least exposure per relevance of a group, over the greatest",
        'metric_diversity':
            "Diversity, intra-list: the mean over lists of the mean distance of two items of their top k",
        'metric_doubly_robust':
            "Doubly robust estimate of a policy's value: the mean of expected + min(score / propensity, clip) * "
            ~ "(reward - predicted), where a model of rewards predicts the logged action, and expects the policy's "
            ~ "actions",
        'metric_ece':
            "Expected calibration error: the mean distance between the mean score and the share of positive rows in "
            ~ "a bin of scores, weighted by the rows of the bin",
        'metric_equal_opportunity_difference':
            "Equal opportunity difference: the greatest true positive rate of the values of a column less the least "
            ~ "one",
        'metric_equal_opportunity_ratio':
            "Equal opportunity ratio: the least true positive rate of the values of a column over the greatest one",
        'metric_equalized_odds_difference':
            "Equalized odds difference: the greater of the differences of true and of false positive rates between "
            ~ "the values of a column",
        'metric_equalized_odds_ratio':
            "Equalized odds ratio: the smaller of the ratios of true and of false positive rates between the values "
            ~ "of a column",
        'metric_err':
            "Expected reciprocal rank: the expected 1/rank at which a cascading user stops",
        'metric_err_ia':
            "Intent-aware ERR: the expected 1/rank at which a user stops",
        'metric_error_rate':
            "Error rate: 1 - accuracy",
        'metric_explained_variance':
            "Explained variance: 1 - variance of the error / variance of the label, which is r2 of the score "
            ~ "without its bias",
        'metric_exposure_entropy':
            "Shannon entropy of exposure, in bits: how evenly the places of the top k are shared among items",
        'metric_exposure_gini':
            "Gini index of exposure: how unequally the places of the top k are shared among all items of the "
            ~ "catalog, including those never shown, 0 if each item has the same number of places",
        'metric_exposure_parity_ratio':
            "Parity of exposure: the least exposure per item of a group, over the greatest",
        'metric_f1':
            "F1 at a threshold: the harmonic mean of precision and recall, 2 tp / (2 tp + fp + fn)",
        'metric_f1_at':
            "F1 at k: the harmonic mean of a list's precision@k and recall@k, 2 hits / (k + R), where R counts the "
            ~ "relevant items, listed or not",
        'metric_f_beta':
            "F-beta at a threshold: (1 + beta^2) P R / (beta^2 P + R), in which recall counts beta times as much as "
            ~ "precision",
        'metric_f_beta_at':
            "F-beta at k: (1 + beta^2) P R / (beta^2 P + R) of a list's precision and recall at k",
        'metric_false_discovery_rate':
            "False discovery rate: the share of rows predicted positive that are negative, 1 - precision",
        'metric_false_omission_rate':
            "False omission rate: the share of rows predicted negative that are positive, 1 - npv",
        'metric_fn':
            "False negatives: the positive rows that are predicted negative",
        'metric_fnr':
            "False negative rate, the miss rate: the share of positive rows that are predicted negative, 1 - recall",
        'metric_fp':
            "False positives: the negative rows that are predicted positive",
        'metric_fpr':
            "False positive rate: the share of negative rows that are predicted positive, 1 - specificity",
        'metric_g_mean':
            "Geometric mean of recall and specificity",
        'metric_gamma_deviance':
            "Mean gamma deviance, for amounts whose error grows with their size: the mean of 2 (ln(score / label) + "
            ~ "label / score - 1)",
        'metric_gauc':
            "Grouped AUC: the AUC inside each list, averaged over lists and weighted by their rows",
        'metric_gini':
            "Gini coefficient of a score, also called accuracy ratio or Somers' D: 2 AUC - 1",
        'metric_gmap':
            "Geometric mean average precision: exp of the mean of ln AP over lists, with AP raised to at least "
            ~ "0.00001",
        'metric_hinge':
            "Hinge loss, of a support vector machine: the mean of max(0, 1 - score) over positive rows and of "
            ~ "max(0, 1 + score) over negative ones",
        'metric_hit_rate':
            "Hit rate, also called success: 1 for a list with a relevant item in the top k, otherwise 0",
        'metric_huber':
            "Huber loss: half the squared error up to delta, and delta * (|error| - delta / 2) beyond",
        'metric_idcg':
            "Ideal discounted cumulative gain: the DCG of the ideal order, by which nDCG divides",
        'metric_infap':
            "Inferred average precision: AP estimated from a pool of which a random part is judged",
        'metric_informedness':
            "Informedness, Youden's J: recall + specificity - 1, 0 for decisions that ignore the label",
        'metric_interpolated_map':
            "Interpolated mean average precision: the mean of the interpolated precisions at equally spaced recall "
            ~ "levels, by default the eleven of 11-point average precision: 0, 0.1, ..., 1",
        'metric_interpolated_precision':
            "Interpolated precision at a recall level: the highest precision at any rank whose recall is at least "
            ~ "that level, 0 if the list never reaches it",
        'metric_interval_score':
            "Interval score, also called Winkler score: the mean of the width of a predicted interval, plus 2 / "
            ~ "alpha times the distance to a label outside of it",
        'metric_interval_width':
            "Interval width: the mean of upper - lower of a predicted interval",
        'metric_ips':
            "Inverse propensity score estimate of a policy's value: the mean of reward * min(score / propensity, "
            ~ "clip)",
        'metric_ips_dcg':
            "Discounted cumulative gain from clicks, weighted by inverse propensities: the sum over ranks of click "
            ~ "/ propensity / log2(rank + 1)",
        'metric_ips_ndcg':
            "nDCG from clicks, weighted by inverse propensities: the weighted DCG of a list over that of its best "
            ~ "order, by click / propensity",
        'metric_jaccard':
            "Jaccard index, also called the critical success index: tp / (tp + fp + fn)",
        'metric_judged':
            "Judged: the share of the top k that was judged, a shorter list is taken whole",
        'metric_kappa':
            "Cohen's kappa: the agreement of label and decision beyond chance, (observed - expected) / (1 - "
            ~ "expected)",
        'metric_kendall_tau':
            "Kendall's rank correlation, tau-b: the pairs of rows that label and score put in the same order, less "
            ~ "those in opposite orders, over the geometric mean of the pairs without a tie in the label and those "
            ~ "without one in the score",
        'metric_ks':
            "Kolmogorov-Smirnov statistic: the largest distance between the shares of positive and negative rows "
            ~ "above a score, max |TPR - FPR|",
        'metric_ks_threshold':
            "Threshold of the Kolmogorov-Smirnov statistic: the highest score at which the distance is largest, "
            ~ "used as `score >= threshold`",
        'metric_label_ranking_average_precision':
            "Label ranking average precision: the mean over the labels of an example of the share of right labels "
            ~ "among those that score at least as high, ties included",
        'metric_label_ranking_loss':
            "Label ranking loss: the share of pairs, of a label that the example has and one that it lacks, which "
            ~ "the scores order wrongly",
        'metric_lift':
            "Lift: the share of positive rows in the top share of rows by score, divided by their share in all rows",
        'metric_log_cosh':
            "Log-cosh loss: the mean of ln(cosh(score - label)), which is about half the squared error for small "
            ~ "errors and |error| - ln 2 for large ones",
        'metric_log_loss':
            "Log loss (cross-entropy): the mean of -ln p for positive rows and -ln(1 - p) for negative rows",
        'metric_long_tail_share':
            "Share of the long tail: the mean over lists of the share of their top k that lies outside the head",
        'metric_mae':
            "Mean absolute error",
        'metric_map':
            "Mean average precision: the sum of the precisions at the ranks of the relevant items in the top k, "
            ~ "divided by a denominator",
        'metric_mape':
            "Mean absolute percentage error: the mean of |score - label| / |label|, as a fraction: 0.1 is 10 %",
        'metric_markedness':
            "Markedness: precision + npv - 1, which is informedness with label and decision swapped",
        'metric_mase':
            "Mean absolute scaled error: the mean of |label - score| / naive_error, where naive_error is the mean "
            ~ "absolute error of the naive forecast on the training part of the series",
        'metric_max_error':
            "Max error: the largest absolute error of any row with a weight above 0",
        'metric_mcc':
            "Matthews correlation coefficient: the correlation of label and decision, with prediction=, its form "
            ~ "for any number of classes (R_K)",
        'metric_mce':
            "Maximum calibration error: the largest distance between the mean score and the share of positive rows "
            ~ "in any bin of scores",
        'metric_mean':
            "Mean of a column",
        'metric_median_absolute_error':
            "Median absolute error: half of the weight has an error at least as large, and half an error at most as "
            ~ "large",
        'metric_mrr':
            "Mean reciprocal rank: 1 / rank of the first relevant item, 0 if none is in the top k",
        'metric_mrr_all':
            "Mean reciprocal rank of every relevant item, not only of the first: the sum of 1 / rank over the "
            ~ "relevant items, divided by their number, listed or not",
        'metric_mse':
            "Mean squared error",
        'metric_msle':
            "Mean squared logarithmic error: the mean of (ln(1 + score) - ln(1 + label))^2",
        'metric_multiclass_auc':
            "Multiclass AUC: the AUC of each class's score over the examples, averaged over classes or pairs of "
            ~ "classes",
        'metric_multiclass_average_precision':
            "Multiclass average precision: the average precision of each class's score, with the examples of the "
            ~ "class as the positive ones and all others as negative, averaged over classes",
        'metric_multiclass_brier':
            "Multiclass Brier score: the mean over examples of the sum over classes of (p - y)^2, where y is 1 for "
            ~ "the class of the example and 0 for others",
        'metric_multiclass_log_loss':
            "Multiclass log loss (cross-entropy): the mean of -ln p, where p is the score of the class that the "
            ~ "example has",
        'metric_multilabel_f1':
            "Multilabel F1: 2 hits / (predicted + positive) of a label or an example, averaged over labels or "
            ~ "examples",
        'metric_multilabel_f_beta':
            "Multilabel F-beta: (1 + beta^2) hits / (predicted + beta^2 positive) of a label or an example, "
            ~ "averaged over labels or examples",
        'metric_multilabel_jaccard':
            "Multilabel Jaccard index: the right labels over those that are positive or predicted, averaged over "
            ~ "labels or examples",
        'metric_multilabel_precision':
            "Multilabel precision: the share of predicted labels that are right, averaged over labels or examples",
        'metric_multilabel_recall':
            "Multilabel recall: the share of the labels of the examples that are predicted, averaged over labels or "
            ~ "examples",
        'metric_ndcg':
            "Normalised discounted cumulative gain: DCG divided by the DCG of the ideal order",
        'metric_negative_likelihood_ratio':
            "Negative likelihood ratio: the false negative rate over the true negative rate, by which a negative "
            ~ "decision multiplies the odds that a row is positive",
        'metric_net_benefit':
            "Net benefit at a threshold: (true positives - false positives * threshold / (1 - threshold)) / rows",
        'metric_normalized_entropy':
            "Normalised entropy: log loss / log loss of the base rate, 1 for a score that only knows the base rate",
        'metric_novelty':
            "Novelty: the mean over lists of the mean self-information -log2(p) of the items in their top k, where "
            ~ "p is the share of past users who know the item",
        'metric_npv':
            "Negative predictive value: the share of rows predicted negative that are negative",
        'metric_num_rel':
            "Number of relevant items, listed or not, over all lists",
        'metric_num_rel_ret':
            "Number of relevant listed items, over all lists",
        'metric_num_ret':
            "Number of listed items, over all lists",
        'metric_overlap':
            "Overlap of score and label: the share of the top k of the one that the top k of the other has",
        'metric_pass_all_at':
            "Pass to the k: the mean over problems of the probability that all of k attempts, drawn without "
            ~ "replacement from the n attempts of the problem, are right: C(c, k) / C(n, k) if c are right",
        'metric_pass_at':
            "Pass at k: the mean over problems of the probability that at least one of k attempts, drawn without "
            ~ "replacement from the n attempts of the problem, is right: 1 - C(n - c, k) / C(n, k) if c are right",
        'metric_pauc_at':
            "Partial AUC at k: the share of correctly ordered pairs, among the pairs of a relevant item, listed or "
            ~ "not, and one of the first k other items of the list",
        'metric_pearson':
            "Pearson correlation of label and score",
        'metric_personalization':
            "Personalization: the mean over pairs of users of 1 - the cosine similarity of their top k, 1 if no two "
            ~ "users share an item",
        'metric_pinball':
            "Pinball loss, the loss of a predicted quantile: the mean of quantile * (label - score) for scores that "
            ~ "are too low and of (1 - quantile) * (score - label) for scores that are too high",
        'metric_poisson_deviance':
            "Mean Poisson deviance, for counts: the mean of 2 (label ln(label / score) - label + score)",
        'metric_positive_likelihood_ratio':
            "Positive likelihood ratio: the true positive rate over the false positive rate, by which a positive "
            ~ "decision multiplies the odds that a row is positive",
        'metric_pr_auc':
            "Area under the precision-recall curve, by steps as `average_precision` or by trapezoids",
        'metric_precision':
            "Precision at a threshold: the share of rows predicted positive that are positive",
        'metric_precision_at':
            "Precision at k: the share of the top k that is relevant",
        'metric_precision_at_recall':
            "Precision at a recall: the largest precision of any threshold whose recall is at least the given one",
        'metric_q_measure':
            "Q-measure: the sum of the blended ratio over the relevant items, divided by their number",
        'metric_qini':
            "Qini coefficient: the area between the Qini curve and the line of a random order, as a share of the "
            ~ "perfect area",
        'metric_quantile':
            "Quantile of a column: a value with at least the share q of the weight at or below it, and at least the "
            ~ "rest at or above it, if a gap between two rows divides the weight exactly, the mean of the two values",
        'metric_quantile_loss':
            "Quantile loss: the mean over rows and predicted quantiles of the pinball loss, which is level * (label "
            ~ "- quantile) for a quantile that is too low and (1 - level) * (quantile - label) for one that is too "
            ~ "high",
        'metric_r2':
            "Coefficient of determination: 1 - squared error / squared deviation of the label from its mean",
        'metric_r_precision':
            "R-precision: the share of the top R that is relevant, where R counts the relevant items of the list, "
            ~ "listed or not",
        'metric_r_score':
            "R-score: the utility of the list to a user whose chance to look on halves every half_life - 1 ranks, "
            ~ "divided by the utility of the ideal order",
        'metric_rate':
            "Rate of a condition: the share of rows for which it is true",
        'metric_rbo':
            "Rank-biased overlap of score and label: the overlap of both tops at each depth, of which depth r has "
            ~ "the weight (1 - p) p^(r - 1), and the overlap at the last depth all deeper ones, RBO_ext",
        'metric_rbp':
            "Rank-biased precision: the expected gain of a user who goes on to the next item with probability p, (1 "
            ~ "- p) times the sum of gain * p^(rank - 1)",
        'metric_rbp_residual':
            "Residual of rank-biased precision: the RBP that would be added if all unjudged listed items, and all "
            ~ "items below the list or its cutoff, turned out to have the highest grade",
        'metric_recall':
            "Recall at a threshold: the share of positive rows that are predicted positive",
        'metric_recall_at':
            "Recall at k: the share of the relevant items, listed or not, that are in the top k",
        'metric_recall_at_precision':
            "Recall at a precision: the largest recall of any threshold whose precision is at least the given one",
        'metric_relative_mae':
            "Relative mean absolute error: the sum of |label - score| over the sum of |label - naive|, the errors "
            ~ "of a naive forecast of the same rows",
        'metric_rig':
            "Relative information gain: 1 - normalised entropy, scikit-learn calls it D2 of the log loss",
        'metric_rms_calibration_error':
            "Root mean squared calibration error: the root of the mean squared distance between the mean score and "
            ~ "the share of positive rows in a bin of scores, weighted by the rows of the bin",
        'metric_rmse':
            "Root mean squared error",
        'metric_rmsle':
            "Root mean squared logarithmic error",
        'metric_rmspe':
            "Root mean squared percentage error: the root of the mean of ((label - score) / label)^2, as a "
            ~ "fraction: 0.1 is 10 %",
        'metric_selection_rate':
            "Selection rate: the share of rows that are predicted positive",
        'metric_sensitivity':
            "Sensitivity: recall under another name",
        'metric_serendipity':
            "Serendipity: the mean over lists of the mean over their top k of how much earlier a relevant item is "
            ~ "recommended than its popularity suggests",
        'metric_set_coverage':
            "Coverage of prediction sets: the share of examples whose class is in their set",
        'metric_set_f1':
            "F1 of the set: the harmonic mean of its precision and recall, 2 hits / (n + R) for n listed and R "
            ~ "relevant items",
        'metric_set_f_beta':
            "F-beta of the set: (1 + beta^2) P R / (beta^2 P + R) of its precision and recall",
        'metric_set_map':
            "Average precision of the set: its precision times its recall, which average precision is if each "
            ~ "relevant item adds the precision of the whole set",
        'metric_set_precision':
            "Precision of the set: the share of the listed items that is relevant",
        'metric_set_recall':
            "Recall of the set: the share of the relevant items, listed or not, that are listed",
        'metric_set_size':
            "Size of prediction sets: the mean number of classes in the set of an example",
        'metric_size_stratified_coverage':
            "Size-stratified coverage: the least coverage of the examples whose sets have the same number of "
            ~ "classes",
        'metric_smape':
            "Symmetric mean absolute percentage error: the mean of 2 |score - label| / (|score| + |label|), as a "
            ~ "fraction",
        'metric_snips':
            "Self-normalised inverse propensity score estimate of a policy's value: the sum of reward * min(score / "
            ~ "propensity, clip) over the sum of these weights",
        'metric_spearman':
            "Spearman's rank correlation: the Pearson correlation of the ranks of label and score, tied values "
            ~ "share their mean rank",
        'metric_specificity':
            "Specificity at a threshold: the share of negative rows that are predicted negative",
        'metric_spiegelhalter_z':
            "Spiegelhalter's z: the Brier score less the one expected of calibrated scores, in standard errors",
        'metric_subset_accuracy':
            "Subset accuracy: the share of examples all of whose labels are predicted, and no other one",
        'metric_subtopic_recall':
            "Subtopic recall: the share of subtopics served by the top k",
        'metric_success':
            "Success at k, another name of `hit_rate`: 1 for a list with a relevant item in the top k, otherwise 0",
        'metric_tn':
            "True negatives: the negative rows that are predicted negative",
        'metric_tnr':
            "True negative rate: specificity under another name",
        'metric_top_k_accuracy':
            "Top-k accuracy: the share of examples whose class is among the k classes with the highest scores",
        'metric_top_label_ece':
            "Expected calibration error of the top label, also called confidence ECE: the mean distance between the "
            ~ "highest score of an example and the share of examples whose class has it, in bins of these scores",
        'metric_total':
            "Sum of a column over all rows",
        'metric_tp':
            "True positives: the positive rows that are predicted positive",
        'metric_tpr':
            "True positive rate: recall under another name",
        'metric_tpr_at_fpr':
            "True positive rate at a false positive rate: the largest recall of any threshold whose false positive "
            ~ "rate is at most the given one",
        'metric_tweedie_deviance':
            "Mean Tweedie deviance, for a distribution whose variance is a power of its mean: 0 is normal (squared "
            ~ "error), 1 is Poisson, between 1 and 2 are amounts with zeros, 2 is gamma, 3 is inverse Gaussian",
        'metric_uplift':
            "Uplift in the top share of rows by score: the share of positive rows among the treated ones less that "
            ~ "among the control",
        'metric_user_coverage':
            "User coverage: the share of users who are recommended at least k items, or at least one without a "
            ~ "cutoff",
        'metric_wape':
            "Weighted absolute percentage error: the sum of |score - label| / the sum of |label|, as a fraction",
        'metric_win_rate':
            "Win rate: the share of rows in which the score is above that of an opponent, a tie counts one half",
        'metric_wis':
            "Weighted interval score of predicted quantiles: the mean over central intervals and the median of "
            ~ "their interval scores times alpha / 2, and half of the absolute error of the median",
    }) -%}
{%- endmacro %}

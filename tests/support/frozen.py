"""The metrics that CALLS asks for together, as they were: a metric that comes later has statements of its own.

So who adds a metric changes the line of no other (support/statements.py), and two who add one change no line twice.
A metric that is renamed or removed is so here, too.
"""

from __future__ import annotations


def frozen(notations: str) -> dict[str, str]:
    """The notations between semicolons, each with a name."""
    found = (" ".join(notation.split()) for notation in notations.split(";"))
    return {f"m{i}": notation for i, notation in enumerate(found)}


ROWS = frozen("""
    balanced_accuracy; g_mean; informedness; markedness; mcc; kappa; jaccard;
    win_rate(against=opponent); ece(bins=15); mce(bins=15); count; base_rate; accuracy(threshold=0.3);
    error_rate; precision(threshold=0.3); recall(threshold=0.3); specificity; f1(threshold=0.3);
    f_beta(beta=2); tp(threshold=0.3); fp; fn; tn; tpr; sensitivity; tnr; fpr; fnr; npv;
    false_discovery_rate; false_omission_rate; pearson; spearman; concordance;
    cost(threshold=0.2, fp=1, fn=5); net_benefit(threshold=0.2); poisson_deviance; gamma_deviance;
    tweedie_deviance(power=1.5); d2_tweedie(power=1); selection_rate(threshold=0.3);
    coverage(lower=low, upper=high); interval_width(lower=low, upper=high);
    interval_score(lower=low, upper=high, alpha=0.2);
    quantile_loss(quantiles='0.1: q10, 0.5: q50, 0.9: q90');
    wis(quantiles='0.1: q10, 0.5: q50, 0.9: q90'); crps(quantiles='0.25: q25, 0.5: q50, 0.75: q75');
    mase(naive_error=training_error); relative_mae(naive=last_week); auc(max_fpr=0.1); gini;
    average_precision; pr_auc(method=trapezoid); ks; pinball(quantile=0.9); huber(delta=2); log_cosh;
    d2_pinball(quantile=0.9); d2_absolute_error; ips(propensity=propensity, clip=10);
    snips(propensity=propensity);
    doubly_robust(propensity=propensity, predicted=predicted, expected=expected); log_loss; brier; copc;
    base_log_loss; normalized_entropy; rig; brier_skill; mse; rmse; mae; bias; median_absolute_error;
    max_error; r2; adjusted_r2(features=3); explained_variance; mape(zero_target=error); rmspe; smape;
    wape; msle; rmsle; break_even; best_f1; best_f1_threshold; best_f_beta(beta=2);
    best_f_beta_threshold(beta=2); recall_at_precision(precision=0.8); precision_at_recall(recall=0.8);
    tpr_at_fpr(fpr=0.01); lift(share=0.05); capture(share=0.05); ks_threshold; qini(treatment=treated);
    auuc(treatment=treated); uplift(treatment=treated, share=0.3)
""")
SUBSETS = frozen("""
    demographic_parity_difference(sensitive=country); demographic_parity_ratio(sensitive=country);
    equal_opportunity_difference(sensitive=country); equal_opportunity_ratio(sensitive=country);
    equalized_odds_difference(sensitive=country); equalized_odds_ratio(sensitive=country);
    multilabel_precision(average=macro); multilabel_recall(average=samples);
    multilabel_f1(average=macro); multilabel_jaccard(average=samples); subset_accuracy
""")
LISTS = frozen("""
    pass@2; err@10; idcg@10; rbp(p=0.95)@10; rbp_residual(p=0.95)@10; r_score(half_life=10);
    q_measure(beta=1); bpref; infap; judged@10; top_k_accuracy@3; label_ranking_average_precision;
    coverage_error; label_ranking_loss; ndcg(gain=linear)@10; dcg(gain=linear)@5; cg@5; map@10; mrr@10;
    hit_rate@10; precision@10; recall(average=micro)@10; gauc(weight=positives); f1@10;
    f_beta(beta=2)@10; success@10; r_precision; mrr_all; average_rank; pauc@10;
    interpolated_precision(recall=0.1); interpolated_map; gmap;
    recall(denominator=capped)@10; set_precision; set_recall(denominator=capped); set_f1; set_f_beta(beta=2); set_map;
    num_ret; num_rel(average=mean); num_rel_ret
""")
SUBTOPICS = frozen("""
    alpha_ndcg@10; err_ia@10; subtopic_recall@10
""")
ITEMS = frozen("""
    catalog_coverage@10; user_coverage@10; exposure_gini@10; exposure_entropy@10; personalization@10;
    average_popularity@10; novelty(popularity=interactions)@10; long_tail_share(head=0.8)@10;
    diversity@10; serendipity@10
""")
#: Those of classes with scores, of which CALLS has other notations.
CLASSES = frozen("multiclass_log_loss; multiclass_brier; multiclass_auc(method=ovr)")

TOGETHER = {
    notation for part in (ROWS, SUBSETS, LISTS, SUBTOPICS, ITEMS, CLASSES) for notation in part.values()
}

{#
  Comparison of models: the difference of a metric between a baseline and a candidate, with its interval and
  test.

  Args:
    relation, metrics: as for `evaluate`. A metric of lists (`ndcg@10`, `gauc`) is compared list by list. A
      metric of sums over rows (`brier`, `rmse`, `precision`), AUC and average precision are compared by the
      contributions of each `group`, or row by row without one. Any other metric is compared by the bootstrap
    baseline: the model with which others are compared: the column of its score, or its name in `score`
    candidate: the column of another score, a list of columns, or a mapping of names to columns; with `score` names,
      all others if none
    score: the models, as for `evaluate`: a list of columns, or a mapping of names to columns; one column where models=
      or the tables name the models
    other: a second relation that holds the candidates, with the same columns of label (unless there is a
      truth), group, item, weight and by. Its groups are paired with those of the first by their key
    paired: false if other holds other data, such as other users or another week: two independent samples,
      whose units (lists; rows, or their groups) have a variance each
    test: the test of the pairs: t (Student's; the default, which for AUC is DeLong's, and for shares of rows such as
      accuracy and recall, row by row without weight, McNemar's with one row more on either side; of ratios over
      decided rows such as precision, and functions of counts such as mcc, with the variance of models that are alike,
      inference/pooled.sql), wilcoxon (signed
      ranks: exact for up to 25 differences that are not 0, tied or not, else by the normal approximation), sign
      (always exact; for these shares McNemar's exact test) or randomisation (Fisher's), the last three on the
      groups' own values, whatever their weight; bootstrap, for every metric: both models in replicates of the
      data that draw the same groups, or rows; or anytime, for the metrics of t: an interval and a p-value that may be
      looked at as often as data come, and the first look that finds a difference may be the last
      (inference/anytime.sql)
    tightest_at: with test=anytime the number of groups (rows, without group=) at which the interval is tightest, an
      integer from 30; 400 if none. It is chosen before the data
    pairs: the models that are compared: baseline, each candidate with the baseline; or all, each model with those
      named before it
    correction: correction of the p-values of a family of tests: holm (the probability of any false finding), bh
      (Benjamini and Hochberg, the share of false findings) or none
    family: the tests that are corrected together: metric, the pairs of models of each metric and slice (the default);
      or all, every row of the result: pairs, metrics, slices and the total
    margin: the smallest difference that matters, a number above 0, or a mapping of metrics to such numbers; adds a
      verdict
    power: the probability of detecting a difference of `minimum_detectable`, from 0.5 to 0.999999
    gold: the label by people, NULL in rows where they gave none; the labels of `label` are then those of a machine,
      which are corrected. The test is Student's t of the corrected difference; both values take the power of the judge
      that makes it most certain, so they may differ a little from those of `evaluate`
    gold_weight: as for `evaluate`
    on_unpaired: treatment of groups with a value for only one of two models: error (counted, and the values
      are null), or intersection: both models are computed over the groups with both values, if the metric is
      a ratio of sums over groups
    total_of: rows, the difference over all rows together; or slices, the mean of the differences of the slices
      (inference/mean_of_slices.sql), by t or anytime: its test is named t for every metric, it has no wins, ties and
      losses, and n_pairs counts a group that lies in several slices once
    interval: the confidence level of the interval of the difference; 1 - interval is the level of the test in
      `minimum_detectable`
    n_resamples: number of draws of the randomisation test and the bootstrap; the bootstrap costs about this
      many times as much as its metrics, and 200 times more for replicates of replicates
    of_state: true if relation is a state of several models that was made with intervals=true. The other arguments are
      then those of `finish`; the test is t or anytime
    period: of a state, its column of periods
    made_where: of a state, the where= of `state`, if it was made of a part of the data
  Further arguments are those of `evaluate` that plan/options.sql has for it
  Returns: a query with one row for each slice, metric and candidate:
    the by columns, is_total, metric, candidate (their names), with pairs=all baseline before it
    baseline_value, candidate_value; difference, the second less the first; relative_difference, as a share of
      the baseline's size
    low, high: the interval of the difference, by Student's t, within the range that a difference of the metric
      has; for shares of rows the differences that McNemar's test does not reject; for a bootstrap by the reach of the
      replicates about their mean, so that it excludes 0 exactly if p_value is at most 1 - interval; null with fewer
      than 2 / (1 - interval) - 1 draws
    test (delong for AUC; mcnemar for shares of rows; wilcoxon_exact or wilcoxon_normal), its statistic and its
      two-sided p_value; with `correction` p_adjusted
    wins, ties, losses: groups (rows, without group=) in which the candidate's own value is better, the same
      or worse, for a loss lower, the same or higher; null for a metric that a single group does not have (`rmse`,
      `auc`, of rows `precision`) and for a bootstrap, and wins and losses for a metric without a better direction
      (`bias`, `base_rate`); n_pairs, the groups that count; n_unpaired, groups with a value for only one of the two
      models, for a bootstrap those that one model lacks
    minimum_detectable: the smallest difference that a test at this level would detect with this power on as
      many groups; null if it is beyond the range of the metric
    with margin: margin; p_equivalence, the larger p-value of the two one-sided tests that the difference is at most
      -margin, and at least margin; verdict, by the interval, turned so that higher is better: the first that holds of
      equivalent (within the margin on both sides, even without 0), better (above 0), worse (below 0), not worse (above
      -margin) and undecided; for a metric without a better direction equivalent, differs or undecided. Two one-sided
      tests at 5 % are those of interval=0.9: a row is equivalent exactly if p_equivalence is at most (1 - interval) / 2
    with gold: difference_judge, by the machine alone, difference_gold, by people alone, and n_effective, the number of
      labels by people that the interval is worth; with group= n_gold_groups, the groups with such labels; wins, ties
      and losses are null
    with paired=false the test is welch, or delong for AUC, both by Student's t with the degrees of freedom of
      Welch and Satterthwaite; a metric in a closed range is compared as a share (inference/samples.sql);
      n_baseline and n_candidate, the units of each, replace wins to n_unpaired
    the audit counts of `evaluate`, each from the model for which it is largest
  Undefined: no interval, statistic, p-value or verdict for fewer than two pairs, or if they do not vary (as for a
    model and itself), except for shares of rows by the default test; with paired=false for fewer than two units of a
    model, or, in an open range, if neither model varies
  Errors: a metric without a known spread, except with test=bootstrap; the same column as baseline and
    candidate; total_of=slices with another test than t and anytime, with gold=, paired=false or a state; a margin
    that is not above 0, or is of no metric of the call; as for `evaluate`, broken data give
    nulls and a count
  Source: paired t test: Student (1908), doi:10.2307/2331554; its linearisation for ratios and functions of
    sums: Cochran, Sampling Techniques (1977), 6.3; Welch (1947), doi:10.1093/biomet/34.1-2.28; AUC: DeLong,
    DeLong, Clarke-Pearson (1988), doi:10.2307/2531595, over groups Obuchowski (1997), doi:10.2307/2533958;
    McNemar (1947), doi:10.1007/BF02295996, one row more on either side: Bonett and Price (2012),
    doi:10.3102/1076998611411915; the variance at a margin: inference/equivalence.sql; bootstrap:
    inference/bootstrap_of_differences.sql; Holm (1979);
    Benjamini and Hochberg (1995)
  Example: {{ sqlmetrics.compare(ref('predictions'), ['ndcg@10', 'gauc'], 'score_a', 'score_b',
    label='clicked', group='user_id') }}
#}
{% macro compare(relation, metrics, baseline, candidate=none, other=none, score=none) -%}
    {%- set given, models = sqlmetrics.options_taken('compare', kwargs), {} -%}
    {%- set score = sqlmetrics.named_scores(score, given.get('models'), relation) -%}
    {%- for name, column in sqlmetrics.compared_models(baseline, candidate, other is not none, score).items() -%}
        {%- do models.update({name: column if other is none or loop.first else {'sql': column, 'relation': other}}) -%}
    {%- endfor -%}
    {%- set plan = sqlmetrics.compare_plan(metrics, score=models, relation=relation, **given) -%}
    {%- if given.get('of_state') -%}{{- sqlmetrics.check_pairs_of_state(plan) -}}{%- endif -%}
    {{- sqlmetrics.statement_of(plan) -}}
{%- endmacro %}

{#
  The models in the form of `score`, the baseline first: by their columns, or by their names in `score`. With two
  tables, a candidate may have the same column as the baseline.
#}
{% macro compared_models(baseline, candidate, two_tables=false, score=none) -%}
    {%- if score is not none -%}
        {%- do return(sqlmetrics.models_of_names(baseline, candidate, two_tables, score)) -%}
    {%- elif baseline is not string -%}
        {{- sqlmetrics.refuse("sqlmetrics.compare: baseline= takes a column or an SQL expression, got " ~ baseline) -}}
    {%- endif -%}
    {%- set models = {'baseline' if two_tables else baseline: baseline} -%}
    {%- for name in ([candidate] if candidate is string else candidate or []) -%}
        {%- set column = candidate[name] if candidate is mapping else name -%}
        {%- if column == baseline and not two_tables -%}
            {{- sqlmetrics.refuse(
                "candidate '" ~ name ~ "' is the column of the baseline, '" ~ baseline
                    ~ "'; a model is compared with another one"
            ) -}}
        {%- elif name in models -%}
            {{- sqlmetrics.refuse(
                "Two models are named '" ~ name
                    ~ "'; candidates with names of their own are written {'name': 'column'}"
            ) -}}
        {%- endif -%}
        {%- do models.update({name: column}) -%}
    {%- endfor -%}
    {%- if models | length < 2 -%}
        {{- sqlmetrics.refuse(
            "candidate= names no score to compare with '" ~ baseline ~ "'; pass a column, or all models as"
                ~ " score=['score_a', 'score_b']"
        ) -}}
    {%- endif -%}
    {%- do return(models) -%}
{%- endmacro %}

{# Models that `baseline` and `candidate` name; without a candidate, all of `score`. #}
{% macro models_of_names(baseline, candidate, two_tables, score) -%}
    {%- set score = sqlmetrics.named_scores(score) -%}
    {%- if two_tables -%}
        {{- sqlmetrics.refuse(
            "other= has the candidates, whose columns are baseline= and candidate=; leave it out where score=, models="
                ~ " or tables name the models"
        ) -}}
    {%- elif score is not mapping -%}
        {{- sqlmetrics.refuse(
            "score= of a comparison has several models, such as score=['score_a', 'score_b'], got " ~ score
        ) -}}
    {%- elif baseline is none -%}
        {{- sqlmetrics.refuse(
            "compare needs baseline=, the name of the model with which the others are compared. Models: "
                ~ score | join(', ')
        ) -}}
    {%- elif candidate is mapping -%}
        {{- sqlmetrics.refuse("candidate= takes names of models of score=, got " ~ candidate) -}}
    {%- endif -%}
    {%- set candidates = [candidate] if candidate is string else candidate or score | reject('eq', baseline) | list -%}
    {%- set models = {} -%}
    {%- for name in [baseline] + candidates -%}
        {%- if name not in score -%}
            {{- sqlmetrics.refuse(
                ('baseline' if loop.first else 'candidate') ~ "= names no model: '" ~ name ~ "'. Models: "
                    ~ score | join(', ')
            ) -}}
        {%- elif name in models -%}
            {{- sqlmetrics.refuse("'" ~ name ~ "' is named twice; a model is compared with another one") -}}
        {%- endif -%}
        {%- do models.update({name: score[name]}) -%}
    {%- endfor -%}
    {%- if models | length < 2 -%}
        {{- sqlmetrics.refuse("score= has no model beside the baseline, '" ~ baseline ~ "'; pass two at least") -}}
    {%- endif -%}
    {%- do return(models) -%}
{%- endmacro %}

{# The plan of `compare`: the plan of `evaluate` for the models, whose metrics are then read list by list. #}
{% macro compare_plan(
    metrics, score, relation=none, models=none, group=none, paired=true, test=none, correction=none, power=0.8,
    on_unpaired='error', interval=0.95, n_resamples=1000, margin=none, pairs='baseline', family=none, tightest_at=none,
    gold=none, gold_weight=none, of_state=false, period=none, total_of='rows', by=[], total=true
) -%}
    {%- set means = total_of == 'slices' -%}
    {%- if means -%}{{- sqlmetrics.check_mean_of_differences(by, total, test, paired, gold, of_state) -}}{%- endif -%}
    {{- sqlmetrics.check_compared_state(of_state, period, kwargs, paired, test, gold) -}}
    {%- set apart = sqlmetrics.has_own_rows(score, relation, models) -%}
    {{- sqlmetrics.check_pairing(apart, paired, test, on_unpaired, group) -}}
    {%- if gold_weight is not none -%}{{- sqlmetrics.check_gold_weight(gold) -}}{%- endif -%}
    {%- if gold is not none -%}{{- sqlmetrics.check_pairs_of_gold(paired, test, on_unpaired) -}}{%- endif -%}
    {%- set test = 't' if test is none or not paired else test -%}
    {%- for name, value, allowed in (
        ('test', test, ['t', 'wilcoxon', 'sign', 'randomisation', 'bootstrap', 'anytime']),
        ('correction', correction, ['holm', 'bh', none]),
        ('on_unpaired', on_unpaired, ['error', 'intersection']),
        ('pairs', pairs, ['baseline', 'all']),
        ('family', family, ['metric', 'all', none]),
    ) if value not in allowed -%}
        {{- sqlmetrics.refuse(
            name ~ ": '" ~ value ~ "' is not known. Allowed: " ~ allowed | reject('none') | join(', ')
        ) -}}
    {%- endfor -%}
    {%- if family is not none and correction is none -%}
        {{- sqlmetrics.refuse(
            "family='" ~ family ~ "' is of corrected p-values; pass correction='holm' or 'bh', or leave it out"
        ) -}}
    {%- elif pairs == 'all' and not paired -%}
        {{- sqlmetrics.refuse(
            "pairs='all' compares models on the same data; leave it out with paired=False, whose candidates are"
                ~ " compared with the baseline alone"
        ) -}}
    {%- elif tightest_at is not none and test != 'anytime' -%}
        {{- sqlmetrics.refuse(
            "tightest_at= is the number of units at which intervals of test='anytime' are tightest; pass this test, or"
                ~ " leave it out"
        ) -}}
    {%- endif -%}
    {{- sqlmetrics.check_level(interval) -}}
    {{- sqlmetrics.check_power(power) -}}
    {%- set resampled = test == 'bootstrap' -%}
    {%- set by_rows = group is none and paired and not resampled and not of_state -%}
    {%- set own = {
        'test': test, 'correction': correction, 'power': power, 'on_unpaired': on_unpaired, 'by_rows': by_rows,
        'call': 'compare', 'margins': {}, 'pairs': pairs, 'family': family or 'metric',
    } -%}
    {%- set question = sqlmetrics.question_of_kept_comparison(own) if of_state
        else sqlmetrics.question_of_comparison(paired, own, means) if gold is none
        else sqlmetrics.question_of_gold_comparison(own) -%}
    {%- set given = dict(
        kwargs, relation=relation, score=score, models=models, interval=interval, n_resamples=n_resamples,
        tightest_at=tightest_at, period=period, total_of=total_of, by=by, total=total and not means
    ) -%}
    {%- set plan = sqlmetrics.plan_of_arms(
            metrics, question, gold, gold_weight=gold_weight, group=group, **given
        ) if gold is not none
        else sqlmetrics.plan(
            metrics, question, group='sm_row_number' if by_rows else group,
            **(dict(given, interval_method=test) if test in ('bootstrap', 'anytime') else given)
        ) -%}
    {%- if n_resamples != 1000 and test not in ('randomisation', 'bootstrap') -%}
        {{- sqlmetrics.refuse(
            "n_resamples= is the number of draws of test='randomisation' and 'bootstrap'; leave it out, since test='"
                ~ test ~ "' draws nothing"
        ) -}}
    {%- endif -%}
    {%- if by_rows -%}
        {%- do sqlmetrics.with_facts(plan, read_once=true) -%}
    {%- endif -%}
    {%- if margin is not none -%}
        {%- do question['own'].update({'margins': sqlmetrics.margins_of(plan, margin)}) -%}
    {%- endif -%}
    {%- do plan['result'].update({'columns': sqlmetrics.columns_of_comparison(plan)}) -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# Rejects what a state cannot be asked, and what only a state is. #}
{% macro check_compared_state(of_state, period, given, paired, test, gold) -%}
    {%- if of_state is not boolean -%}
        {{- sqlmetrics.refuse("of_state must be true or false, got " ~ of_state) -}}
    {%- elif not of_state and (period is not none or given.get('made_where') is not none) -%}
        {{- sqlmetrics.refuse("period= and made_where= are of a state; leave them out, or pass of_state=true") -}}
    {%- elif not of_state -%}
        {%- do return('') -%}
    {%- endif -%}
    {{- sqlmetrics.check_state('compare', period) -}}
    {%- if test not in (none, 't', 'anytime') -%}
        {{- sqlmetrics.refuse(
            "test='" ~ test ~ "' reads the rows, and a state keeps their sums; leave test= out, pass test='anytime', or"
                ~ " compare the rows themselves"
        ) -}}
    {%- elif not paired or gold is not none -%}
        {{- sqlmetrics.refuse(
            ("gold=" if paired else "paired=False") ~ " needs the rows, and a state keeps the pairs of its models;"
                ~ " leave it out, or compare the rows themselves"
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# Rejects a power that is no probability of detecting what is there. #}
{% macro check_power(power) -%}
    {%- if power is not number or power is boolean or not 0.5 <= power <= 0.999999 -%}
        {{- sqlmetrics.refuse(
            "power must be a number from 0.5 to 0.999999, such as 0.8, got " ~ sqlmetrics.shown(power)
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# True if each model has rows of its own: in long form, in a table for each, or in the candidates' table. #}
{% macro has_own_rows(score, relation, models) -%}
    {%- do return(
        models is not none or sqlmetrics.is_tables(relation) or score.values() | select('mapping') | list | length > 0
    ) -%}
{%- endmacro %}

{# Rejects pairs of rows of their own without a key, and options of pairs if there are no pairs. #}
{% macro check_pairing(apart, paired, test, on_unpaired, group) -%}
    {%- if paired is not boolean -%}
        {{- sqlmetrics.refuse("paired must be true or false, got " ~ paired) -}}
    {%- elif not paired and not apart -%}
        {{- sqlmetrics.refuse("paired=False is for models on different data; pass the candidate's as other=") -}}
    {%- elif not paired and test not in (none, 'welch') -%}
        {{- sqlmetrics.refuse(
            "test='" ~ test
                ~ "' is of pairs; with paired=False the test is Welch's, or DeLong's of AUC, so leave test= out"
        ) -}}
    {%- elif test == 'bootstrap' and on_unpaired != 'error' -%}
        {{- sqlmetrics.refuse(
            "on_unpaired='" ~ on_unpaired ~ "' does not go with test='bootstrap', which draws all groups;"
            ~ " leave those of one model out of the data"
        ) -}}
    {%- elif not paired and on_unpaired != 'error' -%}
        {{- sqlmetrics.refuse("on_unpaired='" ~ on_unpaired ~ "' is of pairs; leave it out with paired=False") -}}
    {%- elif paired -%}
        {{- sqlmetrics.check_key_of_pairs(
            apart, group,
            '; where the models have different data, such as other users or another week, pass paired=False'
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# Rejects options that corrected differences (inference/corrected_pairs.sql) do not have. #}
{% macro check_pairs_of_gold(paired, test, on_unpaired) -%}
    {%- if not paired -%}
        {{- sqlmetrics.refuse("gold= compares models on the same data; leave paired= out") -}}
    {%- elif test not in (none, 't') -%}
        {{- sqlmetrics.refuse(
            "gold= is compared by Student's t, not by test='" ~ test ~ "'; leave test= or gold= out"
        ) -}}
    {%- elif on_unpaired != 'error' -%}
        {{- sqlmetrics.refuse(
            "on_unpaired='" ~ on_unpaired ~ "' does not go with gold=; leave groups of one model out of the data"
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# Rejects models on rows of their own that nothing pairs. #}
{% macro check_key_of_pairs(apart, group, otherwise='') -%}
    {%- if apart and group is none -%}
        {{- sqlmetrics.refuse(
            "Models with rows of their own need group=, the key by which these are paired: a query, a user, or what"
                ~ " names a row" ~ otherwise
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# The deviation of a row from what two models differ by: both have the rest of the value in common. #}
{% macro deviation_of_loss(plan, loss) -%}
    {%- set mean = sqlmetrics.ratio(loss['sum'], sqlmetrics.row_total(plan)) -%}
    {{- '(' ~ mean ~ ' * ' ~ sqlmetrics.usable_weight(plan) ~ ' - ' ~ loss['of_row'] ~ ')' -}}
{%- endmacro %}

{#
  Adds a compared metric and its units. There are four kinds:
    lists, groups: the metric is a ratio of sums over them, so it can be computed over a part of them
    influences: only the influence of a group on the metric is known, if it reads sums over rows alone that at the sums
      of both models (inference/pooled.sql)
    areas: the same, for the rows of each class
    replicates: draws of a bootstrap

  The templates n and d of a unit give its own value. Its influence (and `negative`, for the negative rows of areas) is
  how far it moves the metric.
#}
{% macro add_comparison(plan, result, value) -%}
    {%- set spread, test = value['spread'] or {}, plan['question']['own']['test'] -%}
    {%- set i = plan['compared_metrics'] | length + 1 -%}
    {%- set by_errors = test in ('t', 'anytime') -%}
    {%- set decided = 'score' in sqlmetrics.holes(spread.get('denominator')) -%}
    {%- set metric = dict(
        result, guards=plan['asked']['guards'] | list, i=i, least=value['least'], most=value['most']
    ) -%}
    {%- if test == 'bootstrap' -%}
        {%- if not sqlmetrics.can_be_resampled(plan, value) -%}
            {{- sqlmetrics.refuse(
                "sqlmetrics.compare: there is no bootstrap of '" ~ result['notation']
                    ~ "', which reads what is not drawn"
            ) -}}
        {%- endif -%}
        {%- do plan['resampled'].update({'sm_value_' ~ i: result['notation']}) -%}
        {%- do metric.update({'units': 'replicates'}) -%}
    {%- elif spread.get('kind') != 'auc' and 'deviation' not in spread -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics." ~ plan['question']['own']['call'] ~ ": '" ~ result['notation']
            ~ "' has no formula for its standard error" ~ (" with weights" if plan['facts']['weight'] is not none)
            ~ ("; pass test='bootstrap'" if sqlmetrics.is_tested(plan) and sqlmetrics.can_be_resampled(plan, value)
                else "; take another metric, such as auc, log_loss or ndcg@10" if sqlmetrics.is_tested(plan)
                else ", from which a size follows; take another metric, such as auc, log_loss or ndcg@10")
        ) -}}
    {%- elif spread.get('numerator') is not none
        and (by_errors or not (decided and sqlmetrics.numbers_rows(plan))) -%}
        {%- set n, d = sqlmetrics.filled(plan, spread['numerator']), sqlmetrics.filled(plan, spread['denominator']) -%}
        {#- a group in which a score decides that nothing counts, as of precision, adds 0 to both sums -#}
        {%- set adds_zero = spread['unit'] != 'lists' and decided -%}
        {%- do metric.update({
            'units': 'lists' if spread['unit'] == 'lists' else 'groups', 'adds_zero': adds_zero, 'influence': none,
            'right_or_wrong': spread['kind'] == 'share' and sqlmetrics.numbers_rows(plan) and not decided
                and plan['facts']['weight'] is none and sqlmetrics.is_tested(plan),
            'n': 'coalesce(' ~ n ~ ', 0)' if adds_zero else n, 'd': 'coalesce(' ~ d ~ ', 0)' if adds_zero else d,
        }) -%}
    {%- elif not by_errors -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics.compare: test='" ~ test ~ "' compares "
            ~ ('rows one by one, but a single row' if sqlmetrics.numbers_rows(plan)
                else 'groups one by one, but a single group')
            ~ " has no " ~ result['notation'] ~ "; leave test= out, or pass 'bootstrap'"
        ) -}}
    {%- elif spread['kind'] == 'auc' -%}
        {%- do sqlmetrics.note_reads(plan, 'values', sqlmetrics.holes(value['sql'])) -%}
        {%- do metric.update({
            'units': 'areas', 'value': sqlmetrics.filled(plan, value['sql']), 'scale': spread['factor'],
            'n': 'sm_value_' ~ i, 'd': '1', 'influence': 'sm_scale_' ~ i ~ ' * sm_positive_deviation',
            'negative': 'sm_scale_' ~ i ~ ' * sm_negative_deviation',
        }) -%}
    {%- else -%}
        {%- set counts = sqlmetrics.filled(
            plan, sqlmetrics.need(plan, 'cluster_deviations', plan['asked']['prefix'] ~ '_counts', spread['counts'])
        ) -%}
        {#- a difference of roots is the difference of the values under them, over the sum of the roots -#}
        {%- set scale = sqlmetrics.scale_of(plan, spread.get('root_of') or spread) -%}
        {%- set of_row = sqlmetrics.deviation_of_loss(plan, spread['loss']) if 'loss' in spread
            else spread['deviation'] -%}
        {%- set of_both = sqlmetrics.at_sums_of_both(plan, spread, sqlmetrics.ratio(of_row, scale)) -%}
        {%- set deviation = sqlmetrics.need(
            plan, 'cluster_deviations', plan['asked']['prefix'] ~ '_deviation', of_both or of_row
        ) -%}
        {%- set carried = none if 'carried_by' not in spread else sqlmetrics.filled(plan, sqlmetrics.need(
            plan, 'cluster_deviations', plan['asked']['prefix'] ~ '_carried', spread['carried_by']
        )) -%}
        {%- do sqlmetrics.note_reads(plan, 'values', sqlmetrics.holes(value['sql'] ~ scale)) -%}
        {%- do metric.update({
            'units': 'influences', 'value': sqlmetrics.filled(plan, value['sql']), 'root': 'root_of' in spread,
            'scale': none if of_both else sqlmetrics.filled(plan, scale),
            'n': 'case when ' ~ counts ~ ' <> 0 then sm_value_' ~ i ~ ' end',
            'd': 'case when ' ~ counts ~ ' <> 0 then 1 end',
            'influence': sqlmetrics.filled(plan, deviation) if of_both
                else sqlmetrics.ratio(sqlmetrics.filled(plan, deviation), 'sm_scale_' ~ i),
            'carried': carried,
        }) -%}
    {%- endif -%}
    {%- do plan['compared_metrics'].append(metric) -%}
{%- endmacro %}

{# The columns of the result: expressions over sm_asked, sm_estimates and the last stage of the test. #}
{% macro columns_of_comparison(plan) -%}
    {%- set metrics, resampled = [], plan['question']['own']['test'] == 'bootstrap' -%}
    {%- for metric in plan['compared_metrics'] -%}
        {%- do metrics.append('when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_text(metric['name'])) -%}
    {%- endfor -%}
    {%- set tested = sqlmetrics.last_stage_of_test(plan) -%}
    {%- set adjusted = [] -%}
    {%- if plan['question']['own']['correction'] -%}
        {%- do adjusted.append({'name': 'p_adjusted', 'value': tested ~ '.sm_p_adjusted'}) -%}
    {%- endif -%}
    {%- set of_margin = [
        {'name': 'margin', 'value': 'sm_margin'}, {'name': 'p_equivalence', 'value': 'sm_p_equivalence'},
        {'name': 'verdict', 'value': 'sm_verdict', 'any_type': true},
    ] if plan['question']['own']['margins'] else [] -%}
    {%- set ends = sqlmetrics.ends_of_difference(plan, 'sm_asked.') -%}
    {%- set corrected = plan['question']['own'].get('of_pairs') -%}
    {%- set of_sample = sqlmetrics.columns_of_pairs(plan, resampled or corrected) if plan['question']['own']['paired']
        else sqlmetrics.columns_of_samples() -%}
    {%- do return([
        {'name': 'metric', 'value': 'case sm_asked.sm_metric ' ~ metrics | join(' ') ~ ' end', 'any_type': true},
    ] + sqlmetrics.columns_of_models(plan) + [
        {'name': 'baseline_value', 'value': 'sm_baseline_value'},
        {'name': 'candidate_value', 'value': 'sm_candidate_value'},
        {'name': 'difference', 'value': 'sm_estimate'},
        {'name': 'relative_difference', 'value': sqlmetrics.ratio('sm_estimate', 'abs(sm_baseline_value)')},
        {'name': 'low', 'value': sqlmetrics.within_range_of_difference(plan, ends['low'], '<', '-')},
        {'name': 'high', 'value': sqlmetrics.within_range_of_difference(plan, ends['high'], '>')},
        {
            'name': 'test', 'value': sqlmetrics.sql_text('t') if corrected else sqlmetrics.name_of_test(plan),
            'any_type': true,
        },
        {'name': 'statistic', 'value': tested ~ '.sm_statistic'}, {'name': 'p_value', 'value': tested ~ '.sm_p_value'},
    ] + adjusted + of_sample + [
        {'name': 'minimum_detectable', 'value': sqlmetrics.minimum_detectable(plan)},
    ] + of_margin + (sqlmetrics.columns_of_corrected_pairs(plan) if corrected else [])) -%}
{%- endmacro %}

{# Whether a difference is tested, and the pairs counted in which it has a sign: not where only a size is planned. #}
{% macro is_tested(plan) -%}{%- do return(plan['question']['own']['call'] != 'sample_size') -%}{%- endmacro %}

{# The stage with the p-values of the result. #}
{% macro last_stage_of_test(plan) -%}
    {{ 'sm_adjusted' if plan['question']['own']['correction'] else 'sm_tested' }}
{%- endmacro %}

{#
  The stages that are read beside sm_asked. Those of the bootstrap, of t and of samples include the columns of
  the stages before them.
#}
{% macro stages_of_result(plan) -%}
    {%- if not sqlmetrics.is_tested(plan) -%}{%- do return(['sm_estimates']) -%}{%- endif -%}
    {%- set of_pairs = plan['question']['own']['test'] in ('wilcoxon', 'sign', 'randomisation') -%}
    {%- do return(
        (['sm_estimates'] if of_pairs else []) + [sqlmetrics.last_stage_of_test(plan)]
        + (['sm_verdicts'] if plan['question']['own']['margins'] else [])
    ) -%}
{%- endmacro %}

{# The stages from lists and rows to pairs, and to tests of the pairs. #}
{% macro stages_of_comparison(plan) -%}
    {%- set stages = sqlmetrics.stages_of_test_of_pairs(plan) if plan['question']['own']['paired']
        else sqlmetrics.stages_of_samples(plan) -%}
    {%- do return(
        stages + sqlmetrics.stages_after_test(plan)
        + [sqlmetrics.stage_counts_of_slices(plan), sqlmetrics.stage_asked(plan)]
    ) -%}
{%- endmacro %}

{# The stages from tests to corrected p-values and verdicts. #}
{% macro stages_after_test(plan) -%}
    {%- set compared, stages = plan['question']['own'], [] -%}
    {%- if compared['correction'] is not none -%}
        {%- do stages.append(sqlmetrics.stage_adjusted(plan, compared['correction'], compared['family'])) -%}
    {%- endif -%}
    {%- if compared['margins'] -%}{%- do stages.append(sqlmetrics.stages_of_verdicts(plan)) -%}{%- endif -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# The stages from units to a test of pairs. #}
{% macro stages_of_test_of_pairs(plan) -%}
    {%- set stages = [] -%}
    {%- if sqlmetrics.compared_by(plan, ['influences', 'areas']) -%}
        {%- do stages.append(sqlmetrics.stage_values(plan)) -%}
    {%- endif -%}
    {%- for units in ('lists', 'groups', 'influences', 'areas') if sqlmetrics.compared_by(plan, [units]) -%}
        {%- do stages.append(sqlmetrics.stage_units(plan, units)) -%}
    {%- endfor -%}
    {%- do stages.extend([sqlmetrics.stages_of_pairs(plan), sqlmetrics.stage_estimates(plan)]) -%}
    {%- if not sqlmetrics.is_tested(plan) -%}{%- do return(stages) -%}{%- endif -%}
    {%- set stages_of_test = {
        't': sqlmetrics.stages_of_t,
        'anytime': sqlmetrics.stages_of_anytime,
        'wilcoxon': sqlmetrics.stages_of_wilcoxon,
        'sign': sqlmetrics.stages_of_sign,
        'randomisation': sqlmetrics.stages_of_randomisation,
    }[plan['question']['own']['test']] -%}
    {%- do return(stages + [stages_of_test(plan, sqlmetrics.pair_keys(plan))]) -%}
{%- endmacro %}

{# The last select. #}
{% macro result_of_comparison(plan) -%}
{%- set slices = 'sm_named_slices' if plan['resampled'] else 'sm_slices' -%}
{%- set keys = sqlmetrics.keys_beside_models(plan) -%}
{%- set columns = [] -%}
{%- for column in plan['facts']['by'] -%}
    {%- do columns.append(
        sqlmetrics.value_of_slice(plan, column, 'sm_asked.sm_slice = 0', slices) ~ ' as ' ~ column['alias']
    ) -%}
{%- endfor -%}
{%- if sqlmetrics.has_total(plan) -%}
    {%- do columns.append('case when sm_asked.sm_slice = 0 then 1 else 0 end as is_total') -%}
{%- endif -%}
{%- for result in plan['result']['columns'] -%}
    {%- do columns.append(sqlmetrics.result_column(plan, result)) -%}
{%- endfor -%}
{%- do columns.extend(sqlmetrics.counts_of_slices(plan, 'sm_asked.')) -%}
select
    {{- sqlmetrics.lines(columns, 4) }}
from sm_asked
{%- for stage in sqlmetrics.stages_of_result(plan) %}
left join {{ stage }} on {{ stage }}.sm_metric = sm_asked.sm_found_metric
    {{- ' and ' ~ sqlmetrics.same_keys(keys + ['sm_candidate'], 'sm_asked', stage) }}
{%- endfor %}
{%- if plan['facts']['by'] %}
left join {{ slices }} on sm_asked.sm_slice = {{ slices }}.sm_slice
{%- endif %}
order by {{ 'case when sm_asked.sm_slice = 0 then 1 else 0 end asc, sm_asked.sm_slice asc, ' if plan['facts']['by'] -}}
    sm_asked.sm_metric asc, sm_asked.sm_candidate asc
{%- endmacro %}

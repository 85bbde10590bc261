{#
  Which option serves which call, and which needs another one. The macros of `api/` and `dbt_tests/` refuse the rest;
  signatures of Python and the documentation of dbt agree with these tables by a test.
#}

{# The options that calls share, with the value that says nothing. #}
{% macro defaults_of_options() -%}
    {%- do return({
        'label': none, 'gold': none, 'gold_weight': none, 'score': none, 'models': none, 'group': none, 'item': none,
        'weight': none,
        'by': [], 'total': true, 'total_of': 'rows', 'total_name': none, 'where': none, 'read_once': none,
        'score_levels': 'sorted',
        'truth': none, 'truth_by': [], 'subtopic': none, 'on_extra': 'drop',
        'prediction': none, 'class_scores': none,
        'catalog': none, 'history': none, 'distances': none, 'category': none,
        'max_grade': none, 'positive': none, 'ties': none, 'convention': none, 'on_duplicate': 'error',
        'unjudged': none,
        'interval': none, 'interval_method': none, 'tightest_at': none, 'n_resamples': 200,
        'soft': false,
        'period': none, 'made_where': none, 'made_period': none, 'of_state': false,
    }) -%}
{%- endmacro %}

{# What each call takes besides the relation and the metrics. #}
{% macro arguments_of_calls() -%}
    {%- set rows = ['label', 'weight', 'by', 'where', 'read_once'] -%}
    {%- set total = ['total', 'total_name'] -%}
    {%- set lists = ['group', 'item', 'max_grade', 'positive', 'ties', 'convention', 'on_duplicate', 'unjudged'] -%}
    {%- set truth = ['truth', 'truth_by', 'subtopic', 'on_extra'] -%}
    {%- set items = ['catalog', 'history', 'distances', 'category'] -%}
    {%- set tested = rows + ['total', 'score', 'models', 'score_levels', 'prediction', 'class_scores'] + lists + truth
        + items -%}
    {%- set intervals = ['interval', 'interval_method', 'tightest_at', 'n_resamples'] -%}
    {%- set people = ['gold', 'gold_weight'] -%}
    {%- set evaluate = tested + ['soft'] + people + ['total_of', 'total_name'] + intervals -%}
    {%- set classes = rows + total + ['prediction'] -%}
    {%- set state = rows + lists + ['score', 'models', 'prediction', 'period', 'soft'] -%}
    {%- set of_state = state + total + ['made_where'] -%}
    {%- set finish = of_state + ['interval', 'interval_method', 'tightest_at'] -%}
    {%- set of_states = ['of_state', 'made_period', 'made_where'] -%}
    {%- set sides = ['period', 'before', 'after', 'reference'] -%}
    {%- set drift = ['by', 'where', 'read_once', 'columns', 'numeric', 'bins'] + sides + of_states -%}
    {%- set limits = tested + ['soft'] + people + intervals + ['whole_interval'] + of_states -%}
    {%- set differences = rows + ['total'] + lists + truth + ['score', 'models', 'soft'] + people + ['interval',
        'n_resamples', 'baseline', 'candidate', 'test', 'on_unpaired', 'tightest_at', 'value'] + of_states -%}
    {%- set labels = ['label', 'weight', 'by', 'where', 'score', 'prediction', 'gold', 'interval', 'budget'] + lists -%}
    {%- do return({
        'evaluate': evaluate,
        'evaluate_long': evaluate,
        'per_group': rows + ['score', 'models'] + lists + truth,
        'compare': rows + total + lists + truth + ['score', 'models', 'interval', 'n_resamples', 'baseline',
            'candidate', 'other', 'paired', 'test', 'correction', 'power', 'on_unpaired', 'margin', 'pairs', 'family',
            'tightest_at', 'of_state', 'period', 'made_where', 'soft', 'total_of'] + people,
        'leaderboard': rows + lists + truth + ['total', 'total_of', 'score', 'models', 'interval', 'soft',
            'on_unpaired'],
        'sample_size': rows + total + lists + truth + ['score', 'models', 'interval', 'baseline', 'candidate',
            'difference', 'n', 'power'],
        'plan_labels': labels,
        'draw_labels': labels + ['key', 'seed'],
        'curve': rows + total + ['score', 'models', 'positive', 'score_levels', 'interval', 'band', 'soft'],
        'confusion_matrix': classes + ['score', 'positive', 'threshold'],
        'class_report': classes,
        'find_slices': rows + lists + ['score', 'models', 'prediction', 'interval', 'baseline', 'candidate', 'depth',
            'min_units', 'bins', 'max_values', 'dates_by', 'numeric', 'dates', 'soft'],
        'explain_change': rows + lists + ['score', 'models', 'prediction', 'total_name', 'interval', 'base'] + sides
            + of_states,
        'drift': drift + total,
        'state': state + ['intervals'],
        'finish': finish,
        'finish_long': finish,
        'finish_curve': of_state,
        'mcnemar': rows + total + ['interval', 'baseline', 'candidate'],
        'two_proportions': rows + total + ['category', 'positive', 'interval'],
        'bradley_terry': ['model_a', 'model_b', 'winner', 'cluster', 'weight', 'where', 'read_once'],
        'agreement': ['item', 'rater', 'value', 'raters', 'interval', 'by', 'where', 'read_once'] + total,
        'chi_square': ['column', 'other', 'expected', 'weight', 'by', 'where', 'read_once'] + total,
        'metric_at_least': limits + ['value'],
        'metric_at_most': limits + ['value'],
        'metric_within': limits + ['tolerance', 'reference', 'period'],
        'difference_at_least': differences,
        'difference_at_most': differences,
        'no_bad_rows': tested + ['metrics'],
        'no_drift': drift + ['total', 'measure', 'at_most'],
    }) -%}
{%- endmacro %}

{#
  The further arguments of a call, without those that it does not take and that only say their default.

  Args:
    call: the name of the macro that was called
    given: its further arguments
  Errors: an argument that the call does not take
#}
{% macro options_taken(call, given) -%}
    {%- set known, defaults, taken = sqlmetrics.arguments_of_calls()[call], sqlmetrics.defaults_of_options(), {} -%}
    {%- for name, value in given.items() -%}
        {%- if name in known -%}
            {%- do taken.update({name: value}) -%}
        {%- elif name not in defaults or (value is not none and value != defaults[name]) -%}
            {%- set meant = none if name in defaults else sqlmetrics.option_meant(name, known) -%}
            {{- sqlmetrics.refuse(
                call ~ " takes no " ~ name ~ "="
                ~ (". Did you mean '" ~ meant ~ "'?" if meant
                    else "; " ~ (sqlmetrics.why_not_taken(call, name) or "leave it out") ~ ".")
                ~ " It takes: " ~ known | join(', ')
                ~ ("; a parameter of a metric is written in its notation, as accuracy(threshold=0.3)"
                    if name not in defaults and 'score' in known)
            ) -}}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(taken) -%}
{%- endmacro %}

{# What other libraries call an option. #}
{% macro options_elsewhere() -%}
    {%- set found = {} -%}
    {%- for option, names in (
        ('interval', ['ci', 'confidence', 'confidence_level', 'conf_level']),
        ('n_resamples', ['n_bootstrap', 'n_bootstraps', 'n_boot', 'n_samples']),
        ('by', ['slices', 'groupby', 'group_by', 'segments', 'facet']),
        ('pairs', ['pairwise', 'all_pairs']),
        ('label', ['y', 'target', 'labels']),
        ('score', ['scores', 'probability', 'y_prob', 'y_proba']),
        ('group', ['qid', 'query_id', 'groups']),
        ('truth', ['qrels']), ('positive', ['pos_label']), ('weight', ['sample_weight']),
        ('baseline', ['reference_model']),
    ) -%}
        {%- for name in names -%}{%- do found.update({name: option}) -%}{%- endfor -%}
    {%- endfor -%}
    {%- do return(found) -%}
{%- endmacro %}

{#
  The option that a word stands for, which a call does not take: by its name elsewhere, or a slip.

  Args:
    word: the unknown name
    known: the options of the call
  Returns: an option, or none
#}
{% macro option_meant(word, known) -%}
    {%- set elsewhere, likest = sqlmetrics.options_elsewhere().get(word), sqlmetrics.by_likeness(word, known)[0] -%}
    {%- do return(elsewhere if elsewhere in known else likest[1] if likest[0] <= -0.6 else none) -%}
{%- endmacro %}

{# Why a call does not take an option of others, and what does what it stands for; none if there is nothing to say. #}
{% macro why_not_taken(call, option) -%}
    {%- set board = "a leaderboard has the paired test of `compare`, corrected for all pairs; other tests are those of"
        ~ " compare(test=...)" -%}
    {%- do return({
        'compare interval_method': "its test says how the interval is made, such as test='anytime' for data that grow",
        'leaderboard interval_method': board, 'leaderboard test': board,
        'find_slices gold': "a search halves the labels by people, and few cannot confirm a slice that it found; name"
            ~ " the slices in evaluate(by=..., gold=...)",
        'state gold': "a state keeps sums of one label, and a correction needs products of what people and the machine"
            ~ " say of each row; pass the rows to evaluate(gold=...)",
    }.get(call ~ ' ' ~ option)) -%}
{%- endmacro %}

{#
  Rejects an option that has no effect because another option is missing. A value that is the default needs no other
  option.
#}
{% macro check_needs_of_options(given) -%}
    {%- set defaults = sqlmetrics.defaults_of_options() -%}
    {%- for name, needed, what in (
        ('truth', ['group', 'item'], 'the columns that join it to the predictions'),
        ('truth_by', ['truth'], 'the table that has these columns'),
        ('subtopic', ['truth'], 'a second table with a row for each group, item and subtopic; in one table an item'
            ~ ' would have its score several times'),
        ('on_extra', ['truth'], 'a second table; in one table no list is without truth'),
        ('on_duplicate', ['item'], 'the column that identifies items'),
        ('category', ['catalog'], 'the table of items that has the column'),
        ('ties', ['group'], 'the lists in which scores are tied'),
        ('interval_method', ['interval'], 'the confidence level, such as 0.95'),
        ('tightest_at', ['looks'], 'whose intervals are tightest after so many units'),
        ('n_resamples', ['interval'], 'the confidence level, such as 0.95; without an interval nothing is drawn'),
        ('total_name', ['by', 'total'], 'the slices beside which the row of that name stands'),
    ) if given[name] is not none and given[name] != defaults[name] -%}
        {%- for other in needed if not given[other] -%}
            {%- set said = "'" ~ given[name] ~ "'" if given[name] is string and defaults[name] is not none else '' -%}
            {%- set others = "interval_method='anytime'" if other == 'looks' else needed | join('= and ') ~ '=' -%}
            {{- sqlmetrics.refuse(name ~ "=" ~ said ~ " needs " ~ others ~ ", " ~ what) -}}
        {%- endfor -%}
    {%- endfor -%}
{%- endmacro %}

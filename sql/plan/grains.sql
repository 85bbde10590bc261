{#
  Grains: the units that sums are taken over. A grain has rows, and its templates may read their columns. It has sums,
  one row for each row of the grain above.

  Each entry:
    columns: the columns that its templates may read (plan/columns.sql)
    parents: the grains whose sums its templates may read as well
    of_data: true if its rows are those of the data, so that {score} needs score=
    weighs: true if its sums take rows of any weight, so that the two outcomes of a soft label add up to a row
    roles: the columns of the data that the grain requires
    over: the units that its metrics average over, lists or items
    sums: the stage that holds its sums, if it has one row for each slice
    one_row: true if that stage has one row in all
    state: the reason why a state of periods cannot hold it, if there is one
    measures: the reason why its sums in a state are no measures of a BI tool, if there is one
#}
{% macro grains() -%}
    {%- set columns = sqlmetrics.columns() -%}
    {%- set by_class, of_items = 'its sums are by class', 'it counts items and users of all lists together' -%}
    {%- set in_order = 'a quantile needs the rows in their order' -%}
    {%- set slices = ['rows', 'second_pass', 'label_quantiles', 'precisions', 'recalibration'] -%}
    {%- set lists = ['grade_sums', 'item_sums', 'hits', 'subtopics', 'picks', 'best_items'] -%}
    {%- set by_row, none_of_state = columns['rows'], 'a state has sums over rows and lists, and not each of them' -%}
    {%- set placed = dict(by_row, **columns['precisions']) -%}
    {%- set of_scores = 'it reads the scores in the state, which do not add up' -%}
    {%- do return({
        'rows': {
            'of_data': true,
            'weighs': true,
            'columns': by_row,
            'parents': [],
            'roles': [],
        },
        'second_pass': {
            'of_data': true,
            'weighs': true,
            'columns': by_row,
            'parents': ['rows', 'label_quantiles'],
            'roles': [],
            'sums': 'sm_second_pass',
            'measures': 'sums about the means of parts do not add up to those about the mean of all',
        },
        'label_quantiles': {
            'columns': columns['quantiles'],
            'parents': [],
            'roles': ['label'],
            'sums': 'sm_label_quantiles',
            'state': in_order,
        },
        'error_quantiles': {
            'columns': columns['quantiles'],
            'parents': [],
            'roles': ['score', 'label'],
            'sums': 'sm_error_quantiles',
            'state': in_order,
        },
        'ranks': {
            'columns': columns['ranks'],
            'parents': ['rows'],
            'roles': ['score', 'label'],
            'sums': 'sm_rank_sums',
            'state': 'a rank is one among the rows of all periods',
        },
        'rank_halves': {
            'columns': columns['rank_halves'],
            'parents': [],
            'roles': ['score', 'label'],
            'sums': 'sm_rank_half_sums',
            'state': 'a rank is one among the rows of all periods',
        },
        'grade_sums': {
            'over': 'lists',
            'columns': columns['grades'],
            'parents': [],
            'roles': ['group', 'label', 'score'],
        },
        'item_sums': {
            'over': 'lists',
            'columns': columns['items'],
            'parents': ['grade_sums'],
            'roles': ['group', 'label', 'score'],
        },
        'hits': {
            'over': 'lists',
            'columns': columns['hits'],
            'parents': [],
            'roles': ['group', 'label', 'score'],
        },
        'subtopics': {
            'over': 'lists',
            'columns': columns['subtopics'],
            'parents': [],
            'roles': [],
            'state': 'it needs truth=',
        },
        'picks': {
            'over': 'lists',
            'columns': columns['picks'],
            'parents': [],
            'roles': [],
            'state': 'it needs truth=',
        },
        'best_items': {
            'over': 'lists',
            'columns': columns['best_items'],
            'parents': [],
            'roles': ['group', 'label', 'score'],
        },
        'list_sums': {
            'over': 'lists',
            'columns': columns['lists'],
            'parents': lists,
            'roles': [],
            'sums': 'sm_list_sums',
        },
        'list_deviations': {
            'columns': columns['lists'],
            'parents': lists + ['list_sums'],
            'roles': [],
        },
        'list_moments': {
            'columns': {},
            'parents': ['list_deviations'],
            'roles': [],
        },
        'list_spreads': {
            'columns': {},
            'parents': ['list_deviations', 'list_moments'],
            'roles': [],
            'sums': 'sm_list_spreads',
        },
        'precisions': {
            'of_data': true,
            'weighs': true,
            'columns': placed,
            'parents': ['rows'],
            'roles': ['label', 'score'],
            'sums': 'sm_precision_sums',
            'state': 'its interval needs the place of each row among those of all periods',
        },
        'row_deviations': {
            'of_data': true,
            'weighs': true,
            'columns': placed,
            'parents': slices,
            'roles': [],
        },
        'row_moments': {
            'weighs': true,
            'columns': {},
            'parents': ['row_deviations'],
            'roles': [],
        },
        'row_spreads': {
            'weighs': true,
            'columns': {},
            'parents': ['row_deviations', 'row_moments'],
            'roles': [],
            'sums': 'sm_row_spreads',
        },
        'recalibration': {
            'columns': columns['recalibration'],
            'parents': ['rows'],
            'roles': ['label', 'score'],
            'sums': 'sm_recalibration_sums',
            'state': 'its steps read the rows again',
        },
        'group_sums': {
            'of_data': true,
            'weighs': true,
            'columns': by_row,
            'parents': [],
            'roles': [],
            'state': none_of_state,
        },
        'group_spreads': {
            'weighs': true,
            'columns': {},
            'parents': ['group_sums', 'rows'],
            'roles': [],
            'sums': 'sm_group_spreads',
            'state': none_of_state,
        },
        'cluster_deviations': {
            'of_data': true,
            'weighs': true,
            'columns': placed,
            'parents': slices,
            'roles': [],
            'state': none_of_state,
        },
        'cluster_spreads': {
            'weighs': true,
            'columns': {},
            'parents': ['cluster_deviations'],
            'roles': [],
            'sums': 'sm_cluster_spreads',
            'state': none_of_state,
        },
        'classes': {
            'columns': columns['classes'],
            'parents': [],
            'roles': [],
            'sums': 'sm_class_sums',
            'state': by_class,
        },
        'cells': {
            'columns': columns['cells'],
            'parents': [],
            'roles': [],
            'sums': 'sm_cell_sums',
            'state': by_class,
        },
        'examples': {
            'columns': columns['examples'],
            'parents': [],
            'roles': [],
            'sums': 'sm_example_sums',
            'state': by_class,
        },
        'class_areas': {
            'columns': columns['class_areas'],
            'parents': [],
            'roles': [],
            'sums': 'sm_area_sums',
            'state': by_class,
        },
        'tops': {
            'over': 'items',
            'columns': columns['tops'],
            'parents': ['catalog_items'],
            'roles': [],
            'state': of_items,
        },
        'categories': {
            'over': 'items',
            'columns': columns['tops'],
            'parents': [],
            'roles': [],
            'state': of_items,
        },
        'pairs': {
            'over': 'items',
            'columns': columns['pairs'],
            'parents': ['categories'],
            'roles': [],
            'state': of_items,
        },
        'top_lists': {
            'over': 'items',
            'columns': {},
            'parents': ['tops', 'pairs'],
            'roles': [],
            'sums': 'sm_top_list_sums',
            'state': of_items,
        },
        'exposed': {
            'over': 'items',
            'columns': columns['tops'],
            'parents': ['tops'],
            'roles': [],
            'state': of_items,
        },
        'exposures': {
            'over': 'items',
            'columns': columns['exposures'],
            'parents': ['exposed'],
            'roles': [],
            'sums': 'sm_exposure_sums',
            'state': of_items,
        },
        'users': {
            'over': 'items',
            'columns': {},
            'parents': ['tops'],
            'roles': [],
            'sums': 'sm_user_sums',
            'state': of_items,
        },
        'repeated': {
            'over': 'items',
            'columns': columns['repeated'],
            'parents': [],
            'roles': [],
            'sums': 'sm_repeat_sums',
            'state': of_items,
        },
        'levels': {
            'weighs': true,
            'columns': columns['levels'],
            'parents': ['rows'],
            'roles': ['label', 'score'],
            'sums': 'sm_levels_sums',
            'measures': of_scores,
        },
        'peaks': {
            'weighs': true,
            'columns': columns['levels'],
            'parents': ['rows', 'levels'],
            'roles': ['label', 'score'],
            'sums': 'sm_peaks_sums',
            'measures': of_scores,
        },
        'arms': {
            'weighs': true,
            'columns': columns['arms'],
            'parents': ['rows'],
            'roles': ['label', 'score'],
            'sums': 'sm_arms_sums',
            'state': 'it counts the scores of both arms',
        },
        'bins': {
            'weighs': true,
            'columns': columns['bins'],
            'parents': ['rows'],
            'roles': ['label', 'score'],
            'measures': of_scores,
        },
        'catalog_items': {
            'over': 'items',
            'columns': columns['catalog_items'],
            'parents': [],
            'roles': [],
            'sums': 'sm_catalog_sums',
            'one_row': true,
            'state': of_items,
        },
        'interactions': {
            'over': 'items',
            'columns': columns['interactions'],
            'parents': [],
            'roles': [],
            'sums': 'sm_history_sums',
            'one_row': true,
            'state': of_items,
        },
    }) -%}
{%- endmacro %}

{#
  The entry for a grain. All grains of bins share one (one grain for each number and kind of bins), as do all grains of
  picks (one for each alpha).
#}
{% macro kind_of_grain(plan, grain) -%}
    {%- do return('bins' if grain in plan['bins'] else 'picks' if grain in plan['picks'] else grain) -%}
{%- endmacro %}

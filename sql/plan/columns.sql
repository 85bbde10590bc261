{#
  Columns: the declared columns of each grain, which its templates may read. The stage that makes a column is named at
  its grain. Each entry describes its column.

  {score} in a template is the column sm_score of a statement. A hole with a dot names a column of a joined stage:
  {cutoffs.sm_discount_10}. Some columns exist once for each option, such as the weight that a metric names. A metric
  declares these when it asks for them (`declare`).

  Needs: facts about a sum that a stage takes besides the template. They are the argument `more` of `need`:
    reach: the last rank whose items matter; none for all, 'tied' for all items that tie with others (item_sums)
    items: the items whose rows are read: gaining, if an item of label 0 adds nothing and its row may be left out;
      tied, if tied items count too; by default all (item_sums)
    ranked: the aggregate that gives the sum where lists are ranked first and rows that add nothing are left out; a
      template in which {listed} is the length of the list (grade_sums)
    whole: true if a level must be one row (levels)
    through: the rank down to which sums over positions are read, for lists of any length (grade_sums)
    means: the sums over rows whose means the template subtracts; with them, parts of a state merge (second_pass)
#}
{% macro columns() -%}
    {%- set level = {
        'level_rows': 'the rows at this level, or their weight',
        'level_positives': 'the positive ones among them',
        'above': 'the rows strictly above the level',
        'through': 'the rows down to the level, itself included',
        'place': 'those two together: twice the mean rank of its rows, less one',
        'positives_through': 'the positive rows down to the level',
        'level_negatives': 'the weight of the negative rows at this level; this and the next four only with weight=',
        'positives_above': 'the weight of the positive rows strictly above the level',
        'negatives_above': 'the weight of the negative rows strictly above the level',
        'negatives_through': 'the weight of the negative rows down to the level',
        'negatives_place': 'the weight of the negative rows above the level plus the weight down to it',
        'level_squares': 'the sum of the squared weights at this level, of bins and of the points of curves',
        'score': 'the score of the level',
    } -%}
    {%- set arms = {'score': 'the score of the level'} -%}
    {%- for count, of in {
        'treated': 'the treated rows', 'control': 'the other rows', 'treated_positives': 'the positive treated rows',
        'control_positives': 'the positive ones of the others',
    }.items() -%}
        {%- do arms.update({
            count: of ~ ' at this level',
            count ~ '_above': of ~ ' strictly above',
            count ~ '_through': of ~ ' down to it',
        }) -%}
    {%- endfor -%}
    {%- do return({
        'arms': arms,
        'rows': {
            'problem': 'why the row cannot be used, 0 for a usable row',
            'label': 'the label as a number',
            'label_text': 'the label as a text, if positive= is one',
            'score': 'the score',
            'weight': 'the weight of the row',
            'outcome': 'with soft=true: 1 for the positive outcome of the row, 0 for the other',
            'class': 'the label as the class that it is',
            'predicted': 'the predicted class',
            'decision': 'the predicted class as a number',
            'class_number': 'the number of the label among the classes of class_scores=, from 1; 0 for another class',
            'true_score': 'the score of that class',
            'group': 'the list of the row',
            'item': 'the item of the row',
            'listed': '1 for a row of the data, 0 for an item that only the truth has',
            'unjudged': '1 for a listed item that the truth lacks',
            'unit': 'the number of what a bootstrap draws, of the row or its list',
        },
        'precisions': {
            'precision': 'the share of positive rows, by weight, among those down to the level of the row',
            'reciprocals': 'the sum of weight / weight down to its level over the positive rows of the level and below',
            'shares': 'the same, each times the precision at its level',
        },
        'recalibration': {
            'at_mean': 'the logit of the fitted line at the mean of the logits',
            'slope': 'its slope',
            'q': 'the sum of p (1 - p) of the fitted probabilities',
            'qx': 'the same, each times the logit less the mean',
            'qxx': 'the same, each times its square',
            'offset': 'the logit at that mean of a line of slope 1',
            'offset_q': 'the sum of p (1 - p) of its probabilities',
        },
        'quantiles': {
            'value': 'the label or the absolute error',
            'share': 'the share of the weight down to it',
        },
        'ranks': {
            'label_first': 'the rank that begins the block of equal labels',
            'label_share': 'the share of rows down to its end',
            'score_first': 'the same of scores',
            'score_share': 'the same of scores',
        },
        'rank_halves': {
            'agreeing': 'the pairs of both halves of a block in the same order, less those in opposite orders',
        },
        'levels': level,
        'bins': dict(
            level,
            bin='the bin, from 0 at the lowest scores',
            level_scores='the sum of its scores, each times its weight',
            least='its least score',
            greatest='its greatest score',
        ),
        'grades': {
            'label': 'the grade',
            'n': 'the items of the grade in the list',
            'n_listed': 'the listed ones',
            'n_unjudged': 'the listed ones that nobody judged',
            'weight': 'the weight of the list',
            'weight_min': 'the least of it',
            'split': 'whether the truth puts the list in several slices',
            'judged_above': 'the items of higher grades',
            'judged_through': 'those and the items of the grade',
            'listed_above': 'the same of listed items',
            'listed_through': 'the same of listed items',
            'ideal_judged_above.sm_discount': 'the sum of the discounts of the ranks down to judged_above',
            'ideal_judged_through.sm_discount': 'down to judged_through',
            'ideal_listed_above.sm_discount': 'down to listed_above',
            'ideal_listed_through.sm_discount': 'down to listed_through',
            'ideal_judged_above.sm_harmonic': 'the same of 1/rank',
            'ideal_judged_through.sm_harmonic': 'the same of 1/rank',
            'ideal_listed_above.sm_harmonic': 'the same of 1/rank',
            'ideal_listed_through.sm_harmonic': 'the same of 1/rank',
            'ideal_judged_above.sm_original': 'the same of the discount of 2002',
            'ideal_judged_through.sm_original': 'the same of the discount of 2002',
            'ideal_listed_above.sm_original': 'the same of the discount of 2002',
            'ideal_listed_through.sm_original': 'the same of the discount of 2002',
        },
        'items': {
            'label': 'the grade',
            'tie_first': 'the first rank of the items of its score',
            'tie_last': 'the last one',
            'rank': 'the one rank of the item where ties= gives it one',
            'unjudged': '1 for an item that nobody judged',
            'relevant_through': 'the relevant items down to the last of its score',
            'relevant_tied': 'the relevant items of its score',
            'unjudged_through': 'the unjudged items down to the last of its score',
            'unjudged_tied': 'those of its score',
            'pooled_through': 'those with a label below 0 down to there',
            'pessimistic_rank': 'the rank where the lowest grade comes first among equal scores',
            'pessimistic_relevant': 'the relevant items down to that rank',
            'reached': 'the chance that a cascading user comes down to the item',
            'above.sm_discount': 'the sum of the discounts of the ranks above the items of its score',
            'above.sm_harmonic': 'the same of 1/rank',
            'above.sm_original': 'the same of the discount of 2002',
            'through.sm_discount': 'the same down to the last of them',
            'through.sm_harmonic': 'the same of 1/rank',
            'through.sm_original': 'the same of the discount of 2002',
        },
        'hits': {
            'position': 'a rank that the first relevant item may hold',
            'chance': 'the chance that it does',
        },
        'subtopics': {
            'listed': 'whether the item was listed',
            'place': 'its rank',
            'served': 'the items of the list above it that serve the subtopic',
        },
        'picks': {
            'pick': 'the rank of the item in the ideal order, 0 without one',
            'worth': 'the gain of its subtopic there',
        },
        'best_items': {
            'label': 'the grade of the item',
        },
        'lists': {
            'duplicate_rows': 'the rows that repeat an item of the list',
            'lists.sm_slice': 'the first slice of the list',
            'lists.sm_last_slice': 'its last slice',
        },
        'classes': {
            'class': 'the class',
            'support': 'the weight labelled so',
            'predicted_as': 'the weight predicted so',
            'right': 'the weight of both',
            'missed': 'the weight labelled so and predicted otherwise',
            'mistaken': 'the weight predicted so and labelled otherwise',
            'all_missed': 'the weight of all rows that are predicted otherwise than labelled',
            'place': 'the place of the class in their order',
            'support_through': 'the weight labelled so or as a class before',
            'predicted_as_through': 'the weight predicted so or before',
            'support_steps': 'the weight labelled so or before, times twice its distance and one',
            'predicted_as_steps': 'the weight predicted so or before, times twice its distance and one',
            'support_after': 'the weight labelled as a class after',
            'predicted_as_after': 'the weight predicted as a class after',
            'right_after': 'the weight of both for the classes after',
        },
        'cells': {
            'weight': 'the weight of a label and a prediction',
            'class_place': 'the place of the label',
            'predicted_place': 'the place of the prediction',
        },
        'examples': {
            'n_true': 'the positive rows of the example',
            'n_rows_of_example': 'its rows',
            'n_scored': 'its classes',
            'n_classes': 'the classes of all examples',
            'sum_of_scores': 'the sum of its scores',
            'least_weight': 'the least weight of its rows',
            'greatest_weight': 'the greatest one',
        },
        'subsets': {
            'repeated_items': 'the rows of the subset that repeat an item',
        },
        'class_areas': {
            'positives': 'the examples of the class',
            'negatives': 'the others',
            'wins': 'the pairs that its score orders rightly',
            'pair_areas': 'the AUCs against each other class',
            'pairs': 'their number',
            'weighted_pair_areas': 'the same, each times the examples of both',
            'item': 'the class',
            'precisions': 'the precision down to each of its examples, summed',
            'pair_weights': 'the examples of both, summed',
            'micro_wins': 'the wrong scores of the class below each right score of any class, counted in pairs',
            'micro_precisions': 'the precision down to each of its examples among the scores of all classes, summed',
        },
        'class_bins': {
            'item': 'the number of the class',
            'level_positives': 'the weight of its examples, or of those whose class has the highest score',
            'level_scores': 'the sum of the scores, each times its weight',
        },
        'set_sizes': {
            'covered': 'the weight of the examples whose class is in their set',
            'examples': 'the weight of all examples of the size',
        },
        'tops': {
            'place': 'the rank of the item',
            'label': 'its label',
            'label_place': 'its rank by label, among all items of the list',
            'interactions': 'its past interactions',
            'item_users': 'the users who had them',
            'popularity_rank': 'the rank of that number of interactions',
            'more_popular': 'the interactions of more popular items',
            'all_interactions': 'the interactions of all items',
        },
        'pairs': {
            'distance': 'the distance of two items',
            'one.sm_place': 'the rank of the one',
            'other.sm_place': 'the rank of the other',
        },
        'exposures': {
            'catalog.sm_item': 'the item, where the catalog has it',
            'catalog.sm_category': 'its category',
        },
        'repeated': {
            'copies': 'how often the list has the item',
        },
        'catalog_items': {
            'item': 'the item',
        },
        'interactions': {
            'group': 'the user',
            'item': 'the item',
        },
    }) -%}
{%- endmacro %}

{#
  The columns that exist only where the grades of lists are counted. A list metric that reads one of them uses the
  general plan (stages/lists/lists_by_rank.sql).
#}
{% macro counted_columns() -%}
    {%- do return({
        'grade_sums': [
            'n_listed', 'n_unjudged', 'weight', 'weight_min', 'split', 'judged_above', 'listed_above', 'listed_through',
            'ideal_listed_above.sm_discount', 'ideal_listed_through.sm_discount', 'ideal_listed_above.sm_harmonic',
            'ideal_listed_through.sm_harmonic', 'ideal_listed_above.sm_original', 'ideal_listed_through.sm_original',
        ],
        'item_sums': ['rank', 'unjudged', 'unjudged_through', 'unjudged_tied', 'pooled_through'],
    }) -%}
{%- endmacro %}

{# Declares a column that exists once for each option. Returns its hole. #}
{% macro declare(plan, kind, name) -%}
    {%- do plan['declared'].update({name: plan['declared'].get(name, []) + [kind]}) -%}
    {%- do return('{' ~ name ~ '}') -%}
{%- endmacro %}

{# The columns that metrics name, as a statement calls them. #}
{% macro names_of_row_columns(plan) -%}
    {%- do return(sqlmetrics.prefixed(plan['row_columns'].values() | map(attribute='hole'), 'sm_')) -%}
{%- endmacro %}

{# The columns of the subsets in a statement. #}
{% macro list_subset_columns(plan) -%}
    {%- do return(plan['list_subsets'].values() | map(attribute='column') | list) -%}
{%- endmacro %}

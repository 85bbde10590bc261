{#
  The arms of metrics that people correct (inference/corrected.sql). Each model of the user has these; in
  `plan_labels` it lacks the arm named others, which nothing reads there:
    people: the rows that people labelled, by their labels
    judge: the same rows, by the labels of the machine
    others: all other rows, by the labels of the machine; with gold_weight= all rows
    all: all rows, by the labels of the machine
  A metric of lists takes whole lists: a list is that of people if they labelled each row that the machine did.
#}

{# The number of an arm among the models of the plan. #}
{% macro number_of_arm(plan, model, arm) -%}
    {%- set arms = plan['question']['arms'] -%}
    {%- do return((model - 1) * arms | length + arms.index(arm) + 1) -%}
{%- endmacro %}

{#
  The plan of `evaluate` with gold=.

  Args: those of `evaluate`, whose interval is 0.95 by default; gold: the label by people, NULL where they gave none
  Errors: those of `plan_of_arms`
#}
{% macro plan_with_gold(metrics, gold, relation=none, score=none, models=none, interval=none) -%}
    {%- set score = sqlmetrics.named_scores(score, models, relation) -%}
    {%- set plan = sqlmetrics.plan_of_arms(
        metrics, sqlmetrics.question_of_gold(score is mapping), gold, score if score is mapping else {'': score},
        relation=relation, models=models, interval=0.95 if interval is none else interval, **kwargs
    ) -%}
    {%- do plan['result'].update({'columns': sqlmetrics.columns_of_corrected(plan)}) -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# Rejects a weight of labels by people where there are none. #}
{% macro check_gold_weight(gold) -%}
    {%- if gold is none -%}
        {{- sqlmetrics.refuse("gold_weight= is of labels by people; pass their column as gold=") -}}
    {%- endif -%}
{%- endmacro %}

{# The weight of a row of an arm: in those that people labelled also the inverse of the chance of that. #}
{% macro weight_of_arm(roles, arm) -%}
    {%- set inverse = ' * ' ~ sqlmetrics.sql_double(roles['gold_weight']) if arm in ('people', 'judge') else '' -%}
    {{- roles['weight'] ~ inverse -}}
{%- endmacro %}

{#
  A plan whose models are the arms of the user's.

  Args:
    score: the column of each of the user's models, by their names
    gold_weight: the inverse of the chance with which people were given a row
    models: long form; the rows of an arm are then those of its model
    number_by: the columns in whose order rows are numbered, as SQL; without them the labels, since any number does
  Errors: options that do not go with gold=; a metric without an influence; metrics of lists beside others with group=
#}
{% macro plan_of_arms(
    metrics, question, gold, score, gold_weight=none, relation=none, label=none, models=none, group=none, weight=none,
    where=none, truth=none, interval_method=none, columns=none, number_by=none
) -%}
    {%- for name, value in {'truth': truth, 'interval_method': interval_method}.items() if value is not none -%}
        {{- sqlmetrics.refuse("gold= does not go with " ~ name ~ "=; leave one of them out") -}}
    {%- endfor -%}
    {%- if label is none -%}
        {{- sqlmetrics.refuse("gold= corrects the labels of a machine; pass their column as label=") -}}
    {%- elif sqlmetrics.is_tables(relation) or score.values() | select('mapping') | list -%}
        {{- sqlmetrics.refuse("gold= reads one table; pass a column of scores for each model") -}}
    {%- endif -%}
    {%- set of_gold, arms = question['arms'], {} -%}
    {%- for name, column in score.items() -%}
        {%- for arm in of_gold -%}
            {%- do arms.update({
                name ~ " " ~ arm: {'sql': column, 'relation': 'sm_source', 'read_once': false},
            }) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set roles = {'label': label, 'gold': gold} -%}
    {%- for name, column in {'weight': weight, 'gold_weight': gold_weight}.items() if gold_weight is not none -%}
        {%- do roles.update({name: '1' if column is none else column}) -%}
    {%- endfor -%}
    {%- set roles = roles if columns is not none else sqlmetrics.expressions(roles) -%}
    {%- do question.update({'judged': roles['label']}) -%}
    {%- set plan = sqlmetrics.plan(
        metrics, question, relation=relation, label='sm_judgement', gold=gold, score=arms,
        weight=weight if gold_weight is none else 'sm_judgement_weight',
        group='sm_row_number' if group is none else group, where=where, columns=columns,
        **dict(kwargs, read_once=true)
    ) -%}
    {{- sqlmetrics.refuse_own_names(plan, 'gold=') -}}
    {%- set of_lists = sqlmetrics.compared_by(plan, ['lists']) -%}
    {%- if of_lists and of_lists | length < plan['compared_metrics'] | length -%}
        {{- sqlmetrics.refuse(
            "With gold=, a metric of lists takes lists that people labelled whole, and any other takes rows; ask for '"
                ~ plan['compared_metrics'][of_lists[0] - 1]['notation'] ~ "' in a call of its own"
        ) -}}
    {%- endif -%}
    {%- set by_people = roles['gold'] ~ ' is not null and ' ~ roles['label'] ~ ' is not null' -%}
    {%- set by_people = 'sm_by_people = 1' if of_lists else by_people -%}
    {%- set others = 'sm_by_people = 0' if of_lists else roles['gold'] ~ ' is null' -%}
    {#- drawn with unequal chances, neither part is like all rows: the others are then all rows -#}
    {%- set others = others if gold_weight is none else '1 = 1' -%}
    {%- do question['own'].update({
        'unequal': gold_weight is not none,
        'mixed': gold_weight is not none or group is not none and of_lists | length == 0,
    }) -%}
    {%- set conditions = {'people': by_people, 'judge': by_people, 'others': others, 'all': '1 = 1'} -%}
    {%- set arms, model_of_row = [], sqlmetrics.model_of_row(models, columns) -%}
    {%- for model in plan['facts']['models'] -%}
        {%- set arm = of_gold[loop.index0 % of_gold | length] -%}
        {%- set name = model['name'].removesuffix(' ' ~ arm) -%}
        {%- set own = '' if models is none else model_of_row ~ ' = ' ~ sqlmetrics.sql_text(name) ~ ' and ' -%}
        {%- do arms.append(dict(model, name=name, relation='(select *, '
            ~ roles['gold' if arm == 'people' else 'label'] ~ ' as sm_judgement'
            ~ ('' if gold_weight is none else ', ' ~ sqlmetrics.weight_of_arm(roles, arm) ~ ' as sm_judgement_weight')
            ~ ' from sm_source where '
            ~ own ~ conditions[arm] ~ ')')) -%}
    {%- endfor -%}
    {%- if of_lists or group is none -%}
        {%- set list = [plan['facts']['group']] + ([] if models is none else [model_of_row]) -%}
        {%- set added = 'min(case when ' ~ roles['label'] ~ ' is not null and ' ~ roles['gold']
            ~ ' is null then 0 else 1 end) over (partition by ' ~ list | join(', ') ~ ') as sm_by_people'
            if of_lists else sqlmetrics.sql_integer(
                'row_number() over (order by ' ~ (number_by or roles.values()) | join(', ') ~ ')'
            ) ~ ' as sm_row_number' -%}
        {%- set relation = '(select *, ' ~ added ~ ' from ' ~ sqlmetrics.from_item(relation)
            ~ sqlmetrics.condition(plan) ~ ')' -%}
    {%- endif -%}
    {%- do sqlmetrics.with_facts(plan, models=arms, relation=relation) -%}
    {%- if gold_weight is not none -%}
        {%- do plan['result']['bad_rows'].update({
            'rows_bad_weight': 'gold_weight' if weight is none else 'product of weight and gold_weight',
        }) -%}
    {%- endif -%}
    {%- set counted = range(1, arms | length, of_gold | length) -%}
    {%- do plan['result']['audit'].update({
        'n_gold': 'case when sm_row_sums.sm_model in (' ~ counted | join(', ') ~ ') then sm_n_rows end',
    }) -%}
    {%- do return(plan) -%}
{%- endmacro %}

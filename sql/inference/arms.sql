{#
  The arms of metrics that people correct (inference/corrected.sql). Each model of the user has four:
    people: the rows that people labelled, by their labels
    judge: the same rows, by the labels of the machine
    others: all other rows, by the labels of the machine
    all: all rows, by the labels of the machine
  A metric of lists takes whole lists: a list is that of people if they labelled each row that the machine did.
#}

{# The arms, in the order of their numbers. #}
{% macro arms_of_gold() -%}{%- do return(['people', 'judge', 'others', 'all']) -%}{%- endmacro %}

{# The number of an arm among the models of the plan. #}
{% macro number_of_arm(model, arm) -%}
    {%- do return((model - 1) * sqlmetrics.arms_of_gold() | length + sqlmetrics.arms_of_gold().index(arm) + 1) -%}
{%- endmacro %}

{#
  The plan of `evaluate` with gold=.

  Args: those of `evaluate`, whose interval is 0.95 by default; gold: the label by people, NULL where they gave none
  Errors: options that do not go with it; a metric without an influence; metrics of lists beside others with group=
#}
{% macro plan_with_gold(
    metrics, gold, relation=none, label=none, score=none, models=none, group=none, where=none, truth=none,
    interval=none, interval_method=none, columns=none
) -%}
    {%- for name, value in {'models': models, 'truth': truth, 'interval_method': interval_method}.items()
        if value is not none -%}
        {{- sqlmetrics.refuse("gold= does not go with " ~ name ~ "=; leave one of them out") -}}
    {%- endfor -%}
    {%- if label is none -%}
        {{- sqlmetrics.refuse("gold= corrects the labels of a machine; pass their column as label=") -}}
    {%- elif sqlmetrics.is_tables(relation) -%}
        {{- sqlmetrics.refuse("gold= reads one table; pass a column of scores for each model") -}}
    {%- endif -%}
    {%- set score = sqlmetrics.named_scores(score) -%}
    {%- set named, arms = score is mapping, {} -%}
    {%- for name, column in (score if named else {'': score}).items() -%}
        {%- for arm in sqlmetrics.arms_of_gold() -%}
            {%- do arms.update({
                name ~ " " ~ arm: {'sql': column, 'relation': 'sm_source', 'read_once': false},
            }) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set roles = {'label': label, 'gold': gold} -%}
    {%- set roles = roles if columns is not none else sqlmetrics.expressions(roles) -%}
    {%- set plan = sqlmetrics.plan(
        metrics, sqlmetrics.question_of_gold(named), relation=relation, label='sm_judgement', gold=gold, score=arms,
        group='sm_row_number' if group is none else group, where=where, columns=columns,
        interval=0.95 if interval is none else interval, **dict(kwargs, read_once=true)
    ) -%}
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
    {%- set conditions = {'people': by_people, 'judge': by_people, 'others': others, 'all': '1 = 1'} -%}
    {%- set models = [] -%}
    {%- for model in plan['facts']['models'] -%}
        {%- set arm = sqlmetrics.arms_of_gold()[loop.index0 % sqlmetrics.arms_of_gold() | length] -%}
        {%- set name = model['name'].removesuffix(' ' ~ arm) -%}
        {%- do models.append(dict(model, name=name, relation='(select *, '
            ~ roles['gold' if arm == 'people' else 'label'] ~ ' as sm_judgement from sm_source where '
            ~ conditions[arm] ~ ')')) -%}
    {%- endfor -%}
    {%- if of_lists or group is none -%}
        {%- set added = 'min(case when ' ~ roles['label'] ~ ' is not null and ' ~ roles['gold']
            ~ ' is null then 0 else 1 end) over (partition by ' ~ plan['facts']['group'] ~ ') as sm_by_people'
            if of_lists else sqlmetrics.sql_integer(
                'row_number() over (order by ' ~ roles.values() | join(', ') ~ ')'
            ) ~ ' as sm_row_number' -%}
        {%- set relation = '(select *, ' ~ added ~ ' from ' ~ sqlmetrics.from_item(relation)
            ~ sqlmetrics.condition(plan) ~ ')' -%}
    {%- endif -%}
    {%- do sqlmetrics.with_facts(plan, models=models, relation=relation) -%}
    {%- set counted = range(1, models | length, sqlmetrics.arms_of_gold() | length) -%}
    {%- do plan['result']['audit'].update({
        'n_gold': 'case when sm_row_sums.sm_model in (' ~ counted | join(', ') ~ ') then sm_n_rows end',
    }) -%}
    {%- do plan['result'].update({'columns': sqlmetrics.columns_of_corrected(plan)}) -%}
    {%- do return(plan) -%}
{%- endmacro %}

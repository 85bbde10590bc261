{#
  Needs: the sums that metrics ask of a grain, and the columns that these sums read.

  An expression is a template with named holes: `({score} - {label})`. A hole names a column of the grain
  (plan/columns.sql) or a sum of one of its parents. The plan keeps templates. A stage fills the holes when it is
  written: with `sm_score` in a statement, with an argument in a DuckDB macro. The plan therefore knows which columns
  are read, and makes no others.
#}

{#
  Asks for an aggregate at a grain. Equal expressions share a column.

  Args:
    grain: see plan/grains.sql
    name: the name of the column; a number is appended if another expression has the name
    inner: the template that is aggregated
    aggregate: sum, min, max or count
    more: further facts for the stage (plan/columns.sql, *Needs*)
  Returns: a hole, for templates of other grains
  Errors: a hole that is neither a column nor a sum that the grain may read; a role that was not given
#}
{% macro need(plan, grain, name, inner, aggregate='sum', more={}) -%}
    {%- set inner, name = inner | string, sqlmetrics.short_name(name) -%}
    {%- if sqlmetrics.kind_of_grain(plan, grain) not in plan['grains'] -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "'" ~ grain ~ "' in '" ~ name ~ "' is no grain. Grains: "
            ~ plan['grains'] | join(', ')
        ) -}}
    {%- endif -%}
    {%- set touched = plan['asked']['touched'].setdefault(grain, {}) -%}
    {%- if plan['question']['adds_up'] and grain in sqlmetrics.grains_kept() -%}
        {%- set hole = sqlmetrics.need_in_state(plan, grain, name, inner, aggregate, more) -%}
        {%- do touched.update({sqlmetrics.filled(plan, hole): true}) -%}
        {%- do return(hole) -%}
    {%- endif -%}
    {%- for role in plan['grains'][sqlmetrics.kind_of_grain(plan, grain)]['roles'] -%}
        {%- do sqlmetrics.need_role(plan, role) -%}
    {%- endfor -%}
    {%- for column, known in plan['needs'][grain].items()
        if known['inner'] == inner and known['aggregate'] == aggregate -%}
        {%- do sqlmetrics.ask_more(known, more) -%}
        {%- do touched.update({column: true}) -%}
        {%- do return(known['hole']) -%}
    {%- endfor -%}
    {%- set unique = name if name not in plan['sums']
        else sqlmetrics.short_name(name ~ '_' ~ (plan['needs'][grain] | length + 1)) -%}
    {%- do touched.update({'sm_' ~ unique: true}) -%}
    {%- do return(sqlmetrics.add_need(plan, grain, unique, inner, aggregate, more)) -%}
{%- endmacro %}

{#
  The name of a column without its sm_. An engine cuts a name that is too long, so that two with the same beginning
  would be one column: such a name keeps its beginning and ends in a hash of the whole.
#}
{% macro short_name(name) -%}
    {%- set most = sqlmetrics.sql_name_length() -%}
    {%- set fits = most is none or name | length + 3 <= most -%}
    {%- do return(name if fits else name[:most - 16] ~ '_' ~ local_md5(name)[:12]) -%}
{%- endmacro %}

{# Adds a sum under its name. #}
{% macro add_need(plan, grain, name, inner, aggregate, more) -%}
    {%- set hole, holes, kind = '{' ~ name ~ '}', sqlmetrics.holes(inner), sqlmetrics.kind_of_grain(plan, grain) -%}
    {%- do sqlmetrics.check_reads(plan, grain, kind, name, inner, holes) -%}
    {%- set need = {'name': name, 'hole': hole, 'inner': inner, 'holes': holes, 'aggregate': aggregate, 'reach': []} -%}
    {%- do sqlmetrics.ask_more(need, more) -%}
    {%- do plan['needs'][grain].update({'sm_' ~ name: need}) -%}
    {%- do plan['sums'].update({name: kind}) -%}
    {%- if plan['reads_scores'] is none and sqlmetrics.reads_score_value(plan, kind, inner) -%}
        {%- do plan.update({'reads_scores': plan['asked']['metric']}) -%}
    {%- endif -%}
    {%- do return(hole) -%}
{%- endmacro %}

{#
  True if a sum reads the value of the score and not its place in an order: it does more than compare it. Minus infinity
  has no value, so that a row with this score is unusable in such a call.
#}
{% macro reads_score_value(plan, kind, inner) -%}
    {%- if kind in ('bins', 'error_quantiles') or kind in plan['class_bins'] and not plan['facts']['class_scores'] -%}
        {%- do return(true) -%}
    {%- endif -%}
    {%- if not plan['grains'][kind].get('of_data') -%}{%- do return(false) -%}{%- endif -%}
    {%- set pieces = inner.split('{score}') -%}
    {%- for after in pieces[1:] -%}
        {%- set before = pieces[loop.index0] | replace('(', ' when ') -%}
        {%- if (['when'] + before.split())[-1] not in ('when', 'and', 'or', 'not')
            or (after.split() + [''])[0] not in ('<', '<=', '>', '>=', '=', '<>', 'in') -%}
            {%- do return(true) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(false) -%}
{%- endmacro %}

{# Merges the demands of several metrics on one sum: it reaches as far as the furthest of them. #}
{% macro ask_more(need, more) -%}
    {%- for key, value in more.items() -%}
        {%- if key == 'reach' -%}
            {%- do need['reach'].append(value) -%}
        {%- else -%}
            {%- do need.update({key: value}) -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}

{# The names in the holes of a template, without repeats. #}
{% macro holes(template) -%}
    {%- set found = {} -%}
    {%- for piece in (template | string).split('{') -%}
        {%- if not loop.first -%}{%- do found.update({piece.split('}')[0]: true}) -%}{%- endif -%}
    {%- endfor -%}
    {%- do return(found | list) -%}
{%- endmacro %}

{# Notes the columns and sums that a template reads. Rejects those that the grain does not have. #}
{% macro check_reads(plan, grain, kind, name, template, holes) -%}
    {%- set rule, reads = plan['grains'][kind], plan['reads'].setdefault(grain, {}) -%}
    {%- for hole in holes if hole not in reads -%}
        {%- if hole in rule['columns'] -%}
            {%- if rule.get('of_data') and hole in ('label', 'score', 'group', 'item', 'weight') -%}
                {%- do sqlmetrics.need_role(plan, hole) -%}
            {%- endif -%}
            {%- if hole == 'rank' and kind == 'item_sums' and plan['facts']['ties'] == 'average' -%}
                {{- sqlmetrics.refuse_metric(
                    plan,
                    "{rank} in '" ~ name
                    ~ "' is not there with ties='average', where"
                    ~ " items of a score hold the ranks {tie_first} to {tie_last}; see sql/language/ties.sql"
                ) -}}
            {%- endif -%}
        {%- elif not sqlmetrics.grain_has(plan, kind, hole) -%}
            {{- sqlmetrics.refuse_metric(
                plan,
                "{" ~ hole ~ "} in '" ~ name ~ "' is no column of the grain " ~ kind
                ~ sqlmetrics.columns_of_grain(plan, kind)
            ) -}}
        {%- endif -%}
        {%- do reads.update({hole: true}) -%}
    {%- endfor -%}
    {%- if 'sm_' in template -%}
        {%- for piece in template.split('}') if 'sm_' in piece.split('{')[0] -%}
            {{- sqlmetrics.refuse_metric(
                plan,
                "'" ~ name ~ "' names a column of ours as text, '"
                ~ piece.split('{')[0] | trim ~ "'; write it as a hole, such as {score}"
            ) -}}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}

{#
  Rejects a name that a reader does not have. It would be read by nobody, and change a number in silence.

  Args:
    reader: a grain, which reads its columns and the sums of its parents; points or arm_points, those of a curve, which
      read columns of levels or arms; stages or values, which read sums of all grains; roles
    names: columns and sums, as in holes
#}
{% macro check_names_read(plan, reader, names) -%}
    {%- set kind = {'points': 'levels', 'arm_points': 'arms'}.get(reader, sqlmetrics.kind_of_grain(plan, reader)) -%}
    {%- set known = plan['facts'] if reader == 'roles'
        else dict(plan['sums'], auc_discordant=true, auc_variance=true) if reader in ('stages', 'values') else {} -%}
    {%- if not known and kind not in plan['grains'] -%}
        {{- sqlmetrics.refuse("'" ~ reader ~ "' is no grain. Grains: " ~ plan['grains'] | join(', ')) -}}
    {%- endif -%}
    {%- for name in names if name not in known and (known or not sqlmetrics.grain_has(plan, kind, name)) -%}
        {{- sqlmetrics.refuse(
            "'" ~ name ~ "' is no column of the grain " ~ kind ~ sqlmetrics.columns_of_grain(plan, kind) if not known
            else "'" ~ name ~ "' is no " ~ ('role' if reader == 'roles' else 'sum') ~ " that " ~ reader ~ " can read"
        ) -}}
    {%- endfor -%}
{%- endmacro %}

{# True if templates of a grain can read a column or a sum. #}
{% macro grain_has(plan, kind, name) -%}
    {%- set rule = plan['grains'][kind] -%}
    {%- do return(
        name in rule['columns'] or plan['sums'].get(name) in rule['parents'] or kind in plan['declared'].get(name, [])
    ) -%}
{%- endmacro %}

{# What templates of a grain can read, at the end of a message. #}
{% macro columns_of_grain(plan, kind) -%}
    {%- set rule = plan['grains'][kind] -%}
    . Columns: {{ rule['columns'] | join(', ') }}
    {{- '; sums of ' ~ rule['parents'] | join(', ') if rule['parents'] }}
{%- endmacro %}

{# Notes that a grain, a stage or the values of models read columns or sums, by their holes. #}
{% macro note_reads(plan, reader, holes) -%}
    {%- do sqlmetrics.check_names_read(plan, reader, holes) -%}
    {%- for hole in holes -%}{%- do plan['reads'].setdefault(reader, {}).update({hole: true}) -%}{%- endfor -%}
{%- endmacro %}

{# Sums that a stage itself reads, filled for a statement. #}
{% macro sums_of_stage(plan, template) -%}
    {%- do sqlmetrics.note_reads(plan, 'stages', sqlmetrics.holes(template)) -%}
    {%- do return(sqlmetrics.filled(plan, template)) -%}
{%- endmacro %}

{#
  The sums of a grain that are read. A comparison of pairs and a search of slices add up the ratios of metrics over
  units, and need no sums of all rows or lists for them.
#}
{% macro sums_read(plan, grain) -%}
    {%- set needs = plan['needs'][grain] -%}
    {%- if plan['question']['keeps'] != 'units' or plan['resampled'] -%}{%- do return(needs) -%}{%- endif -%}
    {%- set counts = plan['result']['audit'].values() | list + plan['result']['checks'] | list
        + plan['result']['checks'].values() | map(attribute='value') | list -%}
    {%- set found = {} -%}
    {%- for column, need in needs.items() -%}
        {%- for reads in plan['reads'].values() if need['name'] in reads -%}
            {%- do found.update({column: need}) -%}
        {%- endfor -%}
        {%- if column in counts -%}{%- do found.update({column: need}) -%}{%- endif -%}
    {%- endfor -%}
    {%- do return(found) -%}
{%- endmacro %}

{# True if some need of a grain reads a column, or one of several. A statement has hundreds of such questions. #}
{% macro reads(plan, grain, columns) -%}
    {%- set found, declared = plan['reads'].get(grain, {}), plan['grains'].get(grain, {}).get('columns', {}) -%}
    {%- if columns is string and columns in declared -%}{%- do return(columns in found) -%}{%- endif -%}
    {%- set names = [columns] if columns is string else columns -%}
    {%- for name in names if name not in declared -%}
        {%- do sqlmetrics.check_names_read(plan, grain, [name]) -%}
    {%- endfor -%}
    {%- for name in names if name in found -%}
        {%- do return(true) -%}
    {%- endfor -%}
    {%- do return(false) -%}
{%- endmacro %}

{# True if templates of a grain read a sum of another one. #}
{% macro reads_sums(plan, grain, of) -%}
    {%- if of not in plan['grains'].get(grain, {}).get('parents', []) -%}
        {{- sqlmetrics.refuse("'" ~ of ~ "' is no parent of the grain '" ~ grain ~ "'") -}}
    {%- endif -%}
    {%- for hole in plan['reads'].get(grain, {}) if plan['sums'].get(hole) == of -%}
        {%- do return(true) -%}
    {%- endfor -%}
    {%- do return(false) -%}
{%- endmacro %}

{# A template with its holes filled for a statement: {score} is the column sm_score. #}
{% macro filled(plan, template) -%}
    {%- if plan['literals'] -%}{%- do return(sqlmetrics.with_holes(template, plan['literals'], 'sm_')) -%}{%- endif -%}
    {%- do return((template | string).replace('{', 'sm_').replace('}', '')) -%}
{%- endmacro %}

{#
  A template with some of its holes filled by other text.

  Args:
    texts: hole -> text
    prefix: the prefix that makes any other hole a column; none leaves it a hole
#}
{% macro with_holes(template, texts, prefix=none) -%}
    {%- set pieces = (template | string).split('{') -%}
    {%- set out = [pieces[0]] -%}
    {%- for piece in pieces -%}
        {%- if not loop.first -%}
            {%- set hole, rest = piece.split('}', 1) -%}
            {%- set otherwise = '{' ~ hole ~ '}' if prefix is none else prefix ~ hole -%}
            {%- do out.extend([texts[hole] if hole in texts else otherwise, rest]) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(out | join) -%}
{%- endmacro %}

{# The select-list entries of a grain's needs. #}
{% macro aggregates(plan, grain, only=none) -%}
    {%- set columns = [] -%}
    {%- for column, need in plan['needs'][grain].items() if only is none or column in only -%}
        {%- do columns.append(
            sqlmetrics.sql_aggregate(need['aggregate'], sqlmetrics.filled(plan, need['inner'])) ~ ' as ' ~ column
        ) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{#
  Checks an assumption of the metric about the data: counts the offending rows, and makes the metric NULL if there are
  any.

  Args:
    grain: one with one result row for each slice, or one in all
    name: the result column of the count
    broken: a template, true for an offending row, list or item
    message: the error message after the count; {value} stands for an offending value
    value: a template, the offending value
#}
{% macro require(plan, grain, name, broken, message, value=none) -%}
    {%- if not plan['question']['checks'] -%}{%- do return('') -%}{%- endif -%}
    {%- set broken = sqlmetrics.counted_once(plan, broken) if grain == 'rows' else broken -%}
    {%- set guard = sqlmetrics.need(plan, grain, name, 'case when ' ~ broken ~ ' then 1 else 0 end') -%}
    {%- set column = sqlmetrics.filled(plan, guard) -%}
    {%- if column not in plan['result']['checks'] or plan['result']['checks'][column]['hint'] is not none -%}
        {%- set example = none -%}
        {%- if value is not none and plan['facts']['examples'] -%}
            {%- set offending = 'case when ' ~ broken ~ ' then ' ~ value ~ ' end' -%}
            {%- set example = sqlmetrics.need(plan, grain, name ~ '_value', offending, 'max') -%}
        {%- endif -%}
        {%- do plan['result']['checks'].update({column: {
            'name': name, 'message': message, 'grain': grain, 'hint': none, 'text': false,
            'value': none if example is none else sqlmetrics.filled(plan, example),
            'value_hole': example,
        }}) -%}
    {%- endif -%}
    {%- if guard not in plan['asked']['guards'] -%}
        {%- do plan['asked']['guards'].append(guard) -%}
    {%- endif -%}
{%- endmacro %}

{#
  Counts rows that hint at a mistake of the call. No metric becomes NULL: Python adds a note (results/mistakes.py).
  Only calls from Python over data ask for it.

  Args:
    name: the count
    condition: a template, true for a row that counts
    value: a template, of which the note takes an extreme
    aggregate: that extreme, max or min
    text: true if the value is a text
    grain: the grain of the row, list or item that counts
#}
{% macro hint(plan, name, condition, value=none, aggregate='max', text=false, grain='rows') -%}
    {%- if sqlmetrics.gives_hints(plan) -%}
        {%- set counted = sqlmetrics.need(plan, grain, name, 'case when ' ~ condition ~ ' then 1 else 0 end') -%}
        {%- set column = sqlmetrics.filled(plan, counted) -%}
        {%- if column not in plan['result']['checks'] -%}
            {%- set extreme = none if value is none
                else sqlmetrics.need(plan, grain, name ~ '_value', value, aggregate) -%}
            {%- do plan['result']['checks'].update({column: {
                'name': name, 'message': '', 'grain': grain, 'hint': aggregate, 'text': text,
                'value': none if extreme is none else sqlmetrics.filled(plan, extreme), 'value_hole': extreme,
            }}) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{# True if notes may follow from counts. #}
{% macro gives_hints(plan) -%}
    {%- do return(plan['facts']['examples'] and plan['question']['hints']) -%}
{%- endmacro %}

{# The template of a metric, NULL if one of its guards counted anything. #}
{% macro guarded(plan, value) -%}
    {%- if plan['question']['guard'] -%}
        {{- plan['question']['guard'](plan, value) -}}
    {%- elif not plan['asked']['guards'] -%}
        {{- value -}}
    {%- else -%}
        case when {{ plan['asked']['guards'] | join(' = 0 and ') }} = 0 then {{ value }} end
    {%- endif -%}
{%- endmacro %}

{# Adds a count beside the metrics: a column of the result. #}
{% macro audit(plan, grain, name, inner) -%}
    {%- if plan['question']['counts'] -%}
        {%- do plan['result']['audit'].update({
            name: sqlmetrics.filled(plan, sqlmetrics.need(plan, grain, name, inner)),
        }) -%}
    {%- endif -%}
{%- endmacro %}

{#
  A question as a macro of a shell.

  Args:
    shell: the arguments of the macro, its name, and whether it raises errors and takes steps (`shell_plan_of`)
    question: what it asks; none for that of `evaluate`
#}
{% macro question_of_shell(shell, question=none) -%}
    {%- do return(dict(
        question or sqlmetrics.question(), ends='macro', hints=false, steps=shell['steps'],
        guard=sqlmetrics.value_or_error if shell['raises'] else none, own=shell
    )) -%}
{%- endmacro %}

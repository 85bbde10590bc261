// Writes the script of a form: one statement for all metrics of rows, and one for each metric of lists.
import { literal, quoted } from "./statements.mjs";

/**
 * @param facts what the form says: label, positive, score, by, group, k, max_grade; "" where it says nothing
 * @param metrics the chosen ones, as metrics.json has them
 * @param columns of the file, each with name and type
 */
export function written(facts, metrics, columns) {
  if (!facts.label || !facts.score) return "-- Choose the columns of label and score\n";
  const parts = [];
  let data = "my_file";
  let positive = facts.label;
  if (facts.positive !== "") {
    const names = new Set(columns.map(({ name }) => name.toLowerCase()));
    positive = "is_positive";
    while (names.has(positive)) positive += "_";
    data = "my_rows";
    const test = `${quoted(facts.label)} >= ${facts.positive}`;
    parts.push(`create or replace view ${data} as\nselect *, ${test} as ${positive} from my_file;\n`);
  }
  // a metric of numbers or grades takes the label as it is
  const labelOf = (metric) => (metric.label === "class" ? positive : facts.label);
  const rows = metrics.filter(({ over }) => over !== "lists");
  const lists = metrics.filter(({ over }) => over === "lists");
  if (rows.length) parts.push(ofRows(rows, data, labelOf, facts));
  if (lists.length && !facts.group) parts.push("-- Metrics of lists need a column of lists\n");
  if (facts.group) for (const metric of lists) parts.push(ofLists(metric, data, labelOf(metric), facts));
  return parts.join("\n");
}

/** The values of metrics of rows, and beside them how many rows have no label or score, which metrics leave out. */
function ofRows(metrics, data, labelOf, { label, score, by }) {
  const calls = metrics.map((metric) => {
    const roles = { label: quoted(labelOf(metric)), score: quoted(score) };
    return `    ${metric.macro}(${metric.columns.map((column) => roles[column]).join(", ")}) as ${metric.macro}`;
  });
  const [noLabel, noScore] = [label, score].map((column) => `${quoted(column)} is null`);
  calls.push(`    count(*) filter (where ${noLabel}) as rows_bad_label`);
  if (metrics.some(({ columns }) => columns.includes("score")))
    calls.push(`    count(*) filter (where not ${noLabel} and ${noScore}) as rows_bad_score`);
  const slice = quoted(by);
  const first = by ? [`    if(grouping(${slice}) = 1, 'all', ${slice}::varchar) as ${slice}`] : [];
  const end = by ? `\ngroup by rollup (${slice})\norder by grouping(${slice}), ${slice}` : "";
  return `select\n${[...first, ...calls].join(",\n")}\nfrom ${data}${end};\n`;
}

/** The value of a metric of lists, and beside it the counts of rows and lists. */
function ofLists({ macro, options }, data, label, facts) {
  const named = { label, score: facts.score, '"group"': facts.group, by: facts.by };
  const roles = Object.entries(named).filter(([, column]) => column);
  const given = options.filter((option) => facts[option]).map((option) => [option, facts[option]]);
  const written = [...roles.map(([role, column]) => [role, literal(column)]), ...given];
  const call = `${macro}(${literal(data)}, ${written.map(([name, value]) => `${name} := ${value}`).join(", ")})`;
  if (!facts.by) return `select ${macro}, * exclude (${macro}) from ${call};\n`;
  const slice = `if(is_total = 1, 'all', slice::varchar) as ${quoted(facts.by)}`;
  return `select ${slice}, ${macro}, * exclude (slice, is_total, ${macro})\nfrom ${call};\n`;
}

// The result of a statement as a table of the page. All text is set as text, never as HTML.
import { DataType } from "apache-arrow";

export const MOST_ROWS = 50;
// columns that count rows without a value
const LEFT_OUT = { rows_bad_label: "label", rows_bad_score: "score", rows_bad_group: "list" };

/** An element with properties and children. */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/**
 * The first rows of a result.
 *
 * @param {import("apache-arrow").Table} table
 * @param {boolean} more whether there are rows after the last one of the table
 */
export function shown(table, more) {
  const fields = table.schema.fields;
  const made = fields.length === 1 && fields[0].name === "Count" && !table.numRows; // by a statement that creates
  if (made) return element("p", { textContent: "Done." });
  const head = element("tr", {}, ...fields.map((field) => element("th", { scope: "col", textContent: field.name })));
  const body = element("tbody");
  for (let row = 0; row < table.numRows; row++)
    body.append(element("tr", {}, ...fields.map((field, place) => cell(table.getChildAt(place).get(row), field.type))));
  const region = element("div", { className: "run-table", tabIndex: 0 });
  region.setAttribute("role", "group");
  region.setAttribute("aria-label", "Result");
  region.append(element("table", { className: "run-values" }, element("thead", {}, head), body));
  if (more) region.append(element("p", { textContent: `The first ${MOST_ROWS} rows.` }));
  if (!table.numRows) region.append(element("p", { textContent: "No rows." }));
  for (const [column, role] of Object.entries(LEFT_OUT)) {
    const counts = table.getChild(column)?.toArray() ?? [];
    const most = Math.max(0, ...Array.from(counts, Number)); // of all slices together, if there are slices
    const left = most === 1 ? `1 row without a ${role} is` : `${most} rows without a ${role} are`;
    if (most) region.append(element("p", { textContent: `${left} left out.` }));
  }
  return region;
}

function cell(value, type) {
  if (value === null || value === undefined) return element("td", { className: "run-null", textContent: "null" });
  const isNumber = typeof value === "bigint" || typeof value === "number";
  if (DataType.isTimestamp(type)) return element("td", { textContent: new Date(Number(value)).toISOString() });
  if (DataType.isDate(type)) return element("td", { textContent: new Date(Number(value)).toISOString().slice(0, 10) });
  if (isNumber) return element("td", { className: "run-number" }, number(value, type));
  return element("td", { textContent: typeof value === "object" ? written(value) : String(value) });
}

/** A number to read, which keeps all its digits as its value. */
function number(value, type) {
  const whole = !DataType.isFloat(type) || !Number.isFinite(value);
  const small = value !== 0 && Math.abs(Number(value)) < 0.001;
  const text = whole ? String(value) : small ? value.toPrecision(4) : value.toFixed(4);
  return element("data", { value: String(value), title: String(value), textContent: text });
}

const written = (value) => JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part));

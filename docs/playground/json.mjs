// JSON as CSV with the types of its columns: DuckDB's own reader of JSON would come from another host.

/**
 * @param {string} name of the file, for errors
 * @param {string} text an array of objects, or an object a line
 */
export function csv(name, text) {
  const rows = parsed(name, text);
  const names = [...new Set(rows.flatMap(Object.keys))];
  if (!names.length) throw new Error(`${name} has no objects`);
  const types = Object.fromEntries(names.map((column) => [column, typeOf(name, column, rows)]));
  const line = (row) => names.map((column) => field(row[column])).join(",");
  return { content: rows.map(line).join("\n") + "\n", types };
}

function parsed(name, text) {
  const content = text.trim();
  const lines = content.startsWith("[") ? content : `[${content.split(/\r?\n/).filter((line) => line.trim()).join(",")}]`;
  let rows;
  try {
    rows = JSON.parse(lines);
  } catch (error) {
    throw new Error(`${name} is neither an array of objects nor an object a line: ${error.message}`);
  }
  if (!rows.every((row) => row && typeof row === "object" && !Array.isArray(row)))
    throw new Error(`${name} is neither an array of objects nor an object a line`);
  return rows;
}

function typeOf(name, column, rows) {
  const values = rows.map((row) => row[column]).filter((value) => value !== null && value !== undefined);
  const kinds = new Set(values.map((value) => typeof value));
  if (kinds.size !== 1 || !(kinds.has("number") || kinds.has("boolean"))) return "varchar";
  if (kinds.has("boolean")) return "boolean";
  if (!values.every(Number.isInteger)) return "double";
  if (!values.every(Number.isSafeInteger))
    throw new Error(`${name}: ${column} has whole numbers above 2^53, which a browser rounds; write them as text`);
  return "bigint";
}

function field(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `"${text.replaceAll('"', '""')}"`;
}

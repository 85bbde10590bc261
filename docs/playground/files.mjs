// Reads a file of the reader into the table `my_file`. Nothing leaves the page.
import { DuckDBDataProtocol } from "@duckdb/duckdb-wasm";
import { csv } from "./json.mjs";
import { literal, quoted } from "./statements.mjs";

const TABLE = "my_file";
const MOST_MEGABYTES = 200; // the memory of a page ends at 4 GB
const TEXTS = "my_texts";
const COPY = "my_file.csv"; // what DuckDB calls the file, whatever its name
const READERS = [
  { suffixes: [".parquet", ".pq"], read: parquet },
  { suffixes: [".csv", ".tsv", ".txt"], read: text },
  { suffixes: [".json", ".jsonl", ".ndjson"], read: json },
];
export const SUFFIXES = READERS.flatMap((reader) => reader.suffixes);

/**
 * Makes the table.
 *
 * @returns its columns, each with name, type and the column that tells its values apart, and its number of rows
 */
export async function opened({ duckdb, connection }, file) {
  const reader = READERS.find(({ suffixes }) => suffixes.some((suffix) => file.name.toLowerCase().endsWith(suffix)));
  if (!reader) throw new Error(`${file.name} does not end in ${SUFFIXES.join(", ")}`);
  if (!file.size) throw new Error(`${file.name} is empty`);
  if (file.size > MOST_MEGABYTES * 1e6)
    throw new Error(
      `${file.name} has ${Math.ceil(file.size / 1e6)} MB. This page takes at most ${MOST_MEGABYTES} MB;` +
        " the command sqlmetrics takes any size.",
    );
  await connection.query(`drop table if exists ${TABLE}`);
  const texts = (await reader.read(duckdb, connection, file)) ?? new Map();
  const described = (await connection.query(`describe ${TABLE}`)).toArray();
  const [{ n }] = (await connection.query(`select count(*) as n from ${TABLE}`)).toArray();
  if (!n) throw new Error(`${file.name} has no rows`);
  const added = new Set(texts.values());
  const columns = described
    .map(({ column_name: name, column_type: type }) => ({ name, type, identity: texts.get(name) ?? name }))
    .filter(({ name }) => !added.has(name));
  return { columns, rows: Number(n) };
}

async function text(duckdb, connection, file) {
  await duckdb.registerFileHandle(COPY, file, DuckDBDataProtocol.BROWSER_FILEREADER, true);
  try {
    // all rows decide on the types
    await connection.query(`create table ${TABLE} as from read_csv('${COPY}', sample_size = -1)`);
    return await withTexts(connection);
  } finally {
    await connection.query(`drop table if exists ${TEXTS}`);
    await duckdb.dropFile(COPY);
  }
}

/**
 * Adds the texts of a column in which two would be one value, such as the versions 3.1 and 3.10.
 *
 * @returns the names of the columns of texts by those of the columns
 */
async function withTexts(connection) {
  const columns = (await connection.query(`describe ${TABLE}`)).toArray();
  const typed = columns.filter(({ column_type }) => /INT|DOUBLE|DECIMAL/.test(column_type));
  if (!typed.length) return new Map();
  const types = typed.map(({ column_name }) => `${quoted(column_name)}: 'VARCHAR'`).join(", ");
  await connection.query(`create table ${TEXTS} as from read_csv('${COPY}', sample_size = -1, types = {${types}})`);
  const merged = typed.map(({ column_name, column_type }) => {
    const text = quoted(column_name);
    const fewer = `count(distinct ${text}) > count(distinct try_cast(${text} as ${column_type}))`;
    return `${fewer} or bool_or(${text} ~ '[+-]?0[0-9].*') as ${text}`;
  });
  const [found] = (await connection.query(`select ${merged.join(", ")} from ${TEXTS}`)).toArray();
  const names = new Map();
  for (const { column_name: name } of typed) if (found[name]) names.set(name, `${name} (text)`);
  const added = [...names].map(([name, text]) => `${TEXTS}.${quoted(name)} as ${quoted(text)}`);
  if (added.length)
    await connection.query(
      `create or replace table ${TABLE} as select ${TABLE}.*, ${added.join(", ")} from ${TABLE} positional join ${TEXTS}`,
    );
  return names;
}

async function json(duckdb, connection, file) {
  const { content, types } = csv(file.name, await file.text());
  const columns = Object.entries(types).map(([name, type]) => `${quoted(name)}: ${literal(type)}`);
  await duckdb.registerFileText(COPY, content);
  try {
    await connection.query(
      `create table ${TABLE} as from read_csv('${COPY}', columns = {${columns.join(", ")}}, auto_detect = false,` +
        ` header = false, delim = ',', quote = '"', escape = '"', allow_quoted_nulls = false)`,
    );
  } finally {
    await duckdb.dropFile(COPY);
  }
}

async function parquet(duckdb, connection, file) {
  const worker = new Worker(new URL("parquet.js", import.meta.url), { type: "module" });
  try {
    const { arrow, error } = await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = () => reject(new Error("The reader of Parquet does not start in this browser"));
      worker.postMessage(file);
    });
    if (error) throw new Error(`${file.name} cannot be read as Parquet: ${error}`);
    await connection.insertArrowFromIPCStream(arrow, { name: TABLE, create: true });
  } finally {
    worker.terminate(); // its memory with it
  }
}

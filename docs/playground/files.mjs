// Reads a file of the reader into the table `my_file`. Nothing leaves the page.
import { DuckDBDataProtocol } from "@duckdb/duckdb-wasm";
import { csv } from "./json.mjs";
import { literal, quoted } from "./statements.mjs";

const TABLE = "my_file";
const MOST_MEGABYTES = 200; // the memory of a page ends at 4 GB
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
 * @returns its columns, each with name and type, and its number of rows
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
  await reader.read(duckdb, connection, file);
  const described = (await connection.query(`describe ${TABLE}`)).toArray();
  const [{ n }] = (await connection.query(`select count(*) as n from ${TABLE}`)).toArray();
  if (!n) throw new Error(`${file.name} has no rows`);
  return { columns: described.map((row) => ({ name: row.column_name, type: row.column_type })), rows: Number(n) };
}

async function text(duckdb, connection, file) {
  await duckdb.registerFileHandle(COPY, file, DuckDBDataProtocol.BROWSER_FILEREADER, true);
  try {
    // all rows decide on the types
    await connection.query(`create table ${TABLE} as from read_csv('${COPY}', sample_size = -1)`);
  } finally {
    await duckdb.dropFile(COPY);
  }
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

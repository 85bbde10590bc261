// Runs a script on DuckDB, statement by statement.
import { Table } from "apache-arrow";
import { database } from "./database.mjs";
import { element, MOST_ROWS, shown } from "./result.mjs";
import { statements } from "./statements.mjs";

/**
 * The results of a script, as elements of the page; the error of a statement that fails, after which the others run.
 *
 * @param {string} script
 * @param {(text: string) => void} say what is told while it loads and runs
 */
export async function* answers(script, say) {
  say("Loading DuckDB");
  const { connection } = await database(say);
  const asked = statements(script);
  if (!asked.length) yield element("p", { textContent: "There is no statement to run." });
  for (const statement of asked) {
    say("Running");
    try {
      yield await answer(connection, statement);
    } catch (error) {
      yield error;
    }
  }
}

/** The first rows of a result, which is read no further. */
async function answer(connection, statement) {
  const reader = await connection.send(statement, true);
  const batches = [];
  let rows = 0;
  for await (const batch of reader) {
    batches.push(batch);
    rows += batch.numRows;
    if (rows > MOST_ROWS) break;
  }
  if (rows > MOST_ROWS) await connection.cancelSent();
  const table = batches.length ? new Table(batches) : new Table(reader.schema);
  return shown(table.slice(0, MOST_ROWS), rows > MOST_ROWS);
}

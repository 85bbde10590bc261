// DuckDB with the macros: loaded once a page, from the folder of this script.
import { AsyncDuckDB, VoidLogger } from "@duckdb/duckdb-wasm";

const beside = (name) => new URL(name, import.meta.url).href;
let loading;

/**
 * The connection, with the macros and the table `predictions` of the examples.
 *
 * @param {(text: string) => void} say what is told while it loads
 */
export function database(say) {
  loading ??= load(say).catch((error) => {
    loading = undefined; // so that the next click tries again
    throw error;
  });
  return loading;
}

async function load(say) {
  forbidOtherHosts();
  const told = { done: 0, total: 0 };
  const [engine, library, example] = await Promise.all([
    unpacked("duckdb.wasm.gzipped", "application/wasm", told, say),
    unpacked("sqlmetrics.duckdb.gzipped", "application/octet-stream", told, say),
    fetched(beside("../assets/predictions.csv")).then((response) => response.text()),
  ]);
  say("Starting DuckDB");
  // A worker made from a blob has the policy of its page, one made from a file has none.
  const script = new Blob([`importScripts(${JSON.stringify(beside("duckdb-worker.js"))})`]);
  const worker = new Worker(URL.createObjectURL(script));
  const failed = new Promise((_, reject) =>
    worker.addEventListener("error", () => reject(new Error("DuckDB's script does not start in this browser"))),
  );
  const duckdb = new AsyncDuckDB(new VoidLogger(), worker);
  const started = async () => {
    await duckdb.instantiate(URL.createObjectURL(engine));
    await duckdb.open({ query: { castDecimalToDouble: true } });
    await duckdb.registerFileBuffer("sqlmetrics.duckdb", new Uint8Array(await library.arrayBuffer()));
    await duckdb.registerFileText("predictions.csv", example);
    const connection = await duckdb.connect();
    for (const statement of [
      "set autoload_known_extensions = false", // they would come from another host
      "attach 'sqlmetrics.duckdb' as sqlmetrics (read_only)",
      "create table predictions as from read_csv('predictions.csv')",
      "set search_path = 'memory,sqlmetrics'",
    ])
      await connection.query(statement);
    return { duckdb, connection };
  };
  return Promise.race([started(), failed]);
}

/** Lets the page, and workers that it makes from blobs, fetch from this site alone. */
function forbidOtherHosts() {
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = "connect-src 'self' blob:; worker-src 'self' blob:";
  document.head.append(policy);
}

async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response;
}

/** A file that is stored compressed, as not every server compresses what it sends. */
async function unpacked(name, type, told, say) {
  const response = await fetched(beside(name));
  told.total += Number(response.headers.get("content-length"));
  const counted = new TransformStream({
    transform(chunk, controller) {
      told.done += chunk.length;
      say(`Loading DuckDB: ${megabytes(told.done)} of ${megabytes(told.total)} MB`);
      controller.enqueue(chunk);
    },
  });
  const stream = response.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "content-type": type } }).blob();
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

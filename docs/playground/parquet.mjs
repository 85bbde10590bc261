// A worker that turns a Parquet file into Arrow. DuckDB's own reader would come from another host.
import start, { readParquet } from "parquet-wasm/esm";

onmessage = async ({ data: file }) => {
  try {
    await start({ module_or_path: new URL("parquet.wasm", import.meta.url) });
    const arrow = readParquet(new Uint8Array(await file.arrayBuffer())).intoIPCStream();
    postMessage({ arrow }, [arrow.buffer]);
  } catch (error) {
    postMessage({ error: String(error?.message ?? error) });
  }
};

// Errors of DuckDB in the words of the library.
import { quoted } from "./statements.mjs";

const NO_NUMBER = /Could not convert string '(.*?)' to (?:DOUBLE|BOOL\w*|U?\w*INT\w*|DECIMAL\S*)(?: when casting from source column ([^\n]+))?/s;
const TEXT_BESIDE_NUMBER = /Cannot compare values of type VARCHAR and type (?:\w*INT\w*|DECIMAL\S*|DOUBLE)/;

/** What an error says, in one sentence where DuckDB speaks of its own types. */
export function worded(error) {
  const message = String(error?.message ?? error).replace(/^Error: /, "");
  const found = NO_NUMBER.exec(message);
  if (found) {
    const [, text, column = ""] = found;
    const role = /^sm_given_(\w+)$/.exec(column)?.[1];
    const named = role ? `The ${role} has` : column ? `Column '${column}' has` : "A column has";
    const name = role || !column ? "column" : /^[a-z_]\w*$/i.test(column) ? column : quoted(column);
    return `${named} to be numbers, and a row has '${text}'; try_cast(${name} as double) makes NULL of such texts`;
  }
  if (TEXT_BESIDE_NUMBER.test(message))
    return "A column is text, and a number is compared with it; try_cast(column as double) makes numbers of its texts";
  return message;
}

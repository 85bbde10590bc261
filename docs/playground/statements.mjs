// SQL as text: quoting, and the statements of a script.
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\$[\s\S]*?\$\$|--[^\n]*|\/\*[\s\S]*?\*\/|;/g;

export const quoted = (name) => `"${name.replaceAll('"', '""')}"`;
export const literal = (text) => `'${text.replaceAll("'", "''")}'`;

/** The statements of a script; a semicolon in a text, a name or a comment ends none. */
export function statements(script) {
  const found = [];
  let start = 0;
  for (const token of script.matchAll(TOKEN))
    if (token[0] === ";") {
      found.push(script.slice(start, token.index));
      start = token.index + 1;
    }
  found.push(script.slice(start));
  const blank = (part) => !part.replaceAll(TOKEN, (token) => (/^(--|\/\*)/.test(token) ? "" : token)).trim();
  return found.map((part) => part.trim()).filter((part) => !blank(part));
}

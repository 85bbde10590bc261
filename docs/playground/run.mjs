// Makes an example runnable: <div class="run"> with a block of SQL gets a button, an editor and its results.
import { worded } from "./words.mjs";

for (const place of document.querySelectorAll("div.run")) runnable(place);

/**
 * Adds the button. Returns a function that shows another script.
 *
 * @param {HTMLElement} place holds a `pre` with SQL
 * @param {(error: unknown) => string} said what the page says of an error
 */
export function runnable(place, said = worded) {
  const code = place.querySelector("pre code") ?? place.querySelector("pre");
  if (!code) return undefined;
  const editor = Object.assign(document.createElement("textarea"), { spellcheck: false });
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Run" });
  const status = document.createElement("p");
  const results = document.createElement("div");
  editor.setAttribute("aria-label", "SQL");
  status.setAttribute("role", "status");
  status.className = "run-status";
  button.className = "run-button";
  const write = (script) => {
    editor.value = script;
    editor.rows = script.split("\n").length + 1;
  };
  write(code.textContent.trim());
  place.append(button, status, results);

  const edit = () => {
    const block = code.closest(".highlight") ?? code.closest("pre");
    if (block.isConnected) block.replaceWith(editor);
  };
  const failed = (error) => {
    const shown = Object.assign(document.createElement("pre"), { className: "run-error", textContent: said(error) });
    shown.setAttribute("role", "alert");
    return shown;
  };
  const run = async () => {
    if (button.disabled) return;
    button.disabled = true;
    results.replaceChildren();
    try {
      const { answers } = await import("./answers.mjs");
      for await (const answer of answers(editor.value, (text) => (status.textContent = text)))
        results.append(answer instanceof Element ? answer : failed(answer));
    } catch (error) {
      results.append(failed(error)); // DuckDB does not load
    }
    status.textContent = "";
    button.disabled = false;
  };
  button.addEventListener("click", () => {
    edit();
    run();
  });
  editor.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  });
  return (script) => {
    edit();
    write(script);
    results.replaceChildren();
  };
}

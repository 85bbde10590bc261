// The page for a file of the reader: a form of its columns and of the metrics, which writes a script to run.
import { written } from "./script.mjs";
import { runnable } from "./run.mjs";
import { worded } from "./words.mjs";

const root = document.getElementById("own-file");
const labelled = (text, input) => make("label", {}, make("span", { textContent: text }), input);
// names that columns often have, and the type that tells one column from all others
const LIKELY = {
  label: { name: /^(label|y|y_true|target|truth|outcome|clicked|converted|grade|relevance|rating)$/i, type: /^BOOLEAN$/ },
  score: { name: /^(score|y_score|y_pred|p|prob|proba|probability|pred|predicted|prediction)$/i, type: /^(DOUBLE|FLOAT|DECIMAL)/ },
};

const POSITIVE = "A row is positive from this label on";

function make(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const input = make("input", { type: "file", accept: root.dataset.suffixes });
const example = make("button", { type: "button", className: "run-button", textContent: "Use the example" });
const status = make("p", { className: "run-status" });
status.setAttribute("role", "status");
const form = make("form", { hidden: true });
const place = make("div", { className: "run", hidden: true }, make("pre"));
const drop = make("div", { className: "own-file-drop" }, labelled("A Parquet, CSV or JSON file, or drop it here", input), example);
root.append(drop, status, form, place);
place.querySelector("pre").textContent = "--"; // replaced with the first script
const show = runnable(place, (error) => {
  const message = worded(error);
  return /neither 0 nor 1/.test(message) ? `${message}. Fill in above: ${POSITIVE}` : message;
});

input.addEventListener("change", () => input.files.length && take(input.files[0]));
example.addEventListener("click", () => act(async () => {
  const answer = await fetch(new URL("../assets/predictions.csv", import.meta.url));
  await open(new File([await answer.blob()], "predictions.csv"));
}));
form.addEventListener("submit", (event) => event.preventDefault());
drop.addEventListener("dragover", (event) => event.preventDefault());
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length) take(event.dataTransfer.files[0]);
});

const take = (file) => act(() => open(file));

/** Runs a step; an error becomes the status. Controls are off meanwhile. */
async function act(step) {
  input.disabled = example.disabled = true;
  form.hidden = place.hidden = true;
  status.classList.remove("run-error");
  try {
    await step();
  } catch (error) {
    status.classList.add("run-error");
    status.textContent = worded(error);
  }
  input.disabled = example.disabled = false;
}

async function open(file) {
  const say = (text) => (status.textContent = text);
  say("Loading DuckDB");
  const [{ database }, { opened }, metrics] = await Promise.all([
    import("./database.mjs"),
    import("./files.mjs"),
    fetch(new URL("metrics.json", import.meta.url)).then((answer) => answer.json()),
  ]);
  const duckdb = await database(say);
  say(`Reading ${file.name}`);
  const { columns, rows } = await opened(duckdb, file);
  say(`${file.name}: ${rows.toLocaleString("en")} rows, ${columns.length} columns. It stays in this page.`);
  fill(columns, metrics);
}

/** The likely column of each role: by its name, or as the only one of its type. Without one the reader chooses. */
function guessed(columns) {
  const found = {};
  for (const [role, { name, type }] of Object.entries(LIKELY)) {
    const free = columns.filter((column) => column.name !== found.label);
    const typed = free.filter((column) => type.test(column.type));
    found[role] = (free.find((column) => name.test(column.name)) ?? (typed.length === 1 ? typed[0] : undefined))?.name;
  }
  return found;
}

function fill(columns, metrics) {
  const likely = guessed(columns);
  const chooser = (role, none) => {
    // slices and lists are not computed with
    const value = ({ name, identity }) => (role in LIKELY ? name : identity);
    const options = columns.map((column) => make("option", { value: value(column), textContent: column.name }));
    const select = make("select", { name: role }, make("option", { value: "", textContent: none }), ...options);
    select.value = likely[role] ?? "";
    return select;
  };
  const number = (name, value) => make("input", { type: "number", name, value, step: "any" });
  form.replaceChildren(
    make(
      "fieldset",
      {},
      make("legend", { textContent: "Columns" }),
      labelled("Label", chooser("label", "choose a column")),
      labelled(POSITIVE, number("positive", "")),
      labelled("Score", chooser("score", "choose a column")),
      labelled("Slices", chooser("by", "none")),
      labelled("Lists: one for each", chooser("group", "no lists")),
      labelled("Cutoff k of lists", number("k", "10")),
      labelled("Highest grade", number("max_grade", "4")),
    ),
    choices("Metrics of rows", metrics.filter(({ over }) => over !== "lists"), "auc"),
    choices("Metrics of lists", metrics.filter(({ over }) => over === "lists"), "ndcg"),
  );
  const update = () => {
    const chosen = new FormData(form);
    const names = new Set(chosen.getAll("metric"));
    show(written(Object.fromEntries(chosen), metrics.filter(({ macro }) => names.has(macro)), columns));
  };
  form.oninput = update; // not on change, which would come between the press and the release of Run
  update();
  form.hidden = place.hidden = false;
}

function choices(title, metrics, first) {
  const boxes = metrics.map(({ macro, summary }) => {
    const box = make("input", { type: "checkbox", name: "metric", value: macro, checked: macro === first });
    return make("label", { title: summary }, box, ` ${macro}`);
  });
  return make("fieldset", { className: "own-file-metrics" }, make("legend", { textContent: title }), ...boxes);
}

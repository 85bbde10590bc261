#!/bin/sh
# Makes an output of promptfoo with its echo provider and one that answers in part wrongly: make_promptfoo.sh FOLDER.
# It runs where promptfoo is installed (npm install promptfoo; npx finds it), and needs no key and no network.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
here=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PROMPTFOO_CONFIG_DIR="$work/config" PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1 PROMPTFOO_CACHE_ENABLED=false
cat >"$work/provider.js" <<'END'
class Sevens {
  constructor(options) { this.wrong = options.config.wrong; this.fails = options.config.fails; }
  id() { return this.wrong === 3 ? 'mock:small' : 'mock:large'; }
  async callApi(prompt, context) {
    const n = context.vars.n;
    if (n === this.fails) { return { error: 'no answer' }; }
    const said = n * 7 + (n % this.wrong === 0 ? 1 : 0);
    return { output: `It is ${said}`, tokenUsage: { total: 10 + n, prompt: 8, completion: 2 + n }, cost: 0.001 * n };
  }
}
module.exports = Sevens;
END
cat >"$work/judge.js" <<'END'
class Judge {
  id() { return 'mock:judge'; }
  async callApi() {
    return { output: JSON.stringify({ pass: true, score: 0.75, reason: 'polite' }) };
  }
}
module.exports = Judge;
END
{
    echo "description: sevens"
    echo "prompts: ['{{n}} times 7?']"
    echo "providers:"
    echo "  - {id: 'file://provider.js', config: {wrong: 3}}"
    echo "  - {id: 'file://provider.js', config: {wrong: 5, fails: 6}}"
    echo "defaultTest: {options: {provider: 'file://judge.js'}}"
    echo "tests:"
    for n in 1 2 3 4 5 6; do
        echo "  - vars: {n: $n}"
        echo "    metadata: {digits: $n}"
        echo "    assert:"
        echo "      - {type: contains, value: '$((n * 7))'}"
        echo "      - {type: llm-rubric, value: is polite, metric: polite}"
    done
} >"$work/promptfooconfig.yaml"
cd "$work"
"${PROMPTFOO:-npx --prefix "$here" promptfoo}" eval --repeat 2 --no-cache --no-progress-bar --no-table --no-write \
    -c promptfooconfig.yaml -o "$work/output.json" >/dev/null 2>&1 || true
# without the prompts of the judge, which are long, and without what names this machine
node - "$work" "$folder" <<'END'
const [work, folder] = process.argv.slice(2);
const fs = require('fs');
const log = JSON.parse(fs.readFileSync(`${work}/output.json`, 'utf8').replaceAll(work, '.'));
for (const result of log.results.results) {
  for (const part of (result.gradingResult || {}).componentResults || []) { delete part.metadata; delete part.tokensUsed; }
  delete result.tokenUsage;
}
delete log.metadata;
delete log.runtimeOptions;
fs.writeFileSync(`${folder}/output.json`, JSON.stringify(log) + '\n');
END

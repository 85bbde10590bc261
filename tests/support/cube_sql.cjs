// Compiles a data model of Cube and prints the SQL of queries: node cube_sql.cjs MODEL QUERIES, both files.
// The compiler is Cube's own, without its native part, which npm does not have: that part reads Jinja, and plans queries
// anew in Rust. The older planner in JavaScript stands beside it.
process.env.CUBEJS_TESSERACT_SQL_PLANNER = 'false';
const fs = require('fs');
const { prepareCompiler, PostgresQuery } = require('@cubejs-backend/schema-compiler');

const [model, queries] = process.argv.slice(2).map((path) => fs.readFileSync(path, 'utf8'));
const repository = { localPath: () => '/', dataSchemaFiles: async () => [{ fileName: 'state.yml', content: model }] };
const compilers = prepareCompiler(repository, { nativeInstance: { newJinjaEngine: () => ({}) } });

compilers.compiler
  .compile()
  .then(() => {
    const written = JSON.parse(queries).map((query) =>
      new PostgresQuery(compilers, { timezone: 'UTC', ...query }).buildSqlAndParams(),
    );
    process.stdout.write(JSON.stringify(written));
  })
  .catch((error) => {
    process.stderr.write(String(error.message || error));
    process.exit(1);
  });

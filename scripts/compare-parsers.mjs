// Both parsers on many texts: no edit, function, name or text with sites may differ. After a change of src/v8/parser:
//
//   node scripts/compare-parsers.mjs PATH...
//
// PATH: a JavaScript file, or a folder of them: node_modules, a checkout of tc39/test262. Each text is read as CommonJS, as
// a module and as a script. A text that the parser in WebAssembly leaves to acorn is counted, and not compared.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error('name files or folders: node scripts/compare-parsers.mjs node_modules');
  process.exit(2);
}
const built = spawnSync(process.execPath, ['scripts/build.mjs', '--modules', '--no-types'], {
  cwd: new URL('..', import.meta.url).pathname,
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(1);
const folder = new URL('../build/src/v8/instrument/', import.meta.url);
const { instrument } = await import(new URL('index.js', folder).href);
const { parseFast } = await import(new URL('wasm-parser.js', folder).href);
const { assemble, choosePrefix } = await import(new URL('../text/index.js', folder).href);

/** A larger text is read in one way only. */
const LARGE = 1e6;
const TYPES = ['commonjs', 'module', 'script'];
const files = paths.flatMap((path) =>
  statSync(path).isDirectory() ? readdirSync(path, { recursive: true }).map((name) => join(path, name)) : [path],
);

/** Any number of a text's first function. */
const FIRST = 99_997;

/** All of what was made of a source, with the text that `assemble` makes of it. */
const asText = ({ edits, assemble: _, ...rest }, text) =>
  JSON.stringify([rest, edits && [edits.functions, Buffer.from(edits.bytes).toString('base64')], text]);

const counts = { files: 0, compared: 0, leftToAcorn: 0, different: 0 };
for (const file of files.filter((name) => /\.[cm]?js$/.test(name) && statSync(name).isFile())) {
  const source = readFileSync(file, 'utf8');
  counts.files++;
  for (const type of source.length > LARGE ? TYPES.slice(0, 1) : TYPES) {
    for (const further of [{}, { module: true }]) {
      let isFast = false;
      const fast = instrument(source, type, further, (...args) => {
        const tree = parseFast(...args);
        isFast = tree !== undefined;
        return tree;
      });
      if (!isFast) {
        counts.leftToAcorn++;
        continue;
      }
      counts.compared++;
      const prefix = choosePrefix(source);
      const fastText = asText(fast, fast.assemble?.(prefix, FIRST));
      const slow = instrument(source, type, further, () => undefined);
      if (fastText === asText(slow, slow.edits && assemble(source, slow.edits, prefix, FIRST))) continue;
      counts.different++;
      console.log(`different: ${file} as ${type}${further.module ? ' with its module' : ''}`);
    }
  }
}
console.log(counts);
if (counts.different > 0 || counts.compared === 0) process.exit(1);

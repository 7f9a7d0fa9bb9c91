// Builds fentry. `node scripts/build.mjs` bundles the entry points into dist/; with --modules it also transpiles
// every TypeScript file one to one into build/, for the unit tests, and with --no-types it leaves the types out.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, inputs, linked, REQUIRE, shellBundle, withUrl } from './build/bundle.mjs';
import { buildManPage } from './build/man-page.mjs';
import { buildPage } from './build/page.mjs';
import { buildParser } from './build/parser.mjs';
import { buildSharing } from './build/sharing-bundles.mjs';
import { threadBundles } from './build/thread-bundles.mjs';
import { licencesOf } from './licences.mjs';

/** One bundle a program: what runs in the traced process stays small, the parser is loaded only when needed. */
const esmEntries = {
  'esm-hooks': 'src/v8/loader/esm-hooks.ts',
  cli: 'src/cli/main.ts',
  fuse: 'src/fuse/main.ts',
  'dump-worker': 'src/cli/open/dump-worker.ts',
};
const cjsEntries = {
  'import-module': 'src/v8/program/import-module.ts',
  'control-start': 'src/v8/control/control-start.ts',
  native: 'src/agent/native-start.ts',
  hwlatd: 'src/control/hwlat/hwlatd.ts',
  'native-stop': 'src/native/process/stopper-main.ts',
  'native-guard': 'src/native/process/guard-main.ts',
  'native-stacks': 'src/v8/inspect/native-stacks-main.ts',
};
/** The instrumenter and its parser, without white space: V8 reads them without code in the first start of a program. */
const instrumenter = { instrument: 'src/v8/instrument/index.ts', acorn: 'src/v8/instrument/acorn-parser.ts' };
/** What libraries import: a module of its own, that needs nothing else. */
const tracepoint = { entryPoints: { tracepoint: 'src/tracepoint/index.ts' }, sourcemap: false };
const COMMONJS = { format: 'cjs', outExtension: { '.js': '.cjs' } };

/** A bundle that is run with V8's code of it. Such a script has no import(). */
const bundleWithCode = (name, file, { banner, footer = '', plugins = [] } = {}) =>
  bundle({
    entryPoints: { [name]: file },
    ...COMMONJS,
    supported: { 'dynamic-import': false },
    ...withUrl('moduleUrl', banner),
    footer: { js: footer },
    plugins,
  });

/**
 * The control thread's bundle; the port to the process's own machine code, which that loads with FENTRY=native; and what
 * compiles and runs scripts, what makes answers and what asks threads for them, which it loads for the first of them.
 */
const control = { name: 'control', file: 'src/agent/main.ts', head: 'const requireOwn_ = require;' };
const localPort = { name: 'local-port', file: 'src/native/control/local-port.ts' };
const scripts = { name: 'scripts', file: 'src/control/scripts/script-entry.ts' };
const answers = { name: 'answers', file: 'src/control/answers/answer-files.ts' };
const inspections = { name: 'inspections', file: 'src/v8/control/inspections.ts' };

/** AssemblyScript. */
const isOfParser = (name) => name.startsWith('src/v8/parser/') && !name.endsWith('/kinds.ts');

/** Every TypeScript file that is a module. */
const modules = () =>
  ['src', 'test', 'bench']
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder, { recursive: true }).map((name) => join(folder, name)) : []))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !isOfParser(name));

rmSync('dist', { recursive: true, force: true });
// minifySyntax puts numeric constants where they are used. As the variables that bundling makes of them, the hot path
// loaded and checked each one: 51 ns a function event instead of 47 (npm run bench -- function-event).
await bundle({
  entryPoints: esmEntries,
  minifySyntax: true,
  splitting: true,
  format: 'esm',
  external: ['./instrument.cjs'],
  plugins: [shellBundle],
  banner: { js: REQUIRE },
});
await bundle({
  sourcemap: false,
  legalComments: 'none',
  entryPoints: { 'just-bash': 'just-bash/browser' },
  minify: true,
  format: 'esm',
  // Loaded only by commands that fentry's shell does not need: bunzip2 and the like.
  external: ['@mongodb-js/zstd', 'node-liblzma', 'seek-bzip'],
  banner: { js: REQUIRE },
});
await bundle({ entryPoints: cjsEntries, ...COMMONJS, ...withUrl('moduleUrl') });
await bundle({ entryPoints: instrumenter, ...COMMONJS, ...withUrl('moduleUrl'), minifySyntax: true, minifyWhitespace: true });
// It has everything in one bundle.
await bundleWithCode('native-host', 'src/agent/native-host.ts', { plugins: [linked('scripts', 'answers')] });
await bundle({ ...tracepoint, format: 'esm' });
await bundle({ ...tracepoint, ...COMMONJS });
await buildSharing(control, [localPort, scripts, answers, inspections], {
  url: 'moduleUrl',
  own: '',
  build: (name, file, { banner, footer, plugin }) =>
    name !== control.name && name !== localPort.name
      ? bundle({
          entryPoints: { [name]: file },
          ...COMMONJS,
          ...withUrl('moduleUrl', banner),
          footer: { js: footer },
          plugins: [plugin],
        })
      : bundleWithCode(name, file, { banner, footer, plugins: [plugin] }),
});
await threadBundles();
await buildPage();
await buildParser('dist/parser.wasm');
// Read when a script is compiled (src/script/stap/read-tapsets.ts).
const TAPSET = 'src/script/stap/tapset';
cpSync(TAPSET, 'dist/tapset', { recursive: true });
writeFileSync('dist/LICENSES.txt', licencesOf(inputs));
await buildManPage();
if (process.argv.includes('--modules')) {
  await bundle({ bundle: false, sourcemap: 'inline', entryPoints: modules(), outdir: 'build', outbase: '.', format: 'esm' });
  cpSync(TAPSET, `build/${TAPSET}`, { recursive: true });
  cpSync('dist/page', 'build/src/dump/page', { recursive: true });
  cpSync('dist/acorn.cjs', 'build/src/v8/instrument/acorn.cjs');
  if (existsSync('dist/parser.wasm')) cpSync('dist/parser.wasm', 'build/src/v8/instrument/parser.wasm');
}
if (!process.argv.includes('--no-types')) {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json'], { stdio: 'inherit' });
}

// Builds fentry. `node scripts/build.mjs` bundles the entry points into dist/;
// with --modules it also transpiles every TypeScript file one to one into build/, for the unit tests.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { licencesOf } from './licences.mjs';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);

const shared = { target: 'node20', platform: 'node', sourcemap: 'linked', logLevel: 'warning', legalComments: 'linked' };

/** The source files of packages that went into a bundle. */
const inputs = new Set();

async function build(options) {
  const result = await esbuild.build({ ...options, metafile: true });
  for (const input of Object.keys(result.metafile.inputs)) inputs.add(input);
  return result;
}

/** The shell of `fentry sh` is a bundle of its own, loaded only by that verb. */
const shellBundle = {
  name: 'just-bash',
  setup(build) {
    build.onResolve({ filter: /^just-bash\/browser$/ }, () => ({ path: './just-bash.js', external: true }));
  },
};

/** One bundle a program: what runs in the traced process stays small, the parser is loaded only when needed. */
const esmEntries = {
  'esm-hooks': 'src/arch/v8/loader/esm-hooks.ts',
  cli: 'src/cli/main.ts',
  fuse: 'src/fuse/main.ts',
};
const cjsEntries = {
  instrument: 'src/arch/v8/instrument/index.ts',
  'import-module': 'src/arch/v8/program/import-module.ts',
  'control-start': 'src/arch/v8/control/control-start.ts',
  control: 'src/agent/control/main.ts',
  native: 'src/agent/control/native-host.ts',
  hwlatd: 'src/agent/control/hwlatd.ts',
};

/** Modules of Node's that most programs never need: a bundle on the program's threads loads each when it is first used. */
const LAZY = ['async_hooks', 'inspector', 'os', 'perf_hooks', 'v8', 'worker_threads'];

/** What loads Node's modules there. */
const LOADING = [
  'const { getBuiltinModule } = process;',
  'const loadBuiltIn_ = getBuiltinModule ?? require;',
  'const namespaceOf_ = (module) => ({ __proto__: module, default: module });',
];

const existing = (entries) => Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file)));

rmSync('dist', { recursive: true, force: true });
// minifySyntax puts numeric constants where they are used. As the variables that bundling makes of them, the hot path
// loaded and checked each one: 51 ns a function event instead of 47 (npm run bench -- function-event).
await build({
  ...shared,
  entryPoints: existing(esmEntries),
  bundle: true,
  minifySyntax: true,
  splitting: true,
  format: 'esm',
  outdir: 'dist',
  external: ['./instrument.cjs'],
  plugins: [shellBundle],
  // For packages that are CommonJS and require Node's modules.
  banner: { js: `import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);` },
});
await build({
  ...shared,
  sourcemap: false,
  legalComments: 'none',
  entryPoints: { 'just-bash': 'just-bash/browser' },
  bundle: true,
  minify: true,
  format: 'esm',
  outdir: 'dist',
  // Loaded only by commands that fentry's shell does not need: bunzip2 and the like.
  external: ['@mongodb-js/zstd', 'node-liblzma', 'seek-bzip'],
  banner: { js: `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);` },
});
await build({
  ...shared,
  entryPoints: existing(cjsEntries),
  bundle: true,
  format: 'cjs',
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  ...withUrl('moduleUrl'),
});
await buildTracepoint();
await buildPreload();
await buildAgent('attach', 'src/arch/v8/program/attach.ts');
await buildAgent('node-events', 'src/arch/v8/node-events/index.ts');
writeFileSync('dist/LICENSES.txt', licencesOf(inputs));
await buildManPage();
if (process.argv.includes('--modules')) {
  const files = ['src', 'test', 'bench']
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder, { recursive: true }).map((name) => join(folder, name)) : []))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
  await build({ ...shared, sourcemap: 'inline', entryPoints: files, outdir: 'build', outbase: '.', format: 'esm' });
}

if (!process.argv.includes('--no-types')) {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json'], { stdio: 'inherit' });
}

/**
 * What `--import fentry` loads is a few lines of ES module around a CommonJS bundle: an import of `node:fs` or `node:util`
 * makes Node read every property of theirs, which loads the streams and opens the program's stderr.
 */
async function buildPreload() {
  await buildAgent('agent', 'src/index.ts');
  await buildAgent('preload', 'src/arch/v8/program/preload.ts', 'module.exports = module.exports.agent;');
  const { metafile } = await build({
    ...shared,
    entryPoints: ['src/index.ts'],
    bundle: true,
    outdir: 'dist',
    format: 'esm',
    sourcemap: false,
    write: false,
  });
  const names = Object.values(metafile.outputs)[0].exports.join(', ');
  const lines = [
    `import { createRequire } from 'node:module';`,
    `export const { ${names} } = createRequire(import.meta.url)('./preload.cjs');`,
  ];
  writeFileSync('dist/index.js', `${lines.join('\n')}\n`);
}

/** What libraries import: a module of its own, that needs nothing else. */
async function buildTracepoint() {
  const options = {
    ...shared,
    entryPoints: { tracepoint: 'src/tracepoint/index.ts' },
    bundle: true,
    outdir: 'dist',
    sourcemap: false,
  };
  await build({ ...options, format: 'esm' });
  await build({ ...options, format: 'cjs', outExtension: { '.js': '.cjs' } });
}

/** man/fentry.1, of the verbs' own help. */
async function buildManPage() {
  const outfile = 'build/man-page/man-page.mjs';
  await esbuild.build({
    ...shared,
    entryPoints: ['src/cli/man-page-main.ts'],
    bundle: true,
    format: 'esm',
    outfile,
    sourcemap: false,
    plugins: [shellBundle],
    banner: { js: `import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);` },
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'dist', 'cli.js')).href) },
  });
  mkdirSync('man', { recursive: true });
  writeFileSync('man/fentry.1', execFileSync(process.execPath, [outfile]));
}

/**
 * esbuild loads all modules of Node's when a bundle starts, and copies those of which a source imports the namespace. Loading
 * takes milliseconds, and so does copying `node:fs`, because a getter in it loads the streams and promises. Node's function
 * for loading its own modules does not ask the program's hooks of `require`.
 */
function loadLazily(text) {
  const names = [];
  const lazy = text.replaceAll(/\b(import_node_\w+)(\s*=\s*)require\("node:(\w+)"\)/g, (whole, name, is, module) => {
    if (!LAZY.includes(module)) return whole;
    names.push(name);
    return `${name}${is}() => loadBuiltIn_("node:${module}")`;
  });
  const used = lazy
    .replaceAll(/\bnew (import_node_\w+)\.(\w+)/g, (whole, name, made) =>
      names.includes(name) ? `new (${name}.${made})` : whole,
    )
    .replaceAll(/\b(import_node_\w+)\./g, (whole, name) => (names.includes(name) ? `${name}().` : whole));
  return used.replaceAll(/__toESM\(require\("(node:\w+)"\)(,\s*1)?\)/g, (_, name) => `namespaceOf_(require("${name}"))`);
}

/** A bundle that runs on the program's threads. */
async function buildAgent(name, file, footer = '') {
  // As variables of the bundle, so that a program which deletes or replaces its globals takes nothing away from fentry.
  const globals =
    'const { Array, Atomics, Error, Map, Math, Number, Object, Promise, Reflect, Set, String, process } = globalThis;';
  const { outputFiles } = await build({
    ...shared,
    entryPoints: { [name]: file },
    bundle: true,
    minifySyntax: true,
    outdir: 'dist',
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    supported: { 'dynamic-import': false },
    footer: { js: footer },
    write: false,
    ...withUrl('agentUrl', [globals, ...LOADING].join('\n')),
  });
  for (const { path, text } of outputFiles) writeFileSync(path, path.endsWith('.cjs') ? loadLazily(text) : text);
}

/** import.meta.url in a CommonJS bundle. */
function withUrl(name, banner = '') {
  const js = `${banner}\nconst ${name} = require('node:url').pathToFileURL(__filename).href;`;
  return { define: { 'import.meta.url': name }, banner: { js } };
}

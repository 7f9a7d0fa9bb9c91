// Builds fentry. `node scripts/build.mjs` bundles the entry points into dist/;
// with --modules it also transpiles every TypeScript file one to one into build/, for the unit tests.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { licencesOf } from './licences.mjs';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);

const BUILD = buildName();

const shared = {
  target: 'node20',
  platform: 'node',
  sourcemap: 'linked',
  logLevel: 'warning',
  legalComments: 'linked',
  define: { BUILD: JSON.stringify(BUILD) },
};

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

/** A late agent has everything in one bundle. */
const linkedTracing = {
  name: 'linked-tracing',
  setup(build) {
    build.onResolve({ filter: /\/load-tracing\.js$/ }, ({ resolveDir }) => ({ path: join(resolveDir, 'linked-tracing.ts') }));
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

/** What a bundle there uses of the global object, as its own variables: a program that deletes or replaces its globals takes nothing away. */
const GLOBALS = 'Array, Atomics, Error, Map, Math, Number, Object, Promise, Reflect, Set, String, process';

/** What takes built-ins when it is loaded: members of a namespace, and methods of a prototype. */
const NAMESPACE = `(${GLOBALS.replaceAll(', ', '|')}|BigInt|Date|Function|JSON|RegExp|globalThis|types|vm)(\\.prototype)?`;
const CAPTURE = new RegExp(`^(export )?const (\\{.*\\} = ${NAMESPACE}|\\w+ = (uncurry\\w*\\()?${NAMESPACE}\\.\\w+\\)?);`);

/** The beginning of a bundle there. */
const OWN = [
  `const { ${GLOBALS} } = globalThis;`,
  'const { getBuiltinModule } = process;',
  'const loadBuiltIn_ = getBuiltinModule ?? require;',
  'const namespaceOf_ = (module) => ({ __proto__: module, default: module });',
  // The class of CommonJS modules is `node:module`. Loading that by name makes Node 20 load what it needs for `import` as well;
  // later Nodes have only there what fentry hooks.
  "const nodeModule_ = process.version.startsWith('v20.') && module.constructor._load ? module.constructor : require('node:module');",
].join('\n');
const OWN_NAMES = `${GLOBALS}, loadBuiltIn_, namespaceOf_, nodeModule_`;

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
await buildAgent('attach', 'src/arch/v8/program/attach.ts', '', { plugin: linkedTracing });
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
  const names = await buildThread();
  await buildAgent('preload', 'src/arch/v8/program/preload.ts', 'module.exports = module.exports.agent;', {
    banner: `const requireOwn_ = require;\n${OWN}`,
    minifyWhitespace: true,
    sourcemap: false,
  });
  const lines = [
    `import { createRequire } from 'node:module';`,
    `export const { ${names.join(', ')} } = createRequire(import.meta.url)('./preload.cjs');`,
  ];
  writeFileSync('dist/index.js', `${lines.join('\n')}\n`);
}

/**
 * agent.cjs, and tracing.cjs, which the agent loads when something is traced. esbuild finds what the two share, and that becomes
 * part of the agent, which gives it to the other bundle: a function with the shared modules as its parameter.
 * @returns the names of what index.ts exports
 */
async function buildThread() {
  const entryPoints = { agent: 'src/index.ts', tracing: 'src/arch/v8/program/tracing.ts' };
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints,
    bundle: true,
    minifySyntax: true,
    splitting: true,
    sourcemap: 'inline',
    outdir: 'dist',
    format: 'esm',
    define: { ...shared.define, 'import.meta.url': 'agentUrl' },
    legalComments: 'none',
    write: false,
  });
  refuseCaptures(Object.entries(metafile.outputs).find(([path]) => path.endsWith('/tracing.js'))[1]);
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const exportsOf = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output.exports]));
  const chunks = [...texts.keys()].filter((name) => name.startsWith('chunk-'));
  const chunkNames = chunks.map((name) => [name, exportsOf.get(name)]);
  const modules = chunks.map((name, n) => `import { ${aliases(chunkNames[n][1], n)} } from './${name}';`);
  const objects = chunkNames.map(([name, names], n) => `'${name}': { ${names.map((one) => `${one}: ${one}_${n}`).join(', ')} }`);
  texts.set(
    'shared.js',
    `${modules.join('\n')}\nsharedModules_ = () => ({ ${[`own: { ${OWN_NAMES} }`, ...objects].join(', ')} });\n`,
  );
  texts.set('start.js', `import './shared.js';\nexport * from './agent.js';\n`);
  await buildAgent('agent', 'start.js', '', {
    banner: `const requireOwn_ = require;\nlet sharedModules_;\n${OWN}`,
    plugin: fromTexts((name) => texts.get(name)),
  });
  await buildAgent('tracing', 'tracing.js', 'return module.exports;\n};', {
    banner: `module.exports = (build, sharedModules_) => {\nif (build !== '${BUILD}') throw new globalThis.Error('fentry was replaced since the program has started');\nconst module = { exports: {} };\nconst { ${OWN_NAMES} } = sharedModules_.own;`,
    plugin: fromTexts((name) =>
      name.startsWith('chunk-')
        ? `export const { ${exportsOf.get(name).join(', ')} } = sharedModules_['${name}'];`
        : texts.get(name),
    ),
  });
  return exportsOf.get('agent.js');
}

function aliases(names, n) {
  return names.map((name) => `${name} as ${name}_${n}`).join(', ');
}

/** Code that is loaded later must not take built-ins by itself: the program may have replaced them. */
function refuseCaptures({ inputs }) {
  const captures = Object.keys(inputs).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => CAPTURE.test(line))
      .map((line) => `${file}: ${line}`),
  );
  if (captures.length > 0) throw new Error(`loaded late: take it from src/base/primordials.ts\n${captures.join('\n')}`);
}

/** Takes the modules of a bundle from memory. */
function fromTexts(textOf) {
  return {
    name: 'from-texts',
    setup(build) {
      build.onResolve({ filter: /^(\.\/)?[\w-]+\.js$/ }, ({ path }) => ({ path: basename(path), namespace: 'text' }));
      build.onLoad({ filter: /./, namespace: 'text' }, ({ path }) => ({ contents: textOf(path), loader: 'js' }));
    },
  };
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
    define: { ...shared.define, 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'dist', 'cli.js')).href) },
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
  return used
    .replaceAll('require("node:module")', 'nodeModule_')
    .replaceAll(/__toESM\((require\("node:\w+"\)|nodeModule_)(,\s*1)?\)/g, (_, module) => `namespaceOf_(${module})`);
}

/** A bundle that runs on the program's threads. */
async function buildAgent(name, file, footer = '', { banner = OWN, plugin, ...options } = {}) {
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
    ...(plugin && { plugins: [plugin] }),
    ...options,
    ...withUrl('agentUrl', banner),
  });
  for (const { path, text } of outputFiles) writeFileSync(path, path.endsWith('.cjs') ? loadLazily(text) : text);
}

/** import.meta.url in a CommonJS bundle. */
function withUrl(name, banner = '') {
  // What Node makes of a path without special characters. Node's own function takes part of a program's start.
  const js = `${banner}\nconst ${name} = /[^\\w/.@+~-]/.test(__filename) ? require('node:url').pathToFileURL(__filename).href : 'file://' + __filename;`;
  return { define: { ...shared.define, 'import.meta.url': name }, banner: { js } };
}

/** A name of this build, from all of its sources: files of two builds do not fit together. */
function buildName() {
  const hash = createHash('sha256');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const sources = readdirSync('src', { recursive: true }).filter((name) => name.endsWith('.ts'));
  for (const file of ['package-lock.json', 'scripts/build.mjs', ...sources.sort().map((name) => join('src', name))]) {
    hash.update(`${file}\0`).update(readFileSync(file));
  }
  return `${version}-${hash.digest('hex').slice(0, 12)}`;
}

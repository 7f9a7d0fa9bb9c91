// The bundles that run on the program's threads.
import { readFileSync, writeFileSync } from 'node:fs';
import { bundle, linked, withUrl } from './bundle.mjs';
import { compileAtOnce } from './compile-at-once.mjs';
import { LAZY, loadLazily } from './load-lazily.mjs';
import { buildSharing } from './sharing-bundles.mjs';

/** What is compiled at each start uses Node's functions themselves: there are no events of files yet. */
const plainFs = {
  name: 'plain-fs',
  setup(build) {
    build.onResolve({ filter: /\/untraced-fs\.js$/ }, () => ({ path: 'untraced-fs.js', namespace: 'plain-fs' }));
    build.onLoad({ filter: /./, namespace: 'plain-fs' }, () => ({
      contents:
        "import fs from 'node:fs';\nexport const { constants, closeSync, fstatSync, lstatSync, openSync, readFileSync, readSync, readvSync, writeSync } = fs;\nexport const nativeRealpathSync = fs.realpathSync.native;",
    }));
  },
};

/**
 * What a bundle there uses of the global object, as its own variables: a program that deletes or replaces its globals takes
 * nothing away.
 */
const GLOBALS = 'Array, Atomics, Error, Map, Number, Object, Promise, Reflect, Set, String, process';

/** The functions of Math that a bundle there calls: a program may have replaced those of the global object. */
const MATH = ['abs', 'ceil', 'clz32', 'floor', 'imul', 'log10', 'log2', 'max', 'min', 'random', 'round', 'trunc'];

/** What takes built-ins when it is loaded: members of a namespace, and methods of a prototype. */
const NAMESPACE = `(${GLOBALS.replaceAll(', ', '|')}|Math|BigInt|Date|Function|JSON|RegExp|globalThis|types|vm)(\\.prototype)?`;
const CAPTURE = new RegExp(`^(export )?const (\\{.*\\} = ${NAMESPACE}|\\w+ = (uncurry\\w*\\()?${NAMESPACE}\\.\\w+\\)?);`);

/** The beginning of a bundle there. */
const OWN = [
  `const { ${GLOBALS} } = globalThis;`,
  `const Math = { __proto__: null, ${MATH.map((name) => `${name}: globalThis.Math.${name}`).join(', ')} };`,
  'const { getBuiltinModule } = process;',
  'const loadBuiltIn_ = getBuiltinModule ?? require;',
  'const namespaceOf_ = (module) => ({ __proto__: module, default: module });',
  // The class of CommonJS modules is `node:module`. Loading that by name makes Node 20 load what it needs for `import` as well;
  // later Nodes have only there what fentry hooks.
  "const nodeModule_ = process.version.startsWith('v20.') && module.constructor?._load ? module.constructor : require('node:module');",
].join('\n');
/** The beginning of one that loads others. */
const AGENT = `const requireOwn_ = require;\n${OWN}`;
const OWN_NAMES = `${GLOBALS}, Math, loadBuiltIn_, namespaceOf_, nodeModule_, requireOwn_`;

/** The beginning of what V8 compiles at each start. */
const PRELOAD_BEGINNING = [
  'const requireOwn_ = require, loadBuiltIn_ = process.getBuiltinModule ?? require;',
  "const nodeModule_ = process.version.startsWith('v20.') && module.constructor?._load ? module.constructor : require('node:module');",
].join('\n');

/** Functions there that most programs do not call. */
const PRELOAD_SELDOM = [
  'findPrepared',
  'homedir',
  'isTrustedFile',
  'nodeWords',
  'preparedFolders',
  'requireAll',
  'say',
  'trustedFolder',
];

/** An ES module as CommonJS without the functions that esbuild would put at its beginning. */
const withoutImports = (text) =>
  text
    .replaceAll(/\bimport (\w+) from"node:(\w+)";/g, (_, name, module) => `const ${name}=${builtIn(module)};`)
    .replaceAll(/\bimport(\{[^}]*\})from"node:(\w+)";/g, (_, names, module) =>
      LAZY.includes(module)
        ? names
            .replaceAll(/(\w+)(?: as (\w+))?/g, (_, one, as = one) => `const ${as}=()=>${builtIn(module)}.${one}();`)
            .slice(1, -1)
        : `const${names.replaceAll(' as ', ':')}=${builtIn(module)};`,
    )
    .replace(
      /\bexport\{(\w+) as agent\};\s*$|\bexport\{(agent)\};\s*$/,
      (_, renamed, name = renamed) => `module.exports=${name};`,
    );
const builtIn = (module) => (module === 'module' ? 'nodeModule_' : `loadBuiltIn_("node:${module}")`);

/** All bundles that run on the program's threads. */
export async function threadBundles() {
  await buildPreload();
  await buildAgent('attach', 'src/v8/program/attach.ts', {
    banner: AGENT,
    plugin: linked('tracing', 'script-runtime', 'prepared'),
  });
  await buildAgent('node-events', 'src/v8/node-events/index.ts');
}

/**
 * What `--import fentry` loads is a few lines of ES module around a CommonJS bundle: an import of `node:fs` or `node:util`
 * makes Node read every property of theirs, which loads the streams and opens the program's stderr.
 */
async function buildPreload() {
  const names = await buildThread();
  const { outputFiles } = await bundle({
    entryPoints: { preload: 'src/v8/program/preload.ts' },
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: false,
    legalComments: 'none',
    format: 'esm',
    plugins: [plainFs],
    write: false,
  });
  const text = withoutImports(outputFiles[0].text);
  if (/\b(im|ex)port\b *[\w{*]/.test(text))
    throw new Error('preload.ts imports or exports in a way that the build does not know');
  writeFileSync('dist/preload.cjs', `${PRELOAD_BEGINNING}\n${compileAtOnce(text, PRELOAD_SELDOM)}\n`);
  const lines = [
    `import { createRequire } from 'node:module';`,
    `export const { ${names.join(', ')} } = createRequire(import.meta.url)('./preload.cjs');`,
  ];
  writeFileSync('dist/index.js', `${lines.join('\n')}\n`);
}

/**
 * agent.cjs; tracing.cjs, which it loads when something is traced; script-runtime.cjs, which that loads for the first script; and
 * prepared.cjs, where there is a prepared cache.
 * @returns the names of what index.ts exports
 */
async function buildThread() {
  const agent = { name: 'agent', file: 'src/index.ts', head: AGENT };
  const tracing = { name: 'tracing', file: 'src/v8/program/tracing.ts' };
  const scripts = { name: 'script-runtime', file: 'src/v8/scripts/script-runtime.ts' };
  const prepared = { name: 'prepared', file: 'src/v8/loader/prepared-packs.ts' };
  const { exported, late } = await buildSharing(agent, [tracing, scripts, prepared], {
    url: 'agentUrl',
    own: OWN_NAMES,
    build: buildAgent,
  });
  for (const one of late) refuseCaptures(one);
  return exported;
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

/** Characters after which a line ends: a stack tells the place in an agent's bundle. */
const LINE = 120;

/** A bundle that runs on the program's threads. */
async function buildAgent(name, file, { banner = OWN, footer = '', plugin, ...options } = {}) {
  const { outputFiles } = await bundle({
    entryPoints: { [name]: file },
    minifySyntax: true,
    // Node reads the text at each start, into memory that it touches first. Names stay, for stacks.
    minifyWhitespace: true,
    lineLimit: LINE,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    supported: { 'dynamic-import': false },
    footer: { js: footer },
    write: false,
    ...(plugin && { plugins: [plugin] }),
    ...options,
    ...withUrl('agentUrl', banner),
  });
  for (const { path, text } of outputFiles) {
    const further = [...text.matchAll(/(?<![.\w])Math\.(\w+)/g)].find(([, called]) => !MATH.includes(called));
    if (further !== undefined) throw new Error(`${name}.cjs calls ${further[0]}, which MATH lacks`);
    writeFileSync(path, path.endsWith('.cjs') ? loadLazily(text) : text);
  }
}

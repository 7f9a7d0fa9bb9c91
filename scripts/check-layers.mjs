// Checks that src/ keeps its layers: `node scripts/check-layers.mjs [FOLDER]` prints each import that crosses one, each
// circle of imports, those of types too, and each name of two types, and exits 1.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportersOf, importsOf, isForTests, pathOf, readSources } from './sources.mjs';

const SRC = process.argv[2] ? resolve(process.argv[2]) : fileURLToPath(new URL('../src', import.meta.url));

/** The folders of src/, the lowest first: an import goes to a folder that stands before its own, or crosses a layer. */
const FOLDERS = [
  'base',
  'answers',
  'tables',
  'timeline',
  'page',
  'ring-buffer',
  'recording',
  'events',
  'tracepoint',
  'probes',
  'ftrace',
  'script',
  'port',
  'output',
  'dump',
  'client',
  'collect',
  'fuse',
  'native',
  'v8',
  'control',
  'agent',
  'cli',
  'index.ts',
];

/** The rooms of control/, in the same order. */
const ROOMS = [
  'tracefs',
  'latency',
  'tasks',
  'hwlat',
  'ftrace',
  'events',
  'probes',
  'livepatch',
  'faults',
  'stack-tracer',
  'profiler',
  'scripts',
  'trace-array',
  'answers',
  'record',
  'server',
  'process',
  'tree',
];

/**
 * What each layer may import besides itself. The first layer whose prefix a file's path starts with is the file's own,
 * so a narrower folder stands before the folder that holds it. `packages` names the npm packages allowed there.
 */
const LAYERS = [
  { prefix: 'base/', may: [] },
  { prefix: 'answers/', may: ['base/'] },
  { prefix: 'tables/', may: ['base/'], packages: ['hyparquet-writer/src/snappy.js'] },
  { prefix: 'timeline/', may: ['base/', 'answers/'] },
  {
    prefix: 'page/',
    may: ['base/', 'answers/', 'timeline/'],
    packages: ['preact', 'preact/hooks', '@preact/signals'],
  },
  { prefix: 'ring-buffer/', may: ['base/'] },
  { prefix: 'recording/', may: ['base/'] },
  { prefix: 'events/', may: ['base/'] },
  { prefix: 'tracepoint/', may: [] },
  { prefix: 'probes/', may: ['base/', 'events/'] },
  { prefix: 'ftrace/', may: ['base/', 'ring-buffer/', 'events/'] },
  { prefix: 'port/limits.ts', may: [] },
  { prefix: 'script/', may: ['base/', 'ring-buffer/', 'events/', 'probes/'] },
  { prefix: 'port/', may: ['base/', 'answers/', 'ring-buffer/', 'recording/', 'events/', 'probes/', 'ftrace/', 'script/'] },
  { prefix: 'output/', may: ['base/', 'ring-buffer/', 'events/', 'ftrace/', 'answers/'] },
  {
    prefix: 'dump/',
    may: ['base/', 'events/', 'answers/', 'tables/', 'timeline/', 'output/'],
    packages: ['pbf', 'pprof-format'],
  },
  { prefix: 'client/', may: ['base/'] },
  {
    prefix: 'collect/',
    may: ['base/', 'answers/', 'tables/', 'ring-buffer/', 'recording/', 'events/', 'output/', 'client/'],
  },
  { prefix: 'fuse/', may: ['base/', 'client/'] },
  { prefix: 'native/', mayNot: ['v8/', 'control/', 'agent/', 'output/', 'dump/', 'client/', 'cli/', 'index.ts'] },
  { prefix: 'v8/parser/', may: ['v8/text/edit-form'] },
  {
    prefix: 'v8/instrument/',
    may: ['base/', 'ftrace/text.ts', 'v8/js-text.ts', 'v8/text/', 'v8/parser/kinds.ts'],
    packages: ['acorn'],
  },
  {
    prefix: 'v8/',
    mayNot: ['control/', 'agent/', 'output/', 'dump/', 'client/', 'cli/', 'index.ts'],
    packages: ['@jridgewell/trace-mapping'],
  },
  { prefix: 'control/', mayNot: ['v8/', 'native/', 'agent/', 'dump/', 'client/', 'cli/', 'index.ts'] },
  { prefix: 'agent/main.ts', mayNot: ['dump/', 'client/', 'cli/', 'index.ts'] },
  { prefix: 'agent/native-host.ts', mayNot: ['v8/', 'dump/', 'client/', 'cli/', 'index.ts'] },
  {
    prefix: 'agent/native-start.ts',
    may: ['base/', 'v8/loader/v8-name.ts', 'v8/program/bundle-code.ts', 'v8/program/store-later.ts'],
  },
  { prefix: 'cli/', mayNot: ['control/', 'agent/', 'index.ts'], packages: ['ws', 'just-bash', 'just-bash/browser'] },
  { prefix: 'index.ts', mayNot: ['client/', 'cli/'] },
];

const layerOf = (file) => LAYERS.find(({ prefix }) => file.startsWith(prefix));

/** A folder for each CPU, in which types have the same names by design; beside the folders, the tables of them. */
const MACHINES = 'native/machines/';
const isOfMachine = (path) => path.startsWith(MACHINES) && path.slice(MACHINES.length).includes('/');

/** Why `file` must not import `specifier`, or undefined when it may. Paths are relative to src/. */
const complaint = (file, specifier) => {
  const layer = layerOf(file);
  if (layer === undefined) return 'is in no layer: give its folder a line in scripts/check-layers.mjs';
  if (specifier.startsWith('node:')) return undefined;
  if (!specifier.startsWith('.')) {
    const allowed = layer.packages ?? [];
    const test = file.endsWith('.test.ts');
    return test || allowed.some((name) => specifier === name)
      ? undefined
      : `${layer.prefix} may not import the package ${specifier}`;
  }
  const target = pathOf(file, specifier);
  if (target.startsWith('..')) return file.endsWith('.test.ts') ? undefined : 'leaves src/';
  if (isOfMachine(target) && !file.startsWith(MACHINES) && !isForTests(file))
    return `is of one machine: only ${MACHINES} imports that, in its tables`;
  if (target.startsWith(layer.prefix)) return undefined;
  const allowed = layer.may
    ? layer.may.some((prefix) => target.startsWith(prefix))
    : !layer.mayNot.some((prefix) => target.startsWith(prefix));
  return allowed ? undefined : `${layer.prefix} may not import ${target}`;
};

const sources = readSources(SRC);
/** What each file imports of src/: the files' paths, relative to it. */
const imports = new Map();
/** The imports that were said to cross a layer. */
const complained = new Set();
let wrong = 0;
for (const [file, text] of sources) {
  const targets = [];
  for (const { specifier, line } of importsOf(text)) {
    if (specifier.startsWith('.')) targets.push(pathOf(file, specifier));
    const reason = complaint(file, specifier);
    if (reason === undefined) continue;
    console.log(`src/${file}:${line}: '${specifier}': ${reason}`);
    complained.add(`${file} ${targets.at(-1)}`);
    wrong += 1;
  }
  imports.set(file, targets);
}

/** The circles of imports, each as the files in it, the first once more at its end. */
function* circles() {
  const done = new Set();
  const path = [];
  const visit = function* (file) {
    const at = path.indexOf(file);
    if (at !== -1) yield [...path.slice(at), file];
    if (at !== -1 || done.has(file)) return;
    path.push(file);
    for (const target of imports.get(file) ?? []) yield* visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of sources.keys()) yield* visit(file);
}

/**
 * The arrows between folders: A -> B, if a file of A imports one of B. Tests and what only they use draw none.
 * @param folderOf the folder of a path, or undefined if the path is in none of them
 * @param order the folders, the lowest first
 */
const arrowsBetween = (folderOf, order) => {
  const all = new Set();
  const upward = new Map();
  for (const [file, targets] of imports) {
    if (isForTests(file)) continue;
    for (const target of targets) {
      const [from, to] = [folderOf(file), folderOf(target)];
      if (from === undefined || to === undefined || from === to) continue;
      all.add(`${from} -> ${to}`);
      if (order.indexOf(to) > order.indexOf(from) && !complained.has(`${file} ${target}`))
        upward.set(`${from} -> ${to}`, `src/${file} imports src/${target}`);
    }
  }
  return { all, upward };
};

/** The graphs whose arrows are counted; none goes upward. */
const GRAPHS = [
  { name: 'src/', folderOf: (path) => path.split('/')[0], order: FOLDERS },
  {
    name: 'src/control/',
    folderOf: (path) => (path.startsWith('control/') ? path.split('/')[1] : undefined),
    order: ROOMS,
  },
];

const named = [...sources].filter(([file]) => !isForTests(file) && !file.startsWith(MACHINES));
for (const [name, [first, ...others]] of exportersOf(named)) {
  for (const other of others)
    console.log(`src/${other}: src/${first} exports a type ${name}, too: give one of them another name`);
  wrong += others.length;
}
for (const circle of circles()) {
  console.log(`src/${circle[0]}: a circle of imports: ${circle.join(' -> ')}`);
  wrong += 1;
}
const arrows = GRAPHS.map(({ name, folderOf, order }) => {
  const { all, upward } = arrowsBetween(folderOf, order);
  for (const [arrow, example] of upward) console.log(`${name}: ${arrow} goes upward: ${example}`);
  if (upward.size > 0) wrong += 1;
  return `${name} has ${all.size} arrows, ${upward.size} of them upward`;
});
console.log(
  wrong === 0 ? `layers: ${sources.size} files keep them; ${arrows.join('; ')}` : `layers: ${wrong} imports or names break them`,
);
process.exitCode = wrong === 0 ? 0 : 1;

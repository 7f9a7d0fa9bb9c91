// Checks that src/ keeps its layers: `node scripts/check-layers.mjs [FOLDER]` prints each import that crosses one and each
// circle of imports, those of types too, and exits 1.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = process.argv[2] ? resolve(process.argv[2]) : fileURLToPath(new URL('../src', import.meta.url));

/**
 * What each layer may import besides itself. The first layer whose prefix a file's path starts with is the file's own,
 * so a narrower folder stands before the folder that holds it. `packages` names the npm packages allowed there.
 */
const LAYERS = [
  { prefix: 'base/', may: [] },
  { prefix: 'ring-buffer/', may: ['base/'] },
  { prefix: 'recording/', may: ['base/'] },
  { prefix: 'arch/arch.ts', may: ['base/'] },
  { prefix: 'arch/limits.ts', may: [] },
  { prefix: 'arch/v8/instrument/', may: ['base/', 'arch/arch.ts', 'arch/v8/js-text.ts', 'arch/v8/text/'], packages: ['acorn'] },
  {
    prefix: 'arch/v8/',
    mayNot: ['agent/control/', 'tracefs/', 'output/', 'client/', 'cli/', 'index.ts'],
    packages: ['@jridgewell/trace-mapping'],
  },
  { prefix: 'arch/native/', mayNot: ['arch/v8/', 'agent/control/', 'tracefs/', 'output/', 'client/', 'cli/', 'index.ts'] },
  { prefix: 'arch/', may: ['base/', 'ring-buffer/', 'events/', 'probes/', 'ftrace/', 'tracers/'] },
  { prefix: 'events/', may: ['base/'] },
  { prefix: 'probes/', may: ['base/', 'events/'] },
  { prefix: 'tracepoint/', may: [] },
  { prefix: 'ftrace/', may: ['base/', 'ring-buffer/', 'arch/arch.ts', 'events/'] },
  { prefix: 'tracers/', may: ['base/', 'ring-buffer/', 'arch/arch.ts', 'ftrace/', 'events/'] },
  { prefix: 'core/', may: ['base/', 'ring-buffer/', 'arch/arch.ts', 'events/', 'probes/', 'ftrace/', 'tracers/'] },
  { prefix: 'output/', may: ['base/', 'ring-buffer/', 'arch/arch.ts', 'events/', 'tracers/', 'core/'] },
  {
    prefix: 'tracefs/',
    may: ['base/', 'ring-buffer/', 'arch/arch.ts', 'events/', 'probes/', 'ftrace/', 'tracers/', 'core/', 'output/'],
  },
  { prefix: 'client/', may: ['base/'] },
  { prefix: 'fuse/', may: ['base/', 'client/'] },
  { prefix: 'agent/control/main.ts', mayNot: ['client/', 'cli/', 'index.ts'] },
  { prefix: 'agent/control/native-host.ts', mayNot: ['arch/v8/', 'client/', 'cli/', 'index.ts'] },
  {
    prefix: 'agent/control/native-start.ts',
    may: ['base/', 'arch/v8/loader/v8-name.ts', 'arch/v8/program/own-code.ts', 'arch/v8/program/store-later.ts'],
  },
  { prefix: 'agent/control/', mayNot: ['arch/v8/', 'arch/native/', 'client/', 'cli/', 'index.ts'] },
  { prefix: 'agent/', mayNot: ['arch/v8/', 'agent/control/', 'client/', 'cli/', 'index.ts'] },
  { prefix: 'cli/', mayNot: ['agent/', 'index.ts'], packages: ['ws', 'just-bash', 'just-bash/browser'] },
  { prefix: 'index.ts', mayNot: ['client/', 'cli/'] },
];

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*(['"])([^'"]+)\1|\bimport\s*\(\s*(['"])([^'"]+)\3|(?:^|\n)\s*import\s*(['"])([^'"]+)\5/g;

/** Every specifier that a source imports, with the 1-based line on which the specifier stands. */
const importsOf = (text) =>
  [...text.matchAll(IMPORT)].map((match) => ({
    specifier: match[2] ?? match[4] ?? match[6],
    line: text.slice(0, match.index + match[0].length).split('\n').length,
  }));

const layerOf = (file) => LAYERS.find(({ prefix }) => file.startsWith(prefix));

/** The file that a relative specifier of `file` names. */
const pathOf = (file, specifier) => relative(SRC, join(SRC, dirname(file), specifier)).replace(/\.js$/, '.ts');

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
  if (target.startsWith(layer.prefix)) return undefined;
  const allowed = layer.may
    ? layer.may.some((prefix) => target.startsWith(prefix))
    : !layer.mayNot.some((prefix) => target.startsWith(prefix));
  return allowed ? undefined : `${layer.prefix} may not import ${target}`;
};

const files = readdirSync(SRC, { recursive: true })
  .filter((name) => name.endsWith('.ts'))
  .sort();
/** What each file imports of src/: the files' paths, relative to it. */
const imports = new Map();
let wrong = 0;
for (const file of files) {
  const targets = [];
  for (const { specifier, line } of importsOf(readFileSync(join(SRC, file), 'utf8'))) {
    if (specifier.startsWith('.')) targets.push(pathOf(file, specifier));
    const reason = complaint(file, specifier);
    if (reason === undefined) continue;
    console.log(`src/${file}:${line}: '${specifier}': ${reason}`);
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
  for (const file of files) yield* visit(file);
}

for (const circle of circles()) {
  console.log(`src/${circle[0]}: a circle of imports: ${circle.join(' -> ')}`);
  wrong += 1;
}
console.log(wrong === 0 ? `layers: ${files.length} files keep them` : `layers: ${wrong} imports cross them or go in a circle`);
process.exitCode = wrong === 0 ? 0 : 1;

import assert from 'node:assert/strict';
import * as nodeModule from 'node:module';
import { test } from 'node:test';
import type { ModulesAnswer, ModuleTime } from '../../src/answers/modules/modules-answer.js';
import { Sandbox } from './support/program.js';

const SPIN = 'const end = Date.now() + 30; while (Date.now() < end);';

/** An ES module that imports another one and a package, which requires a file of its own. */
function program(sandbox: Sandbox): string {
  sandbox.file('lib/rates.mjs', `${SPIN}\nexport const rates = [1, 2];`);
  sandbox.file('lib/waits.mjs', `import './waited-for.mjs';\nexport const two = await Promise.resolve(2);`);
  sandbox.file('lib/waited-for.mjs', `${SPIN}\nexport {};`);
  sandbox.file('node_modules/money/package.json', '{"name":"money","main":"index.js"}');
  sandbox.file('node_modules/money/index.js', `const parse = require('./parse');\nmodule.exports = (text) => parse(text);`);
  sandbox.file('node_modules/money/parse.js', `${SPIN}\nmodule.exports = Number;`);
  return sandbox.file(
    'main.mjs',
    `import { rates } from './lib/rates.mjs';\nimport money from 'money';\nimport './lib/waits.mjs';\nconsole.log(money('7') * rates[1]);`,
  );
}

/** `file <- importer` of each module, in the order of the tree. */
const importers = (modules: readonly ModuleTime[], folder: string, importer = '-'): string[] =>
  modules.flatMap(({ file, imports }) => {
    const name = file.replace(`${folder}/`, '');
    return [`${name} <- ${importer}`, ...importers(imports, folder, name)];
  });

test('report --modules is the tree of imports: what each module took, and what came by it', async (t) => {
  const sandbox = new Sandbox(t);
  const main = program(sandbox);
  const recorded = await sandbox.fentry('record', '-p', 'function_graph', process.execPath, main);
  assert.equal(recorded.code, 0, recorded.stderr);
  assert.match(recorded.stdout, /^14$/m);

  const tree = await sandbox.fentry('report', '--modules', '--all');
  assert.match(tree.stdout, /^ +\d\S+ ms +\S+ [um]s +.*\S+ [um]s {2}main\.mjs$/m, tree.stdout + tree.stderr);
  assert.match(tree.stdout, / {4}lib\/rates\.mjs$/m);
  assert.match(tree.stdout, / {6}node_modules\/money\/parse\.js \[money\]$/m);

  const { stdout } = await sandbox.fentry('report', '--modules', '--json');
  const answer = JSON.parse(stdout) as ModulesAnswer;
  assert.deepEqual([answer.answer, answer.version, answer.application], ['modules', 2, sandbox.folder]);
  assert.deepEqual(importers(answer.modules, sandbox.folder).sort(), [
    'lib/rates.mjs <- main.mjs',
    'lib/waited-for.mjs <- lib/waits.mjs',
    'lib/waits.mjs <- main.mjs',
    'main.mjs <- -',
    'node_modules/money/index.js <- main.mjs',
    'node_modules/money/parse.js <- node_modules/money/index.js',
  ]);
  const [root] = answer.modules;
  const rates = root!.imports.find(({ file }) => file.endsWith('rates.mjs'))!;
  const money = root!.imports.find(({ file }) => file.endsWith('index.js'))!;
  assert.ok(rates.own >= 25e6, 'a module’s own time');
  assert.ok(money.total >= 25e6 && money.own < money.total, 'that of a module which it required is not its own');
  const waits = root!.imports.find(({ file }) => file.endsWith('waits.mjs'))!;
  assert.deepEqual([waits.own, waits.waits, waits.imports[0]!.own >= 25e6], [0, true, true], 'a module that awaits');
  assert.match(tree.stdout, / {4}lib\/waits\.mjs \(awaits: its own time is not known\)$/m);
  assert.ok(root!.total >= rates.total + money.total + waits.total);
  // Node tells how long it reads from 22.15 on, and its next step says when an ES module was compiled.
  const hasRead = 'registerHooks' in nodeModule;
  for (const one of [money, money.imports[0]!, rates]) assert.equal(one.read !== undefined, hasRead, one.file);
  assert.ok(money.imports[0]!.compile! > 0 && money.imports[0]!.compile! < 1e10);
  assert.deepEqual([rates.compile !== undefined, (rates.compile ?? 1) > 0, (rates.compile ?? 0) < 1e10], [hasRead, true, true]);
  assert.equal(money.total, money.own + (money.read ?? 0) + money.compile! + money.imports[0]!.total);
});

/** Counts from before the module's entry until after its exit, and the time in which it surely waited. */
const WAITING = {
  'begin.mjs': 'globalThis.times = [performance.now()];\nexport {};',
  'waits.mjs': [
    'const tick = () => times.push(performance.now());',
    `function work() { ${SPIN} }`,
    'work();',
    'await new Promise((resolve) => {',
    '  setTimeout(tick, 5);',
    '  setTimeout(() => { tick(); resolve(); }, 250);',
    '});',
    'work();',
  ].join('\n'),
  'main.mjs': `import './begin.mjs';\nimport './waits.mjs';\nconsole.log(JSON.stringify([...times, performance.now()]));`,
};

test('a module that awaits is suspended meanwhile: the waiting is not its own time, nor what runs then', async (t) => {
  const sandbox = new Sandbox(t);
  for (const [name, text] of Object.entries(WAITING)) sandbox.file(name, text);
  const recorded = await sandbox.fentry('record', '--own', process.execPath, `${sandbox.folder}/main.mjs`);
  assert.equal(recorded.code, 0, recorded.stderr);
  const [begin, waiting, waited, end] = JSON.parse(/^\[.*\]$/m.exec(recorded.stdout)![0]) as [number, number, number, number];

  const { stdout } = await sandbox.fentry('report', '--modules', '--json');
  const [main] = (JSON.parse(stdout) as ModulesAnswer).modules;
  const { own, waits, isOpen } = main!.imports.find(({ file }) => file.endsWith('waits.mjs'))!;
  assert.deepEqual([waits, isOpen], [undefined, undefined]);
  assert.ok(own >= 55e6, `both of its parts: ${own}`);
  assert.ok(own <= (end - begin - (waited - waiting)) * 1e6, `${own}, ${[begin, waiting, waited, end]}`);

  const { stdout: graph } = await sandbox.fentry('report', '--trace');
  const shape = [...graph.matchAll(/\| {2}( *)(?:(waits\.mjs|work|tick)\(|\} \/\* (waits\.mjs suspended))/g)];
  const lines = shape.map(([, indent, entered, left]) => `${indent}${entered ?? left}`);
  const [first, ...rest] = lines.filter((line) => !line.endsWith('tick'));
  assert.deepEqual([first, ...rest], ['waits.mjs', '  work', 'waits.mjs suspended', 'waits.mjs', '  work'], graph);
  assert.equal(lines.indexOf('tick') > lines.indexOf('waits.mjs suspended'), true, graph);
});

test('a module that was compiled from one source has the name of its source', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('price.ts', 'export const price: number = 7;');
  const map = { version: 3, sources: ['price.ts'], names: [], mappings: 'AAAA' };
  sandbox.file('price.js.map', JSON.stringify(map));
  const file = sandbox.file('price.js', 'exports.price = (() => 7)();\n//# sourceMappingURL=price.js.map');
  assert.equal((await sandbox.fentry('record', '--modules', process.execPath, file)).code, 0);
  assert.match((await sandbox.fentry('report', '--trace')).stdout, / price\.ts\(\)/);
});

test('a module is a function: it begins and ends in the graph, around those that it calls', async (t) => {
  const sandbox = new Sandbox(t);
  const file = sandbox.file('one.cjs', 'function f() { return 1; }\nf();\nexports.f = f;');
  assert.equal((await sandbox.fentry('record', '--own', process.execPath, file)).code, 0);
  const { stdout } = await sandbox.fentry('report', '--trace');
  assert.match(stdout, /\| {2}one\.cjs\(\) \{\n.*\| {4}f\(\);\n.*\| {2}\}\n/);
});

test('a recording without modules says so, and a tree cannot be a table of functions', async (t) => {
  const sandbox = new Sandbox(t);
  const file = sandbox.file('one.cjs', 'function f() { return 1; }\nf();');
  assert.equal((await sandbox.fentry('record', '-l', 'f', process.execPath, file)).code, 0);
  const { stderr, stdout } = await sandbox.fentry('report', '--modules');
  assert.equal(stdout, '');
  assert.match(stderr, /there is no module: record a program from its start, with -p function_graph and without -l/);
  assert.match(
    (await sandbox.fentry('report', '--modules', '--profile')).stderr,
    /--profile and --modules are 2 reports: choose one/,
  );
});

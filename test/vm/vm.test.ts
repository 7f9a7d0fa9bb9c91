import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PRELOAD, Sandbox, until } from '../e2e/support/program.js';
import { testFile } from '../support/program.js';

const SHOP = `exports.area = function area(w, h) {
  return w * h;
};
exports.later = async () => {
  await null;
  return exports.area(2, 3);
};
`;

/** What a recording of the program shows of its calls: the names, in their order. */
const recorded = async (sandbox: Sandbox, ...command: string[]): Promise<string[]> => {
  const { code, stderr } = await sandbox.fentry(
    'record',
    '-o',
    'trace.dat',
    '-p',
    'function',
    '-l',
    'area',
    '-l',
    'later',
    ...command,
  );
  assert.equal(code, 0, stderr);
  const { stdout } = await sandbox.fentry('report', '-i', 'trace.dat');
  return [...stdout.matchAll(/function: +(\S+)/g)].map(([, name]) => name!);
};

test('a runner that compiles modules in contexts, as Jest does', async (t) => {
  const sandbox = new Sandbox(t);
  const shop = sandbox.file('shop.js', SHOP);
  sandbox.file(
    'runner.cjs',
    `const vm = require('node:vm');
const source = require('node:fs').readFileSync(${JSON.stringify(shop)}, 'utf8');
const names = ['module', 'exports', 'require'];
const run = async (compile) => {
  const context = vm.createContext({ console });
  const module = { exports: {} };
  compile(context)(module, module.exports, require);
  if (await module.exports.later() !== 6 || !String(module.exports.area).startsWith('function area(w, h) {\\n  return w')) process.exit(1);
};
const wrapped = '({"Object.<anonymous>":function(' + names + '){' + source + '\\n}})';
(async () => {
  for (let i = 0; i < 2; i++) {
    await run((context) => new vm.Script(wrapped, { filename: ${JSON.stringify(shop)} }).runInContext(context)['Object.<anonymous>']);
    await run((parsingContext) => vm.compileFunction(source, names, { filename: ${JSON.stringify(shop)}, parsingContext }));
  }
})();`,
  );
  const calls = await recorded(sandbox, process.execPath, 'runner.cjs');
  assert.deepEqual(calls, Array.from({ length: 4 }, () => ['later', 'area']).flat());
});

test('a runner that compiles modules in its own realm, as Vitest does, with a source map', async (t) => {
  const sandbox = new Sandbox(t);
  const shop = sandbox.file('shop.ts', 'not what is run');
  // Line 1 of the text is line 5 of the source.
  const map = Buffer.from(JSON.stringify({ version: 3, sources: ['shop.ts'], names: [], mappings: 'AAIA' })).toString('base64');
  const text = `function area(w, h) { return w * h } __vite_ssr_exports__.area = area;\n//# sourceMappingURL=data:application/json;base64,${map}`;
  sandbox.file(
    'runner.cjs',
    `const head = "'use strict';async (__vite_ssr_exports__)=>{{";
const filename = ${JSON.stringify(shop)};
const run = require('node:vm').runInThisContext(head + ${JSON.stringify(text)} + '\\n}}', { filename, columnOffset: -head.length });
const exported = {};
run(exported).then(() => {
  exported.area(2, 3);
  const { readFileSync } = require('node:fs');
  setTimeout(() => {}, 100);
});`,
  );
  assert.deepEqual(await recorded(sandbox, process.execPath, 'runner.cjs'), ['area']);
  const child = await sandbox.start(`${readFileSync(`${sandbox.folder}/runner.cjs`, 'utf8')}; setInterval(() => {}, 1000);`);
  const { stdout } = await sandbox.fentry('cat', '--pid', String(child.pid), 'available_filter_functions');
  assert.match(stdout, /^area$/m);
  assert.doesNotMatch(stdout, /__vite|use_strict/);
});

test('modules that are made to async functions, as Vite does', async (t) => {
  const sandbox = new Sandbox(t);
  mkdirSync(`${sandbox.folder}/node_modules/vite`, { recursive: true });
  sandbox.file('node_modules/vite/index.js', 'exports.AsyncFunction = (async () => {}).constructor;');
  const shop = sandbox.file('shop.js', SHOP);
  sandbox.file(
    'server.cjs',
    `const { AsyncFunction } = require('vite');
const text = ${JSON.stringify(`${SHOP}//# sourceURL=${shop}\n`)};
const exported = {};
new AsyncFunction('exports', '"use strict";' + text)(exported).then(() => exported.later());`,
  );
  assert.deepEqual(await recorded(sandbox, process.execPath, 'server.cjs'), ['later', 'area']);
});

test('async functions that are made from text behave the same', async (t) => {
  const sandbox = new Sandbox(t);
  mkdirSync(`${sandbox.folder}/node_modules/vite`, { recursive: true });
  sandbox.file('node_modules/vite/index.js', '');
  const source = readFileSync(testFile('vm/fixtures/async-functions.mjs'), 'utf8');
  const shop = testFile('hazards/fixtures/vm/shop.js');
  const program = sandbox.file('program.mjs', source.replace(/^const file = .*$/m, `const file = ${JSON.stringify(shop)};`));
  const plain = await sandbox.run([program]);
  assert.match(plain.stdout, /^one parameter 6 3 4/, plain.stderr);
  const idle = await sandbox.run(['--import', PRELOAD, program]);
  assert.deepEqual([idle.stdout, idle.code], [plain.stdout, plain.code], idle.stderr);
  for (const FENTRY of ['ftrace=function', 'statement_sites=app']) {
    const other = await sandbox.run(['--import', PRELOAD, program], { FENTRY });
    assert.deepEqual([other.stdout, other.code], [plain.stdout, plain.code], `${FENTRY}\n${other.stderr}`);
  }
});

const TOTAL = `exports.total = total;
function total(list) {
  let sum = 0;
  for (const { price } of list) {
    sum += price;
  }
  return sum;
}
`;

/**
 * How runners compile a file's text, each a function that returns what calls its `total`; and the line of `sum += price` in V8's
 * count.
 */
const COMPILED: Readonly<Record<string, readonly [line: number, compile: string]>> = {
  own: [
    5,
    `(text, filename) => {
  const exported = {};
  vm.runInThisContext('(function (exports) {' + text + '\\n})', { filename, columnOffset: -20 })(exported);
  return exported.total;
}`,
  ],
  contexts: [
    5,
    `(text, filename) => {
  const wrapped = '({"Object.<anonymous>":function(module,exports){' + text + '\\n}})';
  const calls = [1, 2].map(() => {
    const exported = {};
    new vm.Script(wrapped, { filename }).runInContext(vm.createContext({}))['Object.<anonymous>']({}, exported);
    return exported.total;
  });
  return (list) => calls.map((call, i) => call(list.map(({ price }) => ({ price: price + 10 * i }))));
}`,
  ],
  parsed: [
    5,
    `(text, filename) => {
  const exported = {};
  vm.compileFunction(text, ['exports'], { filename, parsingContext: vm.createContext({}) })(exported);
  return exported.total;
}`,
  ],
  made: [
    7,
    `(text, filename) => {
  const exported = {};
  new AsyncFunction('exports', text + '//# sourceURL=' + filename + '\\n')(exported);
  return exported.total;
}`,
  ],
};

test('probes at lines of texts that a runner compiles use the sites of their statements, in every context', async (t) => {
  const sandbox = new Sandbox(t);
  mkdirSync(`${sandbox.folder}/node_modules/vite`, { recursive: true });
  sandbox.file('node_modules/vite/index.js', 'exports.AsyncFunction = (async () => {}).constructor;');
  const ways = Object.entries(COMPILED);
  const compiled = ways.map(([way, [, compile]]) => `(${compile})(text, ${JSON.stringify(sandbox.file(`${way}.js`, TOTAL))})`);
  const source = `const vm = require('node:vm');
const { AsyncFunction } = require('vite');
const text = ${JSON.stringify(TOTAL)};
const calls = [${compiled.join(', ')}];
setInterval(() => { for (const call of calls) call([{ price: 3 }, { price: 4 }]); }, 5);
`;
  const program = await sandbox.start(source, { FENTRY: 'statement_sites=app' });
  const files = sandbox.client(program.pid);
  await until(async () => (await files.read('available_filter_functions')).match(/^total$/gm)?.length === 4, 'all are loaded');
  for (const [way, [line]] of ways) await files.append('kprobe_events', `p:lines/${way} ${way}.js:${line} sum price\n`);
  assert.match(await files.read('kprobes/list'), /^(\w+ {2}k {2}total\+0x\w+ {4}\[DISABLED\]\[OPTIMIZED\]\n){4}$/);
  await files.write('events/lines/enable', '1');
  const shown = async (): Promise<readonly string[]> =>
    [...new Set((await files.read('trace')).match(/\w+: \(total\+.*/g))].map((line) => line.replace(/\(.*?\) /, '')).sort();
  const second = ['contexts: sum=0 price=13', 'contexts: sum=13 price=14'];
  const expected = [...ways.flatMap(([way]) => [`${way}: sum=0 price=3`, `${way}: sum=3 price=4`]), ...second].sort();
  await until(async () => (await shown()).length >= expected.length, 'all are hit');
  assert.deepEqual(await shown(), expected);
  assert.match(await files.read('kprobe_profile'), /^( +\w+ +[1-9]\d* +0\n){4}$/);
  await files.write('events/lines/enable', '0');
  await files.write('kprobe_events', '');
  assert.equal(await files.read('kprobes/list'), '');
});

test('what is compiled with contextExtensions is listed', async (t) => {
  const sandbox = new Sandbox(t);
  const shop = sandbox.file('shop.js', SHOP);
  const child = await sandbox.start(`require('node:vm').compileFunction(${JSON.stringify(SHOP)}, ['exports'], {
  filename: ${JSON.stringify(shop)}, contextExtensions: [{}] })({}); setInterval(() => {}, 1000);`);
  const { stdout } = await sandbox.fentry('cat', '--pid', String(child.pid), 'functions_without_sites');
  assert.match(stdout, /^shop\.js\t.*inside or around a with statement/m);
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { REQUIRED, run } from '../support/program.js';
import { type Finished, PRELOAD, Sandbox } from './support/program.js';

/** Programs whose ends must be the same with fentry and with a preload that does nothing. */
const PROGRAMS = {
  'ends by itself': 'function f() { console.log("x"); } f();',
  'exits with a code': 'process.exitCode = 3; process.on("exit", (code) => console.log("exit", code));',
  'exits at once': 'process.exit(5);',
  'exits out of an exit listener': 'process.on("exit", () => process.exit(9));',
  throws: 'function f() { throw new TypeError("no"); } f();',
  'throws later':
    'function f() {\n\tthrow Object.assign(new Error("a\\n    at b"), { code: "C" }); }\nsetTimeout(() => [1].map(f));',
  'throws what it made before': 'const early = new Error("early");\nasync function f() { await 0; throw early; } f();',
  'rejects with an error whose stack was read': 'const f = async () => { const e = new Error("read"); e.stack; throw e; }; f();',
  'fails an assertion': 'function f(x) { require("assert").equal(x, 1); } f(2);',
  'fails an assertion later': 'setImmediate(function f() { require("assert")(f === 1); });',
  'emits an error without a listener':
    'const emitter = new (require("events"))(); function f() { emitter.emit("error", new Error("e")); } setImmediate(f);',
  'reads what is no JSON': 'function f(text) { JSON.parse(text); } setImmediate(() => f("{"));',
  'throws a frozen error': 'throw Object.freeze(new Error("cold"));',
  'throws what is no error': 'throw null;',
  'catches an uncaught error':
    'process.on("uncaughtException", (e) => console.log(e.stack.slice(0, 20))); function f() { throw new Error("b"); } f();',
  rejects: 'Promise.reject(new Error("no"));',
  'prints all of its stack': 'Error.stackTraceLimit = 100; console.log(new Error("here").stack);',
  'kills itself': 'process.kill(process.pid, "SIGTERM"); setTimeout(() => {}, 5000);',
  'waits for nothing':
    'setTimeout(() => {}, 10).unref(); console.log(process.getActiveResourcesInfo().filter((one) => one !== "CloseReq"));',
  'counts listeners':
    'console.log(process.listenerCount("exit"), process.listenerCount("uncaughtException"), process.eventNames().length);',
  'deletes its globals':
    'for (const name of ["Atomics", "Reflect", "Math", "Map", "Set"]) delete globalThis[name]; Object = Number = String = null; function f() {} f();',
  'has a worker':
    'const { Worker } = require("worker_threads"); new Worker("process.exit(4)", { eval: true }).on("exit", console.log);',
} as const;

/** Left out: Node's own frames, of which the stack shows as many as are left of ten. */
const withoutNodes = (end: Finished): Finished => ({ ...end, stderr: end.stderr.replace(/^ +at .*node:internal.*\n/gm, '') });

for (const [what, source] of Object.entries(PROGRAMS)) {
  test(`a program that ${what} does so with fentry too`, async (t) => {
    const sandbox = new Sandbox(t);
    const program = sandbox.file('program.cjs', source);
    const nothing = sandbox.file('nothing.mjs', '');
    const traced = await sandbox.run(['--import', PRELOAD, program]);
    assert.deepEqual(withoutNodes(traced), withoutNodes(await sandbox.run(['--import', nothing, program])));
  });
}

test('a busy program that may not be inspected is traced all the same', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file(
    'program.cjs',
    'function f() {} const end = Date.now() + 500; while (Date.now() < end) f(); console.log("ran");',
  );
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
  const permission = major > 23 || (major === 23 && minor >= 5) ? '--permission' : '--experimental-permission';
  const flags = [permission, '--allow-fs-read=*', '--allow-fs-write=*', '--allow-worker', '--import', PRELOAD];
  const { code, stdout } = await sandbox.run([...flags, program], { FENTRY: 'ftrace=function' });
  assert.deepEqual([code, stdout], [0, 'ran\n']);
});

test('fentry may be loaded twice', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file(
    'program.mjs',
    `import ${JSON.stringify(PRELOAD)}; import ${JSON.stringify(`${PRELOAD}?again`)}; console.log('ran');`,
  );
  assert.deepEqual(await sandbox.run(['--import', PRELOAD, program]), { code: 0, signal: null, stdout: 'ran\n', stderr: '' });
});

test('a program subscribes to its own functions', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file(
    'program.mjs',
    `import { registerFtraceFunction, unregisterFtraceFunction } from ${JSON.stringify(PRELOAD)};
function add(a, b) { return a + b; }
const ops = { filter: 'add', saveRegs: true, func(ip, parent, ops, regs) { console.log('called with', regs.arguments); } };
await registerFtraceFunction(ops);
add(1, 2);
await registerFtraceFunction({ func() {}, filter: 'nonsense' }).catch(({ errno }) => console.log(errno));
await registerFtraceFunction(ops).catch(({ errno }) => console.log(errno));
await unregisterFtraceFunction(ops);
add(3, 4);`,
  );
  const { code, stdout } = await sandbox.run(['--import', PRELOAD, program]);
  assert.equal(code, 0);
  assert.equal(stdout, 'called with [ 1, 2 ]\nEINVAL\nEBUSY\n');
});

test('a subscriber gets the addresses that the files show', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(
    `import { registerFtraceFunction } from ${JSON.stringify(PRELOAD)};
function inner() {}
function outer() { inner(); }
const digits = (address) => BigInt.asUintN(64, BigInt(address)).toString(16).padStart(16, '0');
const seen = [];
const func = (ip, parent) => seen.push([digits(ip), parent && digits(parent)]);
await registerFtraceFunction({ filter: 'inner outer', func, exit() {} });
outer();
console.log(JSON.stringify(seen));
setInterval(() => {}, 1000);`,
    {},
    'program.mjs',
  );
  const [output] = (await once(program.stdout!, 'data')) as [Buffer];
  const listed = await sandbox.client(program.pid).read('available_filter_functions_addrs');
  const [inner, outer] = ['inner', 'outer'].map((name) => new RegExp(`^(.*) ${name}$`, 'm').exec(listed)![1]);
  assert.deepEqual(JSON.parse(output.toString()), [
    [outer, 0],
    [inner, outer],
  ]);
});

test('a thousand subscribers of a program, each with a filter of its own, are told of entries and exits', async (t) => {
  const sandbox = new Sandbox(t);
  const names = Array.from({ length: 1000 }, (_, n) => `f${n}`);
  sandbox.file('functions.cjs', names.map((name) => `exports.${name} = function ${name}() {};\n`).join(''));
  const program = sandbox.file(
    'program.mjs',
    `import functions from './functions.cjs';
import { registerFtraceFunction, unregisterFtraceFunction } from ${JSON.stringify(PRELOAD)};
const names = Object.keys(functions);
const told = names.map(() => [0, 0]);
const all = names.map((name, n) => ({ filter: name + '*', func() { told[n][0]++; }, exit() { told[n][1]++; } }));
await Promise.all(all.map(registerFtraceFunction));
for (const name of names) functions[name]();
const meant = names.map((name) => names.filter((other) => other.startsWith(name)).length);
console.log(told.every(([entries, exits], n) => entries === meant[n] && exits === meant[n]), told[1]);
await Promise.all(all.map(unregisterFtraceFunction));
for (const name of names) functions[name]();
console.log(told[1]);`,
  );
  const { code, stdout, stderr } = await sandbox.run(['--import', PRELOAD, program]);
  assert.deepEqual([code, stdout, stderr], [0, 'true [ 111, 111 ]\n[ 111, 111 ]\n', '']);
});

test('a program whose fentry is not complete runs untraced, and says so where tracing was asked for', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.cjs', 'console.log("runs");');
  const preload = sandbox.file('preload.cjs', readFileSync(REQUIRED, 'utf8'));
  const ends = await Promise.all(
    ['', 'ftrace=function'].map((FENTRY) => run(program, { flags: ['--require', preload], env: { FENTRY, FENTRY_CACHE: '' } })),
  );
  assert.deepEqual(
    ends.map(({ stdout, status }) => [stdout, status]),
    [
      ['runs\n', 0],
      ['runs\n', 0],
    ],
  );
  assert.equal(ends[0]?.stderr, '');
  assert.match(ends[1]?.stderr ?? '', /^fentry: nothing is traced: ENOENT.*agent\.cjs'\n$/);
});

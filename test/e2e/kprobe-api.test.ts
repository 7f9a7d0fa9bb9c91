import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PRELOAD, Sandbox, until } from './support/program.js';

/** The functions that are probed; their own module, so that they are known before the probes. */
const SHOP = `export function sum(list) {
  let total = 0;
  for (const one of list) {
    total += one;
  }
  return total;
}
export function helper(x) { return x; }
export function fails(x) { throw new Error('sold out'); }
export async function load(id) { await null; await new Promise((done) => setTimeout(done, 5)); return id + '!'; }
export async function sells(id) { await null; throw new Error(id + ' is gone'); }
export function passes(id) { return load(id); }
export function* walk(n) { for (let i = 0; i < n; i++) yield i; return 'end'; }
export function down(n) { return n === 0 ? 0 : 1 + down(n - 1); }
export class Shelf { constructor(n) { this.n = n; } get size() { return this.n; } }
export function price(a) { const twice = (b) => { return b + b; }; return twice(a + 1); }
`;

/** Runs a program that says what its handlers heard: \`log(...)\` collects, \`said()\` prints and empties. */
async function run(t: TestContext, body: string): Promise<{ readonly lines: readonly string[]; readonly stderr: string }> {
  const sandbox = new Sandbox(t);
  sandbox.file('shop.mjs', SHOP);
  const program = `import { registerFprobe, registerKprobe, registerKretprobe } from ${JSON.stringify(PRELOAD)};
import { sum, helper, fails, load, sells, passes, walk, down, Shelf, price } from './shop.mjs';
const heard = [];
const log = (...words) => void heard.push(words.join(' '));
const said = () => console.log(heard.splice(0).join('; '));
const refused = (promise) => promise.then(() => console.log('not refused'), ({ errno, message }) => console.log(errno + ': ' + message));
${body}`;
  const { stdout, stderr, code } = await sandbox.run(['--import', PRELOAD, sandbox.file('program.mjs', program)]);
  assert.equal(code, 0, stderr);
  return { lines: stdout.replace(/\n$/, '').split('\n'), stderr };
}

const outputOf = async (t: TestContext, body: string): Promise<readonly string[]> => {
  const { lines, stderr } = await run(t, body);
  assert.equal(stderr, '');
  return lines;
};

test('the newest kprobe of a function is called first; post handlers follow the site', async (t) => {
  const lines = await outputOf(
    t,
    `
const one = await registerKprobe({ symbol: 'sum', preHandler: (p, r) => log('one', r.arguments), postHandler: () => log('one post') });
const two = await registerKprobe({ symbol: 'sum', preHandler: (p) => log('two', p.symbol, p.offset), postHandler: () => log('two post') });
sum([1, 2]); said();
await two.disable(); sum([3]); said();
await two.enable(); sum([3]); said();
await one.unregister(); await one.unregister(); sum([3]); said();
console.log(one.isGone, one.isEnabled, two.isEnabled, BigInt.asUintN(64, BigInt(two.addr)).toString(16).slice(0, 8));
await refused(one.enable());
`,
  );
  assert.deepEqual(lines, [
    'two sum 0; one 1,2; two post; one post',
    'one 3; one post',
    'two sum 0; one 3; two post; one post',
    'two sum 0; two post',
    'true false true ffffffff',
    'EINVAL: this probe is gone',
  ]);
});

test('a pre handler that returns true ends the hit for the probes behind it', async (t) => {
  const lines = await outputOf(
    t,
    `
await registerKprobe({ symbol: 'sum', preHandler: () => log('first'), postHandler: () => log('first post') });
await registerKprobe({ symbol: 'sum', preHandler: () => (log('second'), true), postHandler: () => log('second post') });
console.log(sum([1, 2])); said();
`,
  );
  assert.deepEqual(lines, ['3', 'second']);
});

test('a return probe has what its entry handler kept, of coroutines too; an exception unwinds', async (t) => {
  const lines = await outputOf(
    t,
    `
const entryHandler = (call, regs) => { call.data = regs.arguments[0]; };
const handler = (call, regs) => log(call.probe.symbol, call.data, regs.unwound ? 'threw' : String(regs.returnValue));
for (const symbol of ['sum', 'fails', 'load', 'walk', 'down', 'Shelf.get.size']) await registerKretprobe({ symbol, entryHandler, handler });
sum([4]); try { fails(1); } catch {} ; new Shelf(7).size; down(2); said();
await Promise.all([load('a'), load('b')]); said();
const [one, two] = [walk(1), walk(2)];
for (const w of [one, two, one, two, two]) w.next();
said();
`,
  );
  assert.deepEqual(lines, [
    'sum 4 4; fails 1 threw; Shelf.get.size  7; down 0 0; down 1 1; down 2 2',
    'load a a!; load b b!',
    'walk 1 end; walk 2 end',
  ]);
});

test('a settled handler is told how the promise of a call has settled, and when', async (t) => {
  const lines = await outputOf(
    t,
    `
const settledHandler = (call, { status, value, duration }) =>
  log(call.probe.symbol, call.data, status, value instanceof Error ? value.message : String(value), typeof duration === 'number' && duration >= 0);
const entryHandler = (call, regs) => { call.data = regs.arguments[0]; };
const probes = [];
for (const symbol of ['load', 'sells', 'passes', 'helper', 'fails']) probes.push(await registerKretprobe({ symbol, entryHandler, settledHandler }));
await Promise.allSettled([load('a'), sells('b'), passes('c')]); await null; await null; said();
helper(7); try { fails(1); } catch {} ; said();
let least = 0;
const slow = await registerKretprobe({ symbol: 'load', settledHandler: (call, { duration }) => { least = duration; } });
await load('d'); await null; await null; console.log(least >= 4); said();
for (const probe of [...probes, slow]) await probe.unregister();
await load('e'); await null; said();
await refused(registerKretprobe({ symbol: 'load' }));
await refused(registerKretprobe({ symbol: 'load', settledHandler: 1 }));
`,
  );
  assert.deepEqual(lines, [
    'sells b rejected b is gone true; load a fulfilled a! true; load c fulfilled c! true; passes c fulfilled c! true',
    'helper 7 fulfilled 7 true; fails 1 rejected undefined true',
    'true',
    'load d fulfilled d! true',
    '',
    'EINVAL: handler is not a function',
    'EINVAL: settledHandler is not a function',
  ]);
});

test('an entry handler that returns true leaves the end of its call out; maxactive counts what it misses', async (t) => {
  const lines = await outputOf(
    t,
    `
const all = await registerKretprobe({ symbol: 'sum', entryHandler: (call, { arguments: [list] }) => list.length > 1, handler: (call, regs) => log(regs.returnValue) });
const few = await registerKretprobe({ symbol: 'down', maxactive: 2, handler: (call, regs) => log('down', regs.returnValue) });
sum([1, 2]); sum([5]); said();
down(4); said();
console.log(all.missed, few.missed);
`,
  );
  assert.deepEqual(lines, ['5', 'down 3; down 4', '0 3']);
});

test('calls inside of handlers are missed, and counted', async (t) => {
  const lines = await outputOf(
    t,
    `
const inner = await registerKprobe({ symbol: 'helper', preHandler: () => log('never') });
const outer = await registerKprobe({ symbol: 'sum', preHandler: () => { helper(1); helper(2); sum([]); } });
const many = await registerFprobe({ filter: 'helper', exitHandler: () => log('never') });
const middle = await registerKprobe({ symbol: 'down', line: 0, preHandler: () => helper(3) });
sum([1]); down(0); said();
console.log(inner.missed, outer.missed, many.missed, middle.missed);
helper(1); said();
`,
  );
  assert.deepEqual(lines, ['', '3 1 3 0', 'never; never']);
});

test('a handler that throws ends its probe, and the program does not notice', async (t) => {
  const { lines, stderr } = await run(
    t,
    `
const bad = await registerKprobe({ symbol: 'sum', preHandler: () => { throw new Error('a mistake'); } });
const good = await registerKretprobe({ symbol: 'sum', handler: (call, regs) => log(regs.returnValue) });
console.log(sum([1]), sum([2])); said();
console.log(bad.isGone, good.isGone);
`,
  );
  assert.deepEqual(lines, ['1 2', '1; 2', 'true false']);
  assert.equal(stderr.match(/^fentry: a handler of a probe threw, and the probe is gone: Error: a mistake$/gm)?.length, 1);
});

test('a kprobe in the middle of a function has the variables that it names', async (t) => {
  const lines = await outputOf(
    t,
    `
const handler = (name) => (p, { variables }) => log(name, JSON.stringify(variables));
const one = await registerKprobe({ symbol: 'sum', line: 3, variables: ['one', 'total', 'nothing'], preHandler: handler('one') });
const two = await registerKprobe({ symbol: 'sum', offset: one.offset, variables: ['list'], preHandler: handler('two') });
sum([4, 5]); said();
await one.disable(); sum([6]); said();
await one.enable(); await two.unregister(); sum([6]); said();
const self = await registerKprobe({ symbol: 'Shelf.get.size', line: 0, preHandler: (p, regs) => log(regs.self.n) });
new Shelf(3).size; said();
`,
  );
  assert.deepEqual(lines, [
    'two {"list":[4,5]}; one {"one":4,"total":0}; two {"list":[4,5]}; one {"one":5,"total":4}',
    'two {"list":[6]}',
    'one {"one":6,"total":0}',
    '3',
  ]);
});

test('an offset may lead into another function, whose place it is then', async (t) => {
  const lines = await outputOf(
    t,
    `
const offset = price.toString().indexOf('return b');
const inner = offset - price.toString().indexOf('(b)');
const one = await registerKprobe({ symbol: 'price', offset, variables: ['b'], preHandler: (p, { variables }) => log(variables.b) });
const two = await registerKprobe({ symbol: 'twice', offset: inner, variables: ['b'], preHandler: (p, { variables }) => log(variables.b) });
price(1); said();
console.log(one.symbol, one.offset === offset, one.addr === two.addr, two.offset === inner);
`,
  );
  assert.deepEqual(lines, ['2; 2', 'price true true true']);
});

test('an fprobe hears the entries and ends of many functions', async (t) => {
  const lines = await outputOf(
    t,
    `
const probe = await registerFprobe({
  filter: 'h* f* sum', notrace: 'su*',
  entryHandler: (call, regs) => { call.data = regs.arguments[0]; log('begin', call.ip !== 0); return regs.arguments[0] === 'skip'; },
  exitHandler: (call, regs) => log('end', call.data, regs.returnValue, regs.unwound),
});
sum([1]); helper(1); helper('skip'); try { fails('x'); } catch {} said();
await probe.disable(); helper(2); said();
await probe.enable(); helper(3); said();
await probe.unregister(); helper(4); said();
`,
  );
  assert.deepEqual(lines, [
    'begin true; end 1 1 false; begin true; begin true; end x  true',
    '',
    'begin true; end 3 3 false',
    '',
  ]);
});

test('what cannot be probed is refused with the reason', async (t) => {
  const lines = await outputOf(
    t,
    `
await refused(registerKprobe({ symbol: 'nothing' }));
await refused(registerKprobe({ symbol: 'sum', offset: 5 }));
await refused(registerKprobe({ symbol: 'sum', line: 4 }));
await refused(registerKprobe({ symbol: 'sum', line: 3, offset: 7 }));
await refused(registerKprobe({ symbol: 'sum', offset: sum.toString().indexOf('total;') + 6, postHandler() {} }));
await refused(registerKprobe({ symbol: 'sum', preHandler: 3 }));
await refused(registerKprobe({ symbol: 'tracing_mark_write' }));
await refused(registerKprobe({}));
await refused(registerKretprobe({ symbol: 'sum' }));
await refused(registerKretprobe({ symbol: 'sum', handler() {}, maxactive: -1 }));
await refused(registerFprobe({ filter: 'nothing*', exitHandler() {} }));
await refused(registerFprobe({ filter: 'sum' }));
`,
  );
  assert.deepEqual(lines, [
    'ENOENT: there is no function nothing',
    'EILSEQ: Probe point is not an instruction boundary: V8 stops at sum+0x23 (line 2)',
    'EILSEQ: Probe point is not an instruction boundary: V8 stops on line 3 and line 5',
    'EINVAL: an offset or a line, not both',
    'EOPNOTSUPP: a postHandler cannot be there: the place is behind the site at which the call has ended. It can be at a statement in the body of a function that has a site',
    'EINVAL: preHandler is not a function',
    "EINVAL: tracing_mark_write is fentry's own",
    'EINVAL: symbol is the name of a function',
    'EINVAL: handler is not a function',
    'EINVAL: maxactive is a whole number, from 0',
    'EINVAL: no function matches nothing*',
    'EINVAL: exitHandler is not a function',
  ]);
});

const SERVER = `const { Worker, isMainThread } = require('node:worker_threads');
function sum(list) {
  let total = 0;
  for (const one of list) total += one;
  return total;
}
with ({ tax: 1 }) { var taxed = function taxed() { return tax; }; }
require(${JSON.stringify(PRELOAD.replace(/index\.js$/, 'preload.cjs').replace('file://', ''))})
  .registerKprobe({ symbol: 'sum', preHandler() { globalThis.heard = (globalThis.heard ?? 0) + 1; } });
setInterval(() => { sum([1]); if (globalThis.heard !== undefined) process.title = 'heard ' + globalThis.heard; }, 5);
`;

test('kprobes/list, enabled and blacklist show all probes of functions, and halt them', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(SERVER);
  const cat = (path: string): Promise<string> => sandbox.read(path);
  const write = async (path: string, ...words: readonly string[]): Promise<string> =>
    (await sandbox.fentry('append', path, '--', ...words)).stderr;
  await until(async () => (await cat('kprobes/list')) !== '', 'the program has registered its probe');
  assert.equal(await write('kprobe_events', 'r:end sum $retval'), '');
  assert.equal(await write('kprobe_events', 'p:turn sum:3 one'), '');
  const list = async (): Promise<readonly string[]> => (await cat('kprobes/list')).replace(/\n$/, '').split('\n');
  const shown = (line: string): string => line.replace(/^ffffffff[\da-f]{8}/, 'ADDRESS').replace(/\+0x[1-9a-f]\w+/, '+OFFSET');
  assert.deepEqual((await list()).map(shown).sort(), [
    'ADDRESS  k  sum+0x0    [FTRACE]',
    'ADDRESS  k  sum+OFFSET    [DISABLED]',
    'ADDRESS  r  sum+0x0    [DISABLED][FTRACE]',
  ]);
  await write('events/kprobes/enable', '1');
  assert.deepEqual((await list()).map(shown).sort(), [
    'ADDRESS  k  sum+0x0    [FTRACE]',
    'ADDRESS  k  sum+OFFSET    ',
    'ADDRESS  r  sum+0x0    [FTRACE]',
  ]);
  const profile = async (): Promise<string> => cat('kprobe_profile');
  await until(async () => !/ 0 +0$/m.test(await profile()), 'both are hit');
  assert.equal(await write('kprobes/enabled', '0'), '');
  assert.equal(await cat('kprobes/enabled'), '0\n');
  assert.equal(await cat('enabled_functions'), '');
  const halted = await profile();
  assert.equal(await cat('kprobe_profile'), halted);
  assert.equal(await write('kprobes/enabled', 'y'), '');
  await until(async () => (await profile()) !== halted, 'they go on');
  assert.match(await cat('enabled_functions'), /^sum \(2\)/m);
  assert.match(await write('kprobes/enabled', '2'), /EINVAL/);
  assert.match(await cat('kprobes/blacklist'), /^0xffffffff80000000-0xffffffff80000040\ttracing_mark_write$/m);
  assert.match(await cat('kprobes/blacklist'), /^0xffffffff[\da-f]{8}-0xffffffff[\da-f]{8}\ttaxed$/m);
  assert.match(await write('kprobe_events', 'p:w taxed'), /Failed to register probe event: it has no site: .*\(EINVAL\)/);
});

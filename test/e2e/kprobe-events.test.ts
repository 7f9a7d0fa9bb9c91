import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

/** A shop with methods, async functions, recursion and a worker; it prints what it computes, so that a change would show. */
const PROGRAM = `
const { Worker, isMainThread } = require('node:worker_threads');
class Shop {
  constructor(name) { this.name = name; }
  total(order, factor = 2) { return order.price * factor; }
}
const shop = new Shop('corner');
function fails(order) { if (order.price % 2) throw new Error('odd'); return order; }
async function load(id) { await null; return { id, ok: true }; }
function down(n) { return n === 0 ? 0 : 1 + down(n - 1); }
let id = 0;
function sell() {
  const order = { price: ++id, name: 'o' + id, get secret() { console.log('the getter ran'); return 1; } };
  shop.total(order);
  try { fails(order); } catch {}
  load(id);
  down(3);
}
setInterval(sell, 5);
if (isMainThread) new Worker(__filename);
`;

const start = async (t: import('node:test').TestContext, env: NodeJS.ProcessEnv = {}) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(PROGRAM, env);
  let output = '';
  program.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const cat = (path: string): Promise<string> => sandbox.read(path);
  const append = async (path: string, text: string): Promise<string> => (await sandbox.fentry('append', path, '--', text)).stderr;
  const lines = async (event: string): Promise<readonly string[]> =>
    (await cat('trace')).split('\n').filter((line) => line.includes(` ${event}: `));
  /** The event's lines, once there are so many. */
  const heard = async (event: string, count = 5): Promise<readonly string[]> => {
    await until(async () => (await lines(event)).length >= count, `${event} is heard`);
    return lines(event);
  };
  const enable = (event: string, on = '1'): Promise<string> => append(`events/kprobes/${event}/enable`, on);
  return { output: () => output, cat, append, lines, heard, enable };
};

const textOf = (line: string): string => line.slice(line.indexOf(') ') + 2);

test('a probe shows arguments, members and `this` of each call, in every thread', async (t) => {
  const { append, heard, enable, cat } = await start(t);
  assert.equal(
    await append('kprobe_events', 'p:total Shop.total price=order.price:u32 name=order.name:string factor shop=this.name'),
    '',
  );
  assert.equal(await enable('total'), '');
  const cpus = async (): Promise<Set<string>> => new Set((await heard('total')).map((line) => /\[(\d+)\]/.exec(line)![1]!));
  await until(async () => (await cpus()).size === 2, 'both threads are heard');
  for (const line of await heard('total')) {
    const [, price, name, factor, shop] = /^price=(\d+) name="(.*)" factor=(.*) shop=(.*)$/.exec(textOf(line)) ?? [];
    assert.deepEqual([name, factor, shop], [`o${price}`, '2', '"corner"'], line);
  }
  assert.equal(await enable('total', '0'), '');
  const [, hits, missed] = /^\s+total\s+(\d+)\s+(\d+)$/m.exec(await cat('kprobe_profile')) ?? [];
  assert.ok(Number(hits) >= (await heard('total')).length);
  assert.equal(missed, '0');
});

/** Functions whose calls settle in each way; it prints the order of its microtasks, and what nobody handles. */
const SETTLING = `
const { setTimeout: sleep } = require('node:timers/promises');
async function query(id) { await sleep(20); if (id < 0) throw new RangeError('no ' + id); return { id }; }
async function passes(id) { return query(id); }
function plain(id) { return query(id); }
async function throws(id) { throw new Error('at once ' + id); }
async function builds(id) { return { then(ok) { setTimeout(ok, 20, 'built ' + id); } }; }
async function value(id) { return id; }
function none(id) { return id; }
async function* pages(id) { yield id; }
process.on('unhandledRejection', (error) => console.log('unhandled', error.message));
async function turn() {
  const order = [];
  const jobs = [passes(1), plain(2), builds(4), value(5), none(6), passes(-3).catch((error) => error.message), throws(7).catch(() => 7)];
  Promise.resolve().then(() => order.push('a')).then(() => order.push('b')).then(() => order.push('c'));
  value(1).then(() => order.push('v'));
  passes(8).then(() => order.push('p'));
  throws(9);
  console.log(JSON.stringify(await Promise.all(jobs)), order.join(''));
  setTimeout(turn, 5);
}
turn();
`;

test('%settled tells when the promise of a call settles, with its value or reason, and changes nothing', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(SETTLING);
  let output = '';
  program.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await until(() => output.split('\n').length > 6, 'it has run without probes');
  const append = async (path: string, text: string): Promise<string> => (await sandbox.fentry('append', path, '--', text)).stderr;
  const refused = await append('kprobe_events', 'p:pages pages%settled');
  assert.match(refused, /pages is a generator: its calls return no promise; %return is hit at its end \(EINVAL\)/);
  assert.match(await append('kprobe_events', 'p:on query%return $status'), /Invalid \$-variable specified/);
  assert.match(await append('kprobe_events', 'f:all quer*%settled'), /only p and r hear how a promise settles/);
  const names = ['passes', 'plain', 'builds', 'value', 'none', 'throws', 'query'];
  for (const name of names) {
    assert.equal(
      await append('kprobe_events', `${name === 'plain' ? 'r' : 'p'}:${name} ${name}%settled id $status $duration $retval`),
      '',
    );
  }
  const listed = await sandbox.read('kprobe_events');
  assert.match(listed, /^r:kprobes\/passes passes%settled id=id status=\$status duration=\$duration arg4=\$retval$/m);
  assert.equal(await append('events/kprobes/enable', '1'), '');
  const trace = (): Promise<string> => sandbox.read('trace');
  const expected = {
    passes: ['1 status="fulfilled" {id: 1}', '-3 status="rejected" RangeError: "no -3"', '8 status="fulfilled" {id: 8}'],
    plain: ['2 status="fulfilled" {id: 2}'],
    builds: ['4 status="fulfilled" "built 4"'],
    value: ['5 status="fulfilled" 5', '1 status="fulfilled" 1'],
    none: ['6 status="fulfilled" 6'],
    throws: ['7 status="rejected" Error: "at once 7"', '9 status="rejected" Error: "at once 9"'],
  };
  for (const [name, texts] of Object.entries(expected)) {
    const caller = `\\(turn\\+0x[\\da-f]+/0x[\\da-f]+ <- ${name}\\)`;
    await until(
      async () => {
        const found = [...(await trace()).matchAll(new RegExp(` ${name}: ${caller} id=(.*) duration=(\\d+) arg4=(.*)$`, 'gm'))];
        const shown = new Set(found.map(([, id, , value]) => `${id} ${value}`));
        // A promise that is made by a timer of 20 ms takes at least about that.
        const long = found.filter(([all]) => /passes|plain|builds/.test(all)).every(([, , duration]) => Number(duration) > 15e6);
        return texts.every((text) => shown.has(text)) && shown.size === texts.length && long;
      },
      `${name} settles as ${texts.join(', ')}`,
    );
  }
  assert.match(await trace(), / query: \(passes\+0x\w+\/0x\w+ <- query\) id=1 /);
  const lines = new Set(output.split('\n').slice(0, -1));
  assert.deepEqual([...lines].sort(), ['[{"id":1},{"id":2},"built 4",5,6,"no -3",7] avbcp', 'unhandled at once 9']);
  assert.equal(await append('events/kprobes/enable', '0'), '');
});

test('a return probe shows what a function returned, what an async one resolved to, and a fault for an exception', async (t) => {
  const { append, heard } = await start(t);
  for (const line of [
    'r:loaded load id:u32 $retval',
    'r:failed fails price=$retval.price:s32 all=$retval',
    'r:sum down n=$retval:u8',
  ]) {
    assert.equal(await append('kprobe_events', line), '');
  }
  assert.equal(await append('events/kprobes/enable', '1'), '');
  assert.match((await heard('loaded'))[0]!, / loaded: \(sell\+0x[\da-f]+\/0x[\da-f]+ <- load\) /);
  assert.match(textOf((await heard('loaded'))[0]!), /^id=(\d+) arg2=\{id: \1, ok: true\}$/);
  const failed = (await heard('failed', 12)).map(textOf);
  assert.ok(failed.includes('price=0 all=(fault)'), failed.join('\n'));
  assert.ok(
    failed.some((text) => /^price=(\d*[02468]) all=\{price: \1, .*\}$/.test(text)),
    failed.join('\n'),
  );
  // Those of two threads may lie among each other.
  const lines = await heard('sum', 16);
  const sums = ['[000]', '[001]']
    .map((cpu) => lines.filter((line) => line.includes(cpu)).map(textOf))
    .find(({ length }) => length >= 4);
  assert.deepEqual(sums?.slice(0, 4).sort(), ['n=0', 'n=1', 'n=2', 'n=3']);
});

test('a probe of a file that only one thread has loaded is not said to have ended in the others', async (t) => {
  const sandbox = new Sandbox(t);
  const library = sandbox.file(
    'library.cjs',
    'exports.price = function price(order) {\n  const total = order.n * 2;\n  return total;\n};\n',
  );
  await sandbox.start(`
const { Worker, isMainThread } = require('node:worker_threads');
const load = () => setInterval(() => require(${JSON.stringify(library)}).price({ n: 5 }), 5);
if (isMainThread) { load(); new Worker(__filename); }
else setInterval(() => { if (require('node:fs').existsSync(${JSON.stringify(`${library}.now`)})) load(); }, 5);
`);
  const cat = (path: string): Promise<string> => sandbox.read(path);
  await until(async () => (await cat('trace')).includes('#P:2'), 'the worker runs');
  assert.equal((await sandbox.fentry('append', 'kprobe_events', 'p:twice price:2 total')).stderr, '');
  assert.match(
    (await sandbox.fentry('append', 'kprobe_events', 'p:no price:2 this.#own')).stderr,
    /a private name can be read only by the code of its class/,
  );
  await sandbox.fentry('append', 'events/kprobes/twice/enable', '1');
  await until(async () => / twice: .* total=10\n/.test(await cat('trace')), 'the thread that has it is heard');
  assert.doesNotMatch(await cat('error_log'), /twice|no text with sites/);
  sandbox.file('library.cjs.now', '');
  await until(
    async () => /\[001\].* twice: .* total=10\n/.test(await cat('trace')),
    'the other one is heard once it has loaded it',
  );
});

test('a getter of the program is not run: its value is a fault', async (t) => {
  const { output, append, heard, enable } = await start(t);
  assert.equal(await append('kprobe_events', 'p:peek Shop.total secret=order.secret no=order.no.such'), '');
  assert.equal(await enable('peek'), '');
  assert.equal(textOf((await heard('peek'))[0]!), 'secret=(fault) no=(fault)');
  assert.doesNotMatch(output(), /getter ran/);
});

test('a symbol without a package is the application’s function, and the package’s own with it', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('node_modules/greeter/package.json', '{ "name": "greeter", "main": "main.cjs" }');
  sandbox.file('node_modules/greeter/main.cjs', 'exports.greet = function greet(who) { return "good day " + who; };');
  const program = await sandbox.start(`
const greeter = require('greeter');
function greet(who) { return greeter.greet(who + ' and all'); }
setInterval(greet, 5, 'ann');`);
  const client = sandbox.client(program.pid);
  const texts = async (event: string): Promise<readonly string[]> =>
    (await client.read('trace')).match(new RegExp(`(?<= ${event}: ).*`, 'g')) ?? [];
  await client.write('kprobe_events', 'p:own greet who\np:packed greeter:greet who\nr:end greet $retval');
  await client.write('events/kprobes/enable', '1');
  for (const event of ['own', 'packed', 'end']) await until(async () => (await texts(event)).length > 3, `${event} is heard`);
  assert.match([...new Set(await texts('own'))].join(), /^\(greet\+0x0\/0x\w+\) who="ann"$/);
  assert.match([...new Set(await texts('packed'))].join(), /^\(greet\+0x0\/0x\w+ \[greeter\]\) who="ann and all"$/);
  assert.match([...new Set(await texts('end'))].join(), /^\([^,]* <- greet\) arg1="good day ann and all"$/);
});

test('filters, triggers and histograms are those of every event', async (t) => {
  const { append, heard, enable, cat } = await start(t);
  assert.equal(await append('kprobe_events', 'p:total Shop.total price=order.price:u32 name=order.name:string'), '');
  assert.equal(await append('events/kprobes/total/filter', 'price & 1 && name ~ "o*"'), '');
  assert.equal(await append('events/kprobes/total/trigger', 'hist:keys=price.log2'), '');
  assert.equal(await enable('total'), '');
  for (const line of await heard('total')) assert.match(textOf(line), /^price=\d*[13579] /);
  assert.match(await cat('events/kprobes/total/hist'), /^\{ price: ~ 2\^\d+ +\} hitcount: +\d+$/m);
});

test('an eprobe takes its fields from another event, which is called for it and not recorded', async (t) => {
  const { append, heard, lines, cat } = await start(t);
  assert.equal(await append('dynamic_events', 'e:start timer/timer_start after=$expires:u64 who=$comm:string'), '');
  assert.match(await cat('dynamic_events'), /^e:eprobes\/start timer[./]timer_start after=\$expires:u64 who=\$comm:string$/m);
  assert.equal(await append('events/eprobes/start/enable', '1'), '');
  assert.match((await heard('start'))[0]!, /start: .* ?after=\d+ who="node"$/);
  assert.deepEqual(await lines('timer_start'), []);
  assert.equal(await cat('events/timer/timer_start/enable'), '0*\n');
  assert.equal(await append('events/eprobes/start/enable', '0'), '');
  assert.equal(await cat('events/timer/timer_start/enable'), '0\n');
});

test('a line that the process cannot have is refused with the place in it', async (t) => {
  const { append, cat } = await start(t);
  assert.match(await append('kprobe_events', 'p:x no_such_function'), /ENOENT/);
  assert.match(await append('kprobe_events', 'p:x Shop.total nothing'), /EINVAL/);
  assert.match(
    await cat('error_log'),
    /trace_kprobe: error: Invalid fetch argument: nothing is no parameter of Shop\.total\n.*\n +\^/,
  );
  assert.equal(await cat('kprobe_events'), '');
});

test('a probe that is enabled cannot be removed; one that is not leaves nothing', async (t) => {
  const { append, enable, cat, heard } = await start(t);
  assert.equal(await append('kprobe_events', 'p:total Shop.total'), '');
  assert.equal(await enable('total'), '');
  await heard('total');
  assert.match(await append('kprobe_events', '-:total'), /EBUSY/);
  assert.equal(await enable('total', '0'), '');
  assert.equal(await cat('enabled_functions'), '');
  assert.equal(await append('kprobe_events', '-:total'), '');
  assert.equal(await cat('kprobe_events'), '');
  assert.doesNotMatch(await cat('available_events'), /kprobes/);
});

test('a probe of a function whose file is loaded later hears its first call', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('late.cjs', 'exports.greet = function greet(name) { return "hello " + name; };');
  const program = await sandbox.start(`
process.on('SIGUSR2', () => { const { greet } = require('./late.cjs'); greet('first'); greet('second'); });
setInterval(() => {}, 1000);`);
  const cat = (path: string): Promise<string> => sandbox.read(path);
  assert.equal((await sandbox.fentry('append', 'kprobe_events', 'f:greet greet* name')).stderr, '');
  assert.equal((await sandbox.fentry('append', 'events/fprobes/greet/enable', '1')).stderr, '');
  program.kill('SIGUSR2');
  const heard = async (): Promise<readonly string[]> => (await cat('trace')).match(/name="\w+"/g) ?? [];
  await until(async () => (await heard()).length >= 2, 'both calls are heard');
  assert.deepEqual(await heard(), ['name="first"', 'name="second"']);
});

test('probes of the variable FENTRY are there from the first call on', async (t) => {
  const { cat, heard } = await start(t, {
    FENTRY: 'kprobe_event=p:total,Shop.total,price=order.price:u32;p:shops/made,Shop.constructor,name',
  });
  assert.match(textOf((await heard('total'))[0]!), /^price=1$/);
  assert.match(textOf((await heard('made', 1))[0]!), /^name="corner"$/);
  assert.equal(
    await cat('kprobe_events'),
    'p:kprobes/total Shop.total price=order.price:u32\np:shops/made Shop.constructor name=name\n',
  );
});

const CALLERS = `
class Shop { sell(item) { return item; } }
function plain(item) { return item; }
function inner(names, done) {
  const first = names[0];
  return [first].map(done)[0];
}
function outer(names, done) { return inner(names, done); }
setInterval(function tick() { outer(['ann', 'bob'], Shop.prototype.sell); outer('text', plain); }, 5);
`;

test('symstr stores symbols as text, of functions and addresses; arrays have texts and symbols', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(CALLERS);
  const append = async (path: string, text: string): Promise<string> => (await sandbox.fentry('append', path, '--', text)).stderr;
  assert.equal(
    await append('kprobe_events', 'p:x inner done=done:symstr by=$stack0:symstr top=$stack1:symstr names=names:string[3]'),
    '',
  );
  assert.equal(await append('kprobe_events', 'p:y Shop.sell built=$stack0:symstr by=$stack1:symstr'), '');
  assert.equal(await append('events/kprobes/enable', '1'), '');
  const heard = (): Promise<string> => sandbox.read('trace');
  const whole =
    / x: \(inner\S+\) done="Shop\.sell\+0x0\/0x\w+" by="outer\+0x\w+\/0x\w+" top="tick\+0x\w+\/0x\w+" names=\{"ann","bob",\(fault\)\}\n/;
  await until(async () => whole.test(await heard()), 'the probe is heard');
  assert.match(await heard(), / x: .* done="plain\+0x0\/\S+ by=\S+ top=\S+ names=\{\(fault\),\(fault\),\(fault\)\}\n/);
  // The symbol of a built-in comes when the thread has met it.
  await until(
    async () => / y: \(Shop\S+\) built="map\+0x\w+\/0x\w+ \[v8\]" by="inner\+/.test(await heard()),
    'a built-in has its name',
  );
  assert.match(await append('kprobe_events', 'p:z inner k=done:symstr[2]'), /String accepts only memory argument \(EINVAL\)/);
});

test('a return probe names the caller before the arrow', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(`
function inner(x) { if (x === 2) throw new Error('two'); return x; }
function outer(x) { try { return inner(x); } catch { return 0; } }
setInterval(function tick() { outer(1); outer(2); }, 5);
`);
  const append = async (path: string, text: string): Promise<string> => (await sandbox.fentry('append', path, '--', text)).stderr;
  await append('kprobe_events', 'r:x inner x $retval by=$stack0:symbol top=$stack1:symbol');
  await append('kprobe_events', 'r:y inner x');
  await append('events/kprobes/enable', '1');
  const heard = async (): Promise<string> => (await sandbox.read('trace')).replace(/\+0x\w+\/0x\w+/g, '+OFFSET');
  await until(async () => (await heard()).split(' x: ').length > 5, 'the probe is heard');
  assert.match(await heard(), / x: \(outer\+OFFSET <- inner\) x=1 arg2=1 by=outer\+OFFSET top=tick\+OFFSET\n/);
  // An exception has ended it: nothing is left of its stack.
  assert.match(await heard(), / x: \(outer\+OFFSET <- inner\) x=2 arg2=\(fault\) by=0 top=0\n/);
  assert.match(await heard(), / y: \(outer\+OFFSET <- inner\) x=1\n/);
});

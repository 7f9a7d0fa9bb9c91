import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gone, start } from './support/livepatch-session.js';
import { until } from './support/program.js';

test('functions, methods, accessors and static methods are replaced in all threads, and undone', async (t) => {
  const session = await start(t);
  const { evaluate } = session;
  const source = `
    export const total = (order) => order.price * 2;
    export function fact(n) { return n < 2 ? 10 : n * fact(n - 1) }
    export class Cart {
      get size() { return 'size of ' + this.name }
      set size(n) { this.name = n }
      static of({ name, items = 7 }, ...rest) { return [name, items, rest].join() }
    }`;
  assert.equal(await session.patch('fix', source), '');
  const cases = [
    ['api.total({ price: 2 })', '4', '2'],
    ['worker api.total({ price: 2 })', '4', '2'],
    ['api.fact(3)', '60', '6'],
    ['new api.Cart("a").size', 'size of a', '3'],
    ['const c = new api.Cart("b"); c.size = "z"; c.name', 'z', 'b'],
    ['api.Cart.of({ name: "n" }, 5, 6)', 'n,1,5,6', 'n12'],
  ] as const;
  for (const [code, patched] of cases) assert.equal(await evaluate(code.replace('const c', 'var c')), patched);
  assert.equal(await session.write('livepatch/fix/enabled', '1'), 'live patch fix is enabled (EINVAL)');
  assert.equal(await session.write('livepatch/fix/enabled', '0'), '');
  await gone(session, 'fix');
  for (const [code, , plain] of cases) assert.equal(await evaluate(code.replace('const c', 'var c')), plain);
  assert.equal(await session.patch('second', 'export const total = () => 9'), '', 'the functions of the first file do not count');
  assert.equal(await evaluate('api.total({ price: 2 })'), '9');
  assert.equal(await session.write('livepatch/second/enabled', '0'), '');
  await gone(session, 'second');
  assert.equal(await session.read('enabled_functions'), '');
});

test('what cannot be replaced is refused with the reason, and changes nothing', async (t) => {
  const session = await start(t);
  const refused = async (source: string, reason: RegExp): Promise<void> =>
    assert.match(await session.patch(`p${reason.source.length}`, source), reason);
  await refused('export function (', /SyntaxError: .*\(EINVAL\)/);
  await refused('throw new TypeError("not today")', /TypeError: not today \(EINVAL\)/);
  await refused('export const x = 1', /the file exports no function \(EINVAL\)/);
  await refused('export function nosuch() {}', /no function of the program is called nosuch \(EINVAL\)/);
  await refused('export function ids() {}', /ids cannot be replaced: a generator .*\(EINVAL\)/);
  await refused('export default { "Big.constructor"() {} }', /Big.constructor cannot be replaced: .*derived.*\(EINVAL\)/);
  await refused('export function same() {}', /2 functions are called same: same,1 is .*; same,2 is .*\(EINVAL\)/);
  await refused(
    'export class Cart { static of(name, items, rest) {} }',
    /the parameters of Cart.of are not the same.*\(EINVAL\)/,
  );
  assert.match(await session.write('livepatch/load', 'x /no/such/file.mjs'), /no such file \(ENOENT\)/);
  assert.deepEqual(await session.list(), ['follow', 'load', 'prepare']);
  assert.equal(await session.read('enabled_functions'), '');
  assert.equal(
    await session.patch('second', 'export default { "same,2": () => 20, "Cart.constructor"(n) { this.name = n + "!" } }'),
    '',
  );
  assert.equal(await session.evaluate('api.twice.map((f) => f()) + new api.Cart("a").name'), '1,20a!');
  assert.match(
    await session.patch('third', 'export default { "same,2": () => 3 }'),
    /has an owner.*: live patch second \(EBUSY\)/,
  );
  assert.match(await session.write('fail_function/inject', 'same'), /has an owner.*: live patch second \(EBUSY\)/);
});

test('an old call that waits keeps the transition open, or force ends it', async (t) => {
  const session = await start(t);
  const { evaluate, send, next, read, write } = session;
  const source = 'export async function pay() { return "new" }\nexport const total = () => 5';
  const prepare = async (): Promise<void> =>
    assert.equal(await write('livepatch/prepare', `fix ${session.sandbox.file('fix.mjs', source)}`), '');
  const transition = async (): Promise<string> => (await read('livepatch/fix/transition')).trim();
  // Two instances trace the functions, which must make no difference.
  await session.sandbox.fentry('start', '-p', 'function_graph');
  await session.sandbox.fentry('start', '-B', 'other', '-p', 'function');
  for (const end of ['open', 'force'] as const) {
    await prepare();
    send('api.pay(new Promise((resolve) => { globalThis.open = resolve }))');
    assert.equal(await evaluate('api.total({ price: 1 })'), '1', 'it is only prepared');
    assert.equal(await write('livepatch/fix/enabled', '1'), '');
    assert.deepEqual([await transition(), await evaluate('api.pay()'), await evaluate('api.total({})')], ['1', 'new', '5']);
    if (end === 'force') assert.equal(await write('livepatch/fix/force', '1'), '');
    else {
      send('void open()');
      assert.deepEqual([await next(), await next()].sort(), ['old 1', 'undefined'], 'it calls the old total()');
    }
    await until(async () => (await transition()) === '0', 'the transition is over');
    assert.match(await write('livepatch/fix/force', '1'), /not in transition \(EINVAL\)/);
    assert.equal(await write('livepatch/fix/enabled', '0'), '');
    await gone(session, 'fix');
    assert.equal(await evaluate('api.total({ price: 1 })'), '1');
  }
});

test('calls that began before the patch was loaded are waited for if they are followed, from the start on', async (t) => {
  const session = await start(t, false, 'livepatch_follow=pay,total');
  const { evaluate, send, next, read } = session;
  assert.equal(await read('livepatch/follow'), 'total\npay\n');
  assert.match(await read('enabled_functions'), /^pay \(1\) R {2,}\ttramp: ftrace_trampoline \(klp_follow\)/m);
  send('api.pay(new Promise((resolve) => { globalThis.open = resolve }))');
  const source = 'export async function pay() { return "new" }\nexport const total = () => 5;\nglobalThis.isThere = true';
  assert.equal(await session.begin('fix', source), '');
  await until(async () => (await evaluate('globalThis.isThere')) === 'true', 'the main thread has loaded it');
  assert.deepEqual([await evaluate('api.pay()'), await read('livepatch/fix/transition')], ['new', '1\n']);
  send('void open()');
  assert.deepEqual([await next(), await next()].sort(), ['old 1', 'undefined'], 'it calls the old total()');
  await until(async () => (await read('livepatch/fix/transition')) === '0\n', 'the transition is over');
  assert.equal(await session.write('livepatch/fix/enabled', '0'), '');
  await gone(session, 'fix');
  assert.equal(await evaluate('api.total({ price: 1 })'), '1');
  assert.match(await session.write('livepatch/follow', 'nosuch*'), /nosuch.* \(EINVAL\)/);
  assert.match(await read('livepatch/follow'), /^total\npay\n/, 'it is as it was');
  assert.equal(await session.write('livepatch/follow', ''), '');
  assert.equal(await read('enabled_functions'), '');
});

test('a replacement that throws is what the caller gets; a busy thread goes over too', async (t) => {
  const session = await start(t);
  assert.equal(
    await session.patch('throws', 'exports.total = (order) => { throw new RangeError("no " + order.price) }', 'cjs'),
    '',
  );
  assert.equal(await session.evaluate('api.total({ price: 5 })'), 'RangeError: no 5');
  assert.equal(await session.evaluate('api.spin(20)'), 'RangeError: no 1');
});

test('a client that is killed changes nothing', async (t) => {
  const session = await start(t);
  const file = session.sandbox.file('fix.mjs', 'export const total = () => "new"');
  const client = session.sandbox.spawnFentry('livepatch', file);
  await until(async () => (await session.list()).includes('fix'), 'the patch is there');
  await until(async () => (await session.read('livepatch/fix/enabled')) === '1\n', 'it is enabled');
  client.kill('SIGKILL');
  assert.equal(await session.evaluate('api.total({ price: 1 })'), 'new');
  assert.equal((await session.sandbox.fentry('livepatch')).stdout, 'fix: enabled\n  vmlinux/total,1\n');
});

test('after an attach, what was loaded before is refused; what is on at the detach is undone', async (t) => {
  const session = await start(t, true);
  const late = session.sandbox.file('late.cjs', 'exports.price = function price() { return 1 }');
  assert.equal(await session.evaluate(`(globalThis.late = load(${JSON.stringify(late)})).price()`), '1');
  assert.match(
    await session.patch('early', 'export function total() {}'),
    /total cannot be replaced: it was loaded before fentry/,
  );
  assert.equal(await session.patch('fix', 'export function price() { return 2 }'), '');
  assert.equal(await session.evaluate('late.price()'), '2');
  assert.equal((await session.sandbox.fentry('detach', String(session.pid))).code, 0);
  assert.equal(await session.evaluate('late.price()'), '1');
});

test('functions fail as often as fail_function says', async (t) => {
  const session = await start(t);
  const { evaluate, write } = session;
  assert.match(await write('fail_function/inject', 'nosuch'), /\(EINVAL\)/);
  assert.match(await write('fail_function/inject', 'ids'), /\(ERANGE\)/);
  assert.match(await write('fail_function/inject', '!total'), /\(ENOENT\)/);
  assert.equal(await write('fail_function/inject', 'total'), '');
  assert.match(await write('fail_function/inject', 'total'), /\(EBUSY\)/);
  assert.match(await write('fail_function/total/retval', '7 +'), /SyntaxError: the expression is not complete: 7 \+ \(EINVAL\)/);
  assert.match(await write('fail_function/total/retval', '7)'), /SyntaxError: Unexpected token '\)' \(EINVAL\)/);
  assert.equal(await evaluate('api.total({ price: 5 })'), '5', 'the probability is 0');
  await write('fail_function/probability', '100');
  assert.equal(await evaluate('api.total({ price: 5 })'), 'Error: fail_function: total');
  assert.equal(await evaluate('api.total({ price: 5 })'), '5', 'once');
  await write('fail_function/times', '-1');
  await write('fail_function/total/condition', 'ordr.price > 9');
  assert.deepEqual([await evaluate('api.total({ price: 10 })'), await evaluate('api.total({ price: 10 })')], ['10', '10']);
  await until(
    async () =>
      /the condition of fail_function threw, .*: ReferenceError: ordr is not defined/.test(await session.read('error_log')),
    'a misspelt condition is told',
  );
  await write('fail_function/total/condition', 'order.price > 9');
  await write('fail_function/total/retval', 'order.price - 9');
  assert.deepEqual([await evaluate('api.total({ price: 5 })'), await evaluate('api.total({ price: 10 })')], ['5', '1']);
  assert.match(
    await session.read('trace'),
    /FAULT_INJECTION: forcing a failure. name fail_function, interval 1, probability 100/,
  );
  assert.equal(await write('fail_function/inject', ''), '');
  assert.equal(await evaluate('api.total({ price: 10 })'), '10');
  assert.equal(await session.read('enabled_functions'), '');
});

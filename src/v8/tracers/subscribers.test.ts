import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FtraceFunctionOps } from '../../ftrace/ftrace-function-ops.js';
import { OPS_ID } from '../../ftrace/ops.js';
import { FUNCTION_KIND } from '../js-text.js';
import { textAddress } from '../text-region.js';
import { addressOf } from './testing/address-of.js';
import { caught, coReturn, end, enterTry, entry, ret, run, yields } from './testing/hand-sites.js';
import { createTraced } from './testing/traced.js';

const TRACER = OPS_ID.TRACER;
const FIRST = OPS_ID.FIRST_SUBSCRIBER;
const SECOND = FIRST - 1;

const pair = (): ((x: number) => number) =>
  run(`
    function inner(x) { ${entry(1, 'x')} ${ret('x * 2')} }
    function outer(x) { ${entry(0, 'x')} ${ret('inner(x) + 1')} }
    return outer;`);

test('a subscriber gets entries and exits, with this and the arguments if it wants them', () => {
  const traced = createTraced(['outer', 'inner']);
  const outer = pair();
  const seen: unknown[] = [];
  const ops: FtraceFunctionOps = {
    saveRegs: true,
    private: 'mine',
    func: (ip, parentIp, own, regs) => seen.push(['entry', ip, parentIp, own.private, regs!.self, [...regs!.arguments]]),
    exit: (ip, _parentIp, _own, regs) => seen.push(['exit', ip, regs!.returnValue, regs!.unwound]),
  };
  traced.runtime.addSubscriber(FIRST, ops);
  traced.patch([FIRST], [FIRST]);
  assert.equal(outer.call('this', 4), 9);
  traced.patch([], []);
  outer(1);
  assert.deepEqual(seen, [
    ['entry', textAddress(addressOf(0)), 0, 'mine', 'this', [4]],
    ['entry', textAddress(addressOf(1)), textAddress(addressOf(0)), 'mine', undefined, [4]],
    ['exit', textAddress(addressOf(1)), 8, false],
    ['exit', textAddress(addressOf(0)), 9, false],
  ]);
});

test('beside the tracer and each other, each subscriber sees only its own functions', () => {
  const traced = createTraced(['outer', 'inner']);
  const outer = pair();
  const seen: string[] = [];
  const listen = (id: number, name: string): void =>
    traced.runtime.addSubscriber(id, {
      func: (ip) => seen.push(`${name} ${ip === textAddress(addressOf(0)) ? 'outer' : 'inner'}`),
    });
  traced.start({ tracer: 'function_graph' });
  listen(FIRST, 'first');
  listen(SECOND, 'second');
  traced.patch([TRACER, FIRST, SECOND], [SECOND]);
  assert.equal(outer(1), 3);
  traced.patch([], []);
  assert.deepEqual(seen, ['first outer', 'second outer', 'second inner']);
  assert.deepEqual(traced.lines(), ['outer(', ')outer']);
});

test('what a callback calls is not traced', () => {
  const traced = createTraced(['outer', 'inner']);
  const outer = pair();
  let calls = 0;
  traced.runtime.addSubscriber(FIRST, {
    func: () => {
      calls++;
      outer(0);
    },
  });
  traced.patch([FIRST], [FIRST]);
  outer(1);
  traced.patch([], []);
  assert.equal(calls, 2);
});

test('a subscriber that throws does no harm and is not called again', () => {
  const traced = createTraced(['outer', 'inner']);
  const outer = pair();
  let calls = 0;
  traced.start({ tracer: 'function_graph' });
  traced.runtime.addSubscriber(FIRST, {
    func: () => {
      calls++;
      throw new Error('mine');
    },
  });
  traced.patch([TRACER, FIRST], [TRACER, FIRST]);
  assert.equal(outer(1), 3);
  traced.patch([], []);
  assert.equal(calls, 1);
  assert.deepEqual(
    traced.errors.map((error) => (error as Error).message),
    ['mine'],
  );
  assert.deepEqual(traced.lines(), ['outer(', '  inner(', '  )inner', ')outer']);
});

test('an exception tells the exit callback that there was no return', () => {
  const traced = createTraced(['outer', 'thrower']);
  const outer = run<() => void>(`
    function thrower() { ${entry(1)} throw 1; }
    function outer() { ${entry(0)} try { ${enterTry} thrower(); } catch { ${caught} } ${end} }
    return outer;`);
  const seen: unknown[] = [];
  traced.runtime.addSubscriber(FIRST, {
    func() {},
    exit: (ip, _parentIp, _ops, regs) => seen.push([ip, regs!.unwound]),
  });
  traced.patch([], [FIRST]);
  outer();
  traced.patch([], []);
  assert.deepEqual(seen, [[textAddress(addressOf(1)), true]]);
});

test('a subscriber that is removed while a function runs does not get its exit', () => {
  const traced = createTraced(['outer', 'inner']);
  const outer = run<(inside: () => void) => void>(
    `function outer(inside) { ${entry(0, 'inside')} inside(); ${end} } return outer;`,
  );
  let exits = 0;
  const ops = { func() {}, exit: () => exits++ };
  traced.start({ tracer: 'function_graph' });
  traced.runtime.addSubscriber(FIRST, ops);
  traced.patch([TRACER, FIRST]);
  outer(() => {
    traced.runtime.removeSubscriber(FIRST);
    traced.patch([TRACER]);
    traced.runtime.addSubscriber(FIRST, ops);
  });
  traced.patch([], []);
  assert.equal(exits, 0, 'the id is in use again, by one who never saw the entry');
  assert.deepEqual(traced.lines(), ['outer(', ')outer']);
});

test('a subscriber that threw, or was removed in its own callback, leaves no exit to the next one with its id', () => {
  const traced = createTraced(['outer']);
  const outer = run<(inside: () => void) => void>(
    `function outer(inside) { ${entry(0, 'inside')} inside(); ${end} } return outer;`,
  );
  const leavings = [
    () => {
      throw new Error('mine');
    },
    () => traced.runtime.removeSubscriber(FIRST),
  ];
  let exits = 0;
  for (const func of leavings) {
    traced.runtime.addSubscriber(FIRST, { func, exit() {} });
    traced.patch([FIRST]);
    outer(() => traced.runtime.addSubscriber(FIRST, { func() {}, exit: () => exits++ }));
    traced.runtime.removeSubscriber(FIRST);
  }
  traced.patch([]);
  assert.equal(exits, 0);
});

test('a generator that a callback drives leaves no mark on the call that it was called for', () => {
  const traced = createTraced(['numbers', 'outer'], { kinds: { numbers: FUNCTION_KIND.generator } });
  const [numbers, outer] = run<[() => Iterator<number>, () => void]>(`
    function* numbers() { ${entry(0)} for (let i = 0; ; i++) ${yields('i')}; }
    function outer() { ${entry(1)} ${end} }
    return [numbers, outer];`);
  traced.start({ tracer: 'function_graph' });
  const iterator = numbers();
  iterator.next();
  traced.records();
  traced.runtime.addSubscriber(FIRST, { func: () => iterator.next() });
  traced.patch([TRACER], [TRACER, FIRST]);
  outer();
  traced.patch([], []);
  const [begin, finish, ...others] = traced.records();
  assert.deepEqual(others, []);
  assert.equal(finish!.calltime, begin!.ts);
});

test('a hundred subscribers of one call, of which some go while it runs: those who are left are told of its end', () => {
  const traced = createTraced(['outer', 'inner']);
  const outer = run<(inside: () => void) => void>(
    `function outer(inside) { ${entry(0, 'inside')} inside(); ${end} } return outer;`,
  );
  const ids = Array.from({ length: 100 }, (_, index) => FIRST - index);
  const told: number[] = [];
  for (const id of ids) traced.runtime.addSubscriber(id, { func() {}, exit: () => told.push(id) });
  traced.patch(ids);
  outer(() => {
    for (const id of ids) if (id % 3 === 0) traced.runtime.removeSubscriber(id);
    traced.runtime.addSubscriber(FIRST - 100, { func() {}, exit: () => told.push(0) });
    traced.patch([FIRST - 100]);
  });
  traced.patch([]);
  assert.deepEqual(
    told,
    ids.filter((id) => id % 3 !== 0),
  );
});

test('a coroutine that sleeps while subscribers come and go tells those who saw it begin and are left', () => {
  const traced = createTraced(['numbers', 'outer'], { kinds: { numbers: FUNCTION_KIND.generator } });
  const [numbers, outer] = run<[() => Iterator<number>, () => void]>(`
    function* numbers() { ${entry(0)} ${yields('1')}; ${yields('2')}; ${coReturn('3')} }
    function outer() { ${entry(1)} ${end} }
    return [numbers, outer];`);
  const told: string[] = [];
  const listen = (id: number, name: string): void =>
    traced.runtime.addSubscriber(id, {
      func() {},
      exit: (_ip, _parent, _ops, regs) => told.push(`${name} ${regs!.returnValue}`),
    });
  listen(FIRST, 'first');
  listen(SECOND, 'second');
  traced.patch([FIRST, SECOND], []);
  const iterator = numbers();
  iterator.next();
  traced.runtime.removeSubscriber(FIRST);
  for (let id = SECOND - 1; id > SECOND - 9; id--) listen(id, 'later');
  traced.patch([], [SECOND, SECOND - 1, SECOND - 2]);
  outer();
  iterator.next();
  outer();
  assert.deepEqual([iterator.next().value, told.pop()], [3, 'second 3']);
  traced.patch([], []);
  assert.deepEqual(told.splice(0), Array(2).fill(['second undefined', 'later undefined', 'later undefined']).flat());
});

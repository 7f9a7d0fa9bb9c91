import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf } from './testing/address-of.js';
import { caught, end, enterTry, entry, run } from './testing/hand-sites.js';
import { createTraced } from './testing/traced.js';

const family = (): (() => void) =>
  run(`
    function thrower() { ${entry(2)} throw 1; }
    function child(a, b) { ${entry(1, 'a,b')} try { ${enterTry} thrower(); } catch { ${caught} } ${end} }
    function top() { ${entry(0)} child('x', [1]); child(); ${end} }
    return top;`);

test('each event names its function and the one that called it', () => {
  const traced = createTraced(['top', 'child', 'thrower']);
  const top = family();
  traced.start({ tracer: 'function' });
  top();
  traced.stop();
  assert.deepEqual(traced.lines(), ['top <-', 'child <-top', 'thrower <-child', 'child <-top', 'thrower <-child']);
});

test('func-args: the arguments stand in the event', () => {
  const traced = createTraced(['top', 'child', 'thrower']);
  const top = family();
  traced.start({ tracer: 'function', args: true }, [1]);
  top();
  traced.stop();
  assert.deepEqual(
    traced.records().map(({ args }) => args),
    [
      ['"x"', '[1]'],
      ['undefined', 'undefined'],
    ],
  );
});

test('switching from one tracer to the other while functions run', () => {
  const traced = createTraced(['top', 'child']);
  const top = run<(inside: () => void) => void>(`
    function child() { ${entry(1)} ${end} }
    function top(inside) { ${entry(0, 'inside')} child(); inside(); child(); ${end} }
    return top;`);
  traced.start({ tracer: 'function_graph' });
  top(() => traced.start({ tracer: 'function' }));
  top(() => traced.start({ tracer: 'function_graph' }));
  traced.stop();
  assert.deepEqual(traced.lines(), [
    'top(',
    '  child(',
    '  )child',
    'child <-top',
    'top <-',
    'child <-top',
    '  child(',
    '  )child',
  ]);
});

test('parents: the function that called is looked for below the trampoline, whatever else subscribes', () => {
  const asked: string[] = [];
  const traced = createTraced(['top', 'child', 'thrower'], {
    findCaller: (trampoline) => {
      asked.push(trampoline.name);
      return addressOf(2);
    },
  });
  const top = family();
  traced.start({ tracer: 'function', parents: true }, [1]);
  top();
  traced.runtime.addSubscriber(-1, { func() {} });
  traced.patch([-1], [0, -1]);
  top();
  traced.stop();
  assert.deepEqual(traced.lines(), Array(4).fill('child <-thrower'));
  assert.deepEqual(asked, Array(4).fill('sync'), 'not for the function that only the subscriber traces');
});

test('parents: what the search calls is not traced', () => {
  let top: (() => void) | undefined;
  const traced = createTraced(['top', 'child', 'thrower'], {
    findCaller: () => {
      top?.();
      return 0;
    },
  });
  top = family();
  traced.start({ tracer: 'function', parents: true }, [0]);
  top();
  traced.stop();
  assert.deepEqual(traced.lines(), ['top <-']);
});

test('parents: a search that overflows the stack leaves its call out, and only that', () => {
  let calls = 0;
  const traced = createTraced(['top', 'child', 'thrower'], {
    findCaller: () => {
      if (++calls === 1) throw new RangeError('Maximum call stack size exceeded');
      return addressOf(0);
    },
  });
  const top = family();
  traced.start({ tracer: 'function', parents: true }, [1]);
  top();
  traced.stop();
  assert.deepEqual(traced.lines(), ['child <-top']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPS_ID } from '../../../ftrace/ops.js';
import type { Trampoline } from './cells.js';
import { end, entry, run } from './testing/hand-sites.js';
import { createTraced } from './testing/traced.js';

const PATCH = { none: [], subscriber: [-1], both: [OPS_ID.TRACER, -1] } as const;

/** Two functions, and what the first one's site has read of its cell when an interrupt stops the call that follows. */
function createInterrupted(args: boolean) {
  const traced = createTraced(['first', 'second']);
  const both = run<() => void>(`
    function first() { ${entry(0)} ${end} }
    function second() { ${entry(1)} ${end} }
    return () => { first(); second(); };`);
  traced.start({ tracer: 'function', args });
  const site = (globalThis as unknown as { readonly $f0: Trampoline }).$f0;
  const patch = (n: number, ops: readonly number[]): void => traced.patchOnly([n], ops);
  return { traced, both, call: () => site(0), patch };
}

for (const args of [false, true]) {
  test(`a call that was stopped before its function became a NOP is not traced${args ? ', with arguments' : ''}`, () => {
    const { traced, both, call, patch } = createInterrupted(args);
    assert.equal(
      traced.runtime.obeyAtNextCall(() => patch(0, PATCH.none)),
      true,
    );
    assert.equal(call(), 0);
    both();
    traced.stop();
    assert.deepEqual(traced.lines(), ['second <-']);
  });

  test(`a call that was stopped is traced when its site stays as it was${args ? ', with arguments' : ''}`, () => {
    const { traced, call, patch } = createInterrupted(args);
    traced.runtime.obeyAtNextCall(() => patch(1, PATCH.none));
    call();
    traced.stop();
    assert.deepEqual(traced.lines(), ['first <-']);
  });
}

test('a call that was stopped is not traced by whom its site has left for another', () => {
  const { traced, call, patch } = createInterrupted(false);
  traced.runtime.addSubscriber(-1, { func() {} });
  traced.runtime.obeyAtNextCall(() => patch(0, PATCH.subscriber));
  call();
  traced.stop();
  assert.deepEqual(traced.lines(), []);
});

test('a thread obeys once, and not inside a callback of the program', () => {
  const { traced, both, patch } = createInterrupted(false);
  const log: string[] = [];
  traced.runtime.addSubscriber(-1, {
    func() {
      traced.runtime.obeyAtNextCall(() => log.push('obeyed'));
      both();
      log.push('called back');
    },
  });
  patch(1, PATCH.both);
  both();
  both();
  traced.stop();
  assert.deepEqual(log, ['called back', 'obeyed', 'called back']);
  traced.runtime.removeSubscriber(-1);
});

test('no command is obeyed at a call while no site is armed', () => {
  const { traced } = createInterrupted(false);
  traced.stop();
  assert.equal(
    traced.runtime.obeyAtNextCall(() => {}),
    false,
  );
});

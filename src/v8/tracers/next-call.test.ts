import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPS_ID } from '../../ftrace/ops.js';
import type { Trampoline } from './cells.js';
import { end, entry, run } from './testing/hand-sites.js';
import { createTraced } from './testing/traced.js';

const PATCH = { none: [], tracer: [OPS_ID.TRACER], both: [OPS_ID.TRACER, -1] } as const;

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
  const how = args ? ', with arguments' : '';

  test(`a call that was stopped is traced, and then its function becomes a NOP${how}`, () => {
    const { traced, both, call, patch } = createInterrupted(args);
    const lines: string[][] = [];
    const isAsked = traced.runtime.obeyAtNextCall(() => {
      lines.push(traced.lines());
      patch(0, PATCH.none);
    });
    assert.equal(isAsked, true);
    call();
    both();
    traced.stop();
    assert.deepEqual([...lines, traced.lines()], [['first <-'], ['second <-first']]);
  });

  test(`a call that was stopped is traced when its site stays as it was${how}`, () => {
    const { traced, call, patch } = createInterrupted(args);
    traced.runtime.obeyAtNextCall(() => patch(1, PATCH.none));
    call();
    traced.stop();
    assert.deepEqual(traced.lines(), ['first <-']);
  });

  test(`a call that was stopped is traced once by whom its site calls before and after${how}`, () => {
    const { traced, call, patch } = createInterrupted(args);
    const heard: number[] = [];
    traced.runtime.addSubscriber(-1, {
      func() {
        heard.push(0);
      },
    });
    traced.runtime.obeyAtNextCall(() => patch(0, PATCH.both));
    call();
    assert.deepEqual([traced.lines(), heard], [['first <-'], []], 'the subscriber came with the command');
    const list = (globalThis as unknown as { readonly $f0: Trampoline }).$f0;
    traced.runtime.obeyAtNextCall(() => patch(0, PATCH.tracer));
    list(0);
    traced.stop();
    assert.deepEqual([traced.lines().length, heard], [1, [0]]);
    traced.runtime.removeSubscriber(-1);
  });
}

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

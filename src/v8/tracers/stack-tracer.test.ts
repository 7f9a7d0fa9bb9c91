import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeepestStack } from '../../ftrace/deepest-stack.js';
import { SERVICE_OPS } from '../../ftrace/tracers/services.js';
import type { StackDepth } from '../call-stack.js';
import { FUNCTION_KIND } from '../js-text.js';
import { textAddress } from '../text-region.js';
import { addressOf } from './testing/address-of.js';
import { awaits, coEnd, end, entry, ret, run } from './testing/hand-sites.js';
import { createTraced } from './testing/traced.js';

const STACK = [SERVICE_OPS.stack];
const NAMES = ['main', 'child', 'waits'];

/** Traces the stack with a depth that the test says. */
function createMeasured() {
  let bytes = 0;
  let measured = 0;
  let ended = 0;
  const depth = Object.assign(
    () => {
      measured++;
      return bytes;
    },
    { end: () => ended++ },
  ) as unknown as StackDepth;
  const traced = createTraced(NAMES, {
    kinds: { waits: FUNCTION_KIND.async },
    stackDepth: depth,
    walkStack(addresses) {
      addresses[0] = 0x81000001;
      return 1;
    },
  });
  const deepest = DeepestStack.create(4);
  traced.runtime.setService('stack', { memory: deepest.memory, cpu: 3 });
  const patch = (ops: readonly number[]): void => traced.patchOnly([0, 1, 2], ops);
  patch(STACK);
  return {
    traced,
    deepest,
    patch,
    grow(by: number): void {
      bytes += by;
    },
    counts: () => ({ measured, ended }),
  };
}

test('each call is measured, the deepest is kept with the place of each frame', () => {
  const { deepest, grow } = createMeasured();
  run<(grow: (by: number) => void) => void>(`
    function child(grow) { ${entry(1)} ${end} }
    function main(grow) { ${entry(0)} grow(300); child(grow); grow(-100); child(grow); ${end} }
    return main;`)(grow);
  assert.equal(deepest.maxSize, 300);
  assert.deepEqual(deepest.read(), {
    frames: [textAddress(0x81000001)],
    measured: [
      { address: textAddress(addressOf(1)), depth: 300 },
      { address: textAddress(addressOf(0)), depth: 0 },
    ],
  });
});

test('a coroutine that goes on lies where it is called from then', async () => {
  const { deepest, grow } = createMeasured();
  await run<(grow: (by: number) => void) => Promise<void>>(`
    function child() { ${entry(1)} ${end} }
    async function waits(grow) { ${entry(2)} ${awaits('grow(50)')}; grow(100); child(); ${coEnd} }
    function main(grow) { ${entry(0)} ${ret('waits(grow)')} }
    return main;`)(grow);
  assert.deepEqual(deepest.read()?.measured, [
    { address: textAddress(addressOf(1)), depth: 150 },
    { address: textAddress(addressOf(2)), depth: 50 },
  ]);
});

test('the same configuration again changes nothing; the end frees the measurement', () => {
  const measured = createMeasured();
  const { traced, deepest, patch } = measured;
  const main = run<() => void>(`function main() { ${entry(0)} ${end} } return main;`);
  traced.runtime.setService('stack', { memory: deepest.memory, cpu: 3 });
  main();
  assert.deepEqual(measured.counts(), { measured: 1, ended: 0 });
  patch([]);
  traced.runtime.setService('stack', undefined);
  main();
  assert.deepEqual(measured.counts(), { measured: 1, ended: 1 });
});

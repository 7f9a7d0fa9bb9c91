import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { addressOf } from './testing/address-of.js';
import { end, entry, run } from './testing/hand-sites.js';
import { createTraced, type Traced } from './testing/traced.js';

const NAMES = ['main', 'once', 'often'];

/** Each record as `name <-parent`, with the count and the time since the last of the repeats. */
function linesOf(traced: Traced): string[] {
  const name = (low: number): string => NAMES.find((_, n) => addressOf(n) === low) ?? '';
  return traced.words().map((words) => {
    const call = `${name(words[2]!)} <-${name(words[4]!)}`;
    if ((words[0]! & 0xffff) !== FTRACE_EVENTS.func_repeats.id) return call;
    return `${call} x${words[6]! & 0xffff} -${(words[6]! >>> 16) * 2 ** 32 + words[7]!}`;
  });
}

const program = (): ((count: number, spend: (ns: number) => void) => void) =>
  run(`
    function often() { ${entry(2)} ${end} }
    function once() { ${entry(1)} ${end} }
    function main(count, spend) { ${entry(0)} for (let i = 0; i < count; i++) { spend(10); often() } spend(5e9); once(); often(); ${end} }
    return main;`);

test('repeats of a call from the same function are counted, and recorded before the next other call', () => {
  let now = 0;
  const traced = createTraced(NAMES, { clock: () => now });
  const main = program();
  traced.start({ tracer: 'function', noRepeats: true });
  main(5, (ns) => {
    now += ns;
  });
  traced.stop();
  assert.deepEqual(linesOf(traced), ['main <-', 'often <-main', 'often <-main x4 -5000000000', 'once <-main', 'often <-main']);
});

test('one call alone is no repeat', () => {
  const traced = createTraced(NAMES);
  const main = program();
  traced.start({ tracer: 'function', noRepeats: true });
  main(1, () => {});
  traced.stop();
  assert.deepEqual(linesOf(traced), ['main <-', 'often <-main', 'once <-main', 'often <-main']);
});

test('repeats that do not fit into the count are recorded again', () => {
  const traced = createTraced(NAMES, { clock: () => 1 });
  const main = program();
  traced.start({ tracer: 'function', noRepeats: true });
  main(2 + 0xffff, () => {});
  traced.stop();
  assert.deepEqual(linesOf(traced), [
    'main <-',
    'often <-main',
    'often <-main x65535 -0',
    'often <-main',
    'once <-main',
    'often <-main',
  ]);
});

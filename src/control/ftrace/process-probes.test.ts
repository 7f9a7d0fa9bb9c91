import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommandWord } from '../../ftrace/commands/command-word.js';
import { FunctionMatcher, functionNames } from '../../ftrace/function-match.js';
import { OPS_ID, opsWants } from '../../ftrace/ops.js';
import type { ProbeChange } from '../../ftrace/tracers/services.js';
import { FakeThread } from '../testing/fake-thread.js';
import { ProcessProbes } from './process-probes.js';

const NAMES = ['read', 'readv', 'write'];
const names = functionNames(
  [0, 1, 2],
  (n) => NAMES[n]!,
  () => '',
);

const changesOf = (thread: FakeThread): ProbeChange[] => thread.of('service').map(({ config }) => config as ProbeChange);

function write(probes: ProcessProbes, instance: number, text: string): void {
  probes.of(instance).apply(parseCommandWord(text, () => undefined)!, new FunctionMatcher(names), names, false);
}

test('each probe is an ops, and all of them share one bit', () => {
  const probes = new ProcessProbes([]);
  write(probes, 0, 'read*:traceoff');
  write(probes, 3, 'read:snapshot:1');
  const counts = [0, 1, 2].map((n) => probes.ops.filter((ops) => opsWants(ops, n)).length);
  assert.deepEqual(counts, [2, 1, 0]);
  assert.deepEqual([...new Set(probes.ops.map(({ id }) => id))], [OPS_ID.PROBE]);
  probes.removeInstance(3);
  assert.equal(probes.ops.length, 1);
});

test('threads get changes, and a thread that starts later gets all probes', () => {
  const early = new FakeThread();
  const probes = new ProcessProbes([early.connection]);
  write(probes, 0, 'read*:traceoff:2');
  write(probes, 0, '!readv:traceoff:2');
  assert.deepEqual(
    changesOf(early).map((change) => change.type),
    ['add', 'remove'],
  );
  const late = new FakeThread();
  probes.addThread(late.connection);
  const [change] = changesOf(late) as Extract<ProbeChange, { type: 'add' }>[];
  assert.deepEqual([change!.command, change!.instance, [...change!.group.functions]], ['traceoff', 0, [0]]);
  const { counts, places } = (changesOf(early)[0] as Extract<ProbeChange, { type: 'add' }>).group;
  Atomics.sub(counts!, places![0]!, 1);
  assert.equal(change!.group.counts![change!.group.places![0]!], 1, 'they count down together');
});

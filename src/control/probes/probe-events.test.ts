import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventRegistry } from '../../events/registry.js';
import type { ProbeDefinition } from '../../probes/probe-definition.js';
import { ProbeRefusal } from '../../probes/probe-errors.js';
import { DynamicEvents } from '../events/dynamic-events.js';
import { dynamicSynthetics } from '../events/dynamic-synthetic.js';
import type { FunctionTable } from '../ftrace/function-table.js';
import { ProbeEvents, type ProbeEventsNeeds } from './probe-events.js';
import type { AddedProbe } from './probe-table.js';

const NAMES = ['handle', 'serve', 'close'];

/** Probes of three functions; `check` refuses as the process would, and each change is noted. */
function probes(check: (definition: ProbeDefinition) => void | Promise<void> = () => {}) {
  const events = new EventRegistry();
  const dynamicEvents = new DynamicEvents();
  const changes: string[] = [];
  const log: string[] = [];
  const note = (sign: string) => (probe: AddedProbe) => void changes.push(`${sign}${probe.event.system}:${probe.event.name}`);
  const table: ProbeEventsNeeds['probes'] = {
    file: () => 'ENOENT',
    async check(definition) {
      await check(definition);
      return definition;
    },
    added: note('+'),
    removed: note('-'),
    isInlined: () => false,
    symbolAt: () => undefined,
    registersAt: () => undefined,
    params: () => ['req'],
  };
  const functions = {
    count: NAMES.length,
    numbers: () => NAMES.keys(),
    name: (n: number) => NAMES[n]!,
    module: () => '',
    find: (name: string) => [...NAMES.keys()].filter((n) => NAMES[n] === name),
    params: () => ['req'],
  } as unknown as FunctionTable;
  const logError = (location: string, message: string, command: string, position: number): void =>
    void log.push(`${location}: ${message}\n${command}\n${' '.repeat(position)}^`);
  const probeEvents = new ProbeEvents({ events, probes: table, functions: () => functions }, { dynamicEvents, logError });
  const synthetic = dynamicSynthetics(events, dynamicEvents, logError);
  return { events, dynamicEvents, probeEvents, synthetic, changes, log };
}

test('probes of one event come and go with it', async () => {
  const { events, probeEvents, dynamicEvents, changes } = probes();
  await probeEvents.write('kprobe_events', 'p:x handle a=$arg1');
  await probeEvents.write('kprobe_events', 'p:x serve a=$arg1');
  const event = events.find('kprobes', 'x')!;
  assert.equal(probeEvents.of(event).length, 2);
  await probeEvents.write('kprobe_events', '-:x handle');
  assert.equal(dynamicEvents.text(), 'p:kprobes/x serve a=$arg1\n');
  assert.equal(events.find('kprobes', 'x'), event);
  await probeEvents.write('kprobe_events', '-:x');
  assert.equal(events.find('kprobes', 'x'), undefined);
  assert.deepEqual(changes, ['+kprobes:x', '+kprobes:x', '-kprobes:x', '-kprobes:x']);
});

test('what the process refuses has a line in error_log, with the caret under the place or the argument', async () => {
  const { probeEvents, log, events } = probes(({ args }) => {
    if (args.length > 0) throw new ProbeRefusal('BAD_FETCH_ARG', 'there is no variable `b`; there are `a`, `req`', 1);
    throw new ProbeRefusal('BAD_INSN_BNDRY', 'the nearest places are +4 and +17');
  });
  await assert.rejects(probeEvents.write('kprobe_events', 'p:x  handle+5'), { errno: 'EILSEQ' });
  await assert.rejects(probeEvents.write('kprobe_events', 'p:x handle+4 a b'), { errno: 'EINVAL' });
  assert.deepEqual(log, [
    'trace_kprobe: Probe point is not an instruction boundary: the nearest places are +4 and +17\np:x handle+5\n    ^',
    `trace_kprobe: Invalid fetch argument: there is no variable \`b\`; there are \`a\`, \`req\`\np:x handle+4 a b\n${' '.repeat(15)}^`,
  ]);
  assert.equal(events.find('kprobes', 'x'), undefined);
});

test('lines are obeyed in the order in which they were written, also while the process still looks at the first', async () => {
  let goOn = (): void => {};
  const looked = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { probeEvents, dynamicEvents } = probes(() => looked);
  const written = [probeEvents.write('kprobe_events', 'p:x handle'), probeEvents.write('kprobe_events', '-:x')];
  goOn();
  await Promise.all(written);
  assert.equal(dynamicEvents.text(), '');
});

test('an enabled event cannot be removed, and then nothing is', async () => {
  const { events, probeEvents, dynamicEvents } = probes();
  await probeEvents.write('kprobe_events', 'p:x handle');
  await probeEvents.write('kprobe_events', 'p:y serve');
  const enabled = events.watch({ uses: ({ name }) => name === 'y', gone() {} });
  await assert.rejects(probeEvents.clear(undefined), { errno: 'EBUSY' });
  assert.equal(dynamicEvents.list().length, 2);
  enabled();
  await probeEvents.clear(undefined);
  assert.equal(dynamicEvents.list().length, 0);
});

test('an event stays while an event probe is attached to it', async () => {
  const { probeEvents, synthetic } = probes();
  synthetic.write('latency u64 lat');
  await probeEvents.write('dynamic_events', 'e:slow synthetic/latency $lat');
  assert.throws(() => synthetic.remove('latency'), { errno: 'EBUSY' });
  await probeEvents.write('dynamic_events', '-:slow');
  synthetic.remove('latency');
});

test('a line that no file takes says what one looks like', async () => {
  await assert.rejects(probes().probeEvents.write('dynamic_events', 'q:x handle'), {
    errno: 'EINVAL',
    message: 'a line begins with p, r, f, t, e or s, or is -:[GROUP/]EVENT',
  });
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { listenToTracepoints } from '../../tracepoint/declared.js';
import { u32 } from '../../tracepoint/fields.js';
import { nodeEventSystem } from './node-event-system.js';
import { EventLog, TEST_THREAD } from './testing/event-log.js';

const event = { args: ['n'], fields: { n: u32((n: number) => n) }, print: '"n=%u", REC->n' } as const;

/** A system of two events with one source, and what the source was told. */
function sample() {
  const told: string[] = [];
  const system = nodeEventSystem<{ one: [n: number]; two: [n: number] }>('sample_system', {
    events: { one: event, two: event },
    sources: [
      {
        events: ['one', 'two'],
        start({ one, two }) {
          told.push('start');
          one(1);
          two(2);
          return () => void told.push('stop');
        },
      },
    ],
  });
  return { system, told };
}

test('a source starts with the first of its events and stops with the last', () => {
  const { system, told } = sample();
  const log = new EventLog(system);
  log.enable('one');
  log.enable('two');
  assert.deepEqual(told, ['start']);
  log.disable();
  assert.deepEqual(told, ['start', 'stop']);
  log.enable('two');
  assert.deepEqual(told, ['start', 'stop', 'start']);
  log.disable();
});

test('a probe that waits for its event finds all tracepoints of the source', () => {
  const { system, told } = sample();
  listenToTracepoints(({ tracepoint }) => {
    if (tracepoint.system === system.system) tracepoint.registerProbe(() => {});
  });
  system.declare(TEST_THREAD);
  assert.deepEqual(told, ['start']);
});

test('a source that cannot start does no harm, and says so', () => {
  const at = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
  const source = `
import { EventLog } from ${at('testing/event-log.js')};
import { nodeEventSystem } from ${at('node-event-system.js')};
const start = () => { throw new Error('the program has taken it away'); };
const log = new EventLog(nodeEventSystem('broken', {
  events: { one: { args: [], fields: {}, print: '""' } },
  sources: [{ events: ['one'], start }],
}));
log.enable();
log.disable();`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
  assert.equal(stderr, "fentry: some of Node's events are not recorded: the program has taken it away\n");
  assert.equal(status, 0);
});

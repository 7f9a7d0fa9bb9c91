import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PrintkFormats } from '../../events/printk-formats.js';
import { EventRegistry } from '../../events/registry.js';
import { DEFAULT_OPTIONS } from '../../ftrace/options.js';
import type { PortEvent } from '../../port/port.js';
import { ProcessTracer } from '../ftrace/process-tracer.js';
import { TextTable } from '../ftrace/text-table.js';
import { AsyncContexts } from '../tasks/async-contexts.js';
import { SavedCmdlines } from '../tasks/task-names.js';
import { announcedText, NO_ANNOUNCEMENTS } from '../testing/announced-text.js';
import { FakeThread } from '../testing/fake-thread.js';
import { takeEvent } from './thread-events.js';

const SETTINGS = { tracer: 'nop', options: DEFAULT_OPTIONS, maxDepth: 0, threshold: 0n } as const;

/** A process of one thread, which reports `event`s, and what came of them. */
function createProcess(tid = process.pid) {
  const thread = new FakeThread(2, tid);
  const table = new TextTable();
  const tracer = new ProcessTracer(table, SETTINGS, NO_ANNOUNCEMENTS);
  tracer.addThread(thread.connection);
  const log: unknown[] = [];
  const top = {
    number: tracer.top.instance,
    taskPids: undefined as never,
    marks: {
      mark: (text: Uint8Array, pid: number, comm: string) => log.push(`${comm}-${pid}: ${text}`) > 0,
      markRaw: (bytes: Uint8Array, pid: number, comm: string) => log.push(`${comm}-${pid}: ${bytes.length} bytes`) > 0,
    },
    buffers: { use: () => void log.push('buffers') },
  };
  const told = {
    ...{
      tracer,
      table,
      scripts: { lost() {} },
      contexts: new AsyncContexts(),
      cmdlines: new SavedCmdlines(),
      printkFormats: new PrintkFormats(),
    },
    ...{ instances: [top], obeyed: async () => {} },
    livepatches: { told: () => {}, obey: async () => {} },
    joinCpus() {},
    warn: (...warning: unknown[]) => void log.push(warning),
    stackPlaces: { add() {} },
    places: { told() {} },
    controlEvents: { happened() {}, instancesOf: () => [] },
    programKprobes: { place: async () => {}, setState() {} },
    events: new EventRegistry(),
    onDump: (cpu: number | undefined) => void log.push(`dump of ${cpu}`),
    consoleLine: (cpu: number, record: Uint8Array, ts: number) => Buffer.from(`[${ts}] cpu ${cpu}: ${record.join(' ')}\n`),
    onProgramEnd: () => void log.push('end'),
  };
  const link = (names: readonly string[]): void => tracer.link([{ thread: thread.connection, link: announcedText(0, names) }]);
  return { ...told, thread, log, link, tell: (event: PortEvent) => takeEvent(told, thread.connection, event) };
}

describe('what threads report', () => {
  it('a call of the program is answered behind all that follows from it', () => {
    const { link, tell, thread } = createProcess();
    link(['read', 'write']);
    tell({ type: 'subscribe', call: 1, request: { id: 16, name: 'call', flags: 0, filter: ['read'], notrace: [] } });
    assert.deepEqual(thread.types(), ['functions', 'patch', 'answer']);
    tell({ type: 'unsubscribe', call: 2, id: 16 });
    assert.deepEqual(thread.types(), ['patch', 'answer']);
  });

  it('a call that is refused is answered with the error', () => {
    const { link, tell, thread } = createProcess();
    link(['read']);
    tell({ type: 'subscribe', call: 3, request: { id: 16, name: 'call', flags: 0, filter: ['missing'], notrace: [] } });
    const error = { errno: 'EINVAL', message: 'no function matches missing' };
    assert.deepEqual(thread.posted, [{ type: 'answer', call: 3, error }]);
  });

  it('marks are the top level’s, in the name of the thread, which gets a buffer for the next ones', () => {
    const { tell, log, cmdlines, thread } = createProcess();
    tell({ type: 'mark', text: Buffer.from('hello') });
    cmdlines.set(thread.connection.tid, 'server');
    tell({ type: 'raw mark', bytes: Buffer.alloc(8) });
    assert.deepEqual(log, [`node-${process.pid}: hello`, 'buffers', `server-${process.pid}: 8 bytes`, 'buffers']);
  });

  it('a dump is written before the thread goes on', () => {
    const { tell, log } = createProcess();
    tell({ type: 'dump', cpu: 2 });
    assert.deepEqual(log, ['dump of 2']);
  });

  it('breakpoints that are gone or were never there are warned of', () => {
    const { tell, log, tracer, thread } = createProcess();
    tracer.link([{ thread: thread.connection, link: announcedText(0, ['read'], { isLoadedBefore: true }) }]);
    tracer.decode();
    tell({ type: 'overheated', n: 0 });
    tell({ type: 'unreached', n: 0, why: 'there is no place for a breakpoint' });
    assert.deepEqual([log.length, tracer.records.isOverheated(0)], [2, true]);
  });

  it('the program ends with its main thread, and with no other', () => {
    const worker = createProcess(process.pid + 1);
    worker.tell({ type: 'end' });
    const main = createProcess();
    main.tell({ type: 'end' });
    assert.deepEqual([worker.log, main.log], [[], ['end']]);
  });
});

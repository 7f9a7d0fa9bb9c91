import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_OPTIONS } from '../../core/options.js';
import { SavedCmdlines } from '../../core/saved-cmdlines.js';
import { createControlBlock, THREAD_WORD, threadWord, WORD } from '../control-block.js';
import type { ThreadEvent } from '../protocol.js';
import { TextLog } from '../text-log.js';
import { AsyncContexts } from './tasks/async-contexts.js';
import { FakeThread } from './testing/fake-thread.js';
import { linkEvent } from './testing/link-event.js';
import { takeEvent } from './thread-events.js';
import { TextLogs } from './threads/text-logs.js';
import { ProcessTracer } from './tracing/process-tracer.js';
import { TextTable } from './tracing/text-table.js';

const SETTINGS = { tracer: 'nop', options: DEFAULT_OPTIONS, maxDepth: 0, threshold: 0 } as const;

/** A process of one thread, which tells of `event`s, and what came of them. */
function createProcess(tid = process.pid) {
  const thread = new FakeThread(2, tid);
  const table = new TextTable(0xffffffff);
  const block = createControlBlock();
  const logs = new TextLogs(block);
  const tracer = new ProcessTracer(table, SETTINGS, logs);
  tracer.addThread(thread.connection);
  const log: unknown[] = [];
  const top = {
    tracer: tracer.top,
    taskPids: undefined as never,
    mark: (text: Uint8Array, pid: number, comm: string) => log.push(`${comm}-${pid}: ${text}`) > 0,
    markRaw: (bytes: Uint8Array, pid: number, comm: string) => log.push(`${comm}-${pid}: ${bytes.length} bytes`) > 0,
  };
  const told = {
    ...{ block, logs, tracer, contexts: new AsyncContexts(), cmdlines: new SavedCmdlines() },
    ...{ instances: [top], early: undefined, threads: { reachWorkers: async () => {} }, obeyed: async () => {} },
    warn: (...warning: unknown[]) => void log.push(warning),
    onDump: (cpu: number | undefined) => void log.push(`dump of ${cpu}`),
    onProgramEnd: () => void log.push('end'),
  };
  return { ...told, thread, log, tell: (event: ThreadEvent) => takeEvent(told, thread.connection, event) };
}

describe('what threads tell of', () => {
  it('a text is known from then on, and who waits for its patches may go on', () => {
    const { tell, block, tracer, thread } = createProcess();
    tracer.configure(tracer.top, { ...SETTINGS, tracer: 'function' });
    tell({ type: 'link', link: linkEvent(0, ['read', 'write']) });
    assert.deepEqual(thread.masks(), { 0: 1, 1: 1 });
    assert.equal(block[threadWord(2, THREAD_WORD.LINKS_DONE)], 1);
  });

  it('a text that a thread has written down is known when functions are asked for, and patched when the thread says so', () => {
    const { tell, block, tracer, thread } = createProcess();
    const memory = TextLog.create();
    const log = new TextLog(memory);
    log.put(linkEvent(0, ['read', 'write']));
    tell({ type: 'texts', memory });
    log.put(linkEvent(2, ['close']));
    assert.deepEqual(tracer.names().listed, [0, 1, 2]);
    log.put(linkEvent(3, ['open']));
    tracer.configure(tracer.top, { ...SETTINGS, tracer: 'function' });
    assert.deepEqual(thread.masks(), { 0: 1, 1: 1, 2: 1, 3: 1 });
    log.put(linkEvent(4, ['seek']));
    tell({ type: 'texts' });
    assert.deepEqual(thread.masks(), { 0: 1, 1: 1, 2: 1, 3: 1, 4: 1 });
    assert.equal(block[threadWord(2, THREAD_WORD.LINKS_DONE)], 4);
  });

  it('a call of the program is answered behind all that follows from it', () => {
    const { tell, thread } = createProcess();
    tell({ type: 'link', link: linkEvent(0, ['read', 'write']) });
    tell({ type: 'subscribe', call: 1, request: { id: 16, name: 'call', flags: 0, filter: ['read'], notrace: [] } });
    assert.deepEqual(thread.types(), ['functions', 'patch', 'answer']);
    tell({ type: 'unsubscribe', call: 2, id: 16 });
    assert.deepEqual(thread.types(), ['patch', 'answer']);
  });

  it('a call that is refused is answered with the error', () => {
    const { tell, thread } = createProcess();
    tell({ type: 'link', link: linkEvent(0, ['read']) });
    tell({ type: 'subscribe', call: 3, request: { id: 16, name: 'call', flags: 0, filter: ['missing'], notrace: [] } });
    const error = { errno: 'EINVAL', message: 'no function matches missing' };
    assert.deepEqual(thread.posted, [{ type: 'answer', call: 3, error }]);
  });

  it('marks are the top level’s, in the name of the thread', () => {
    const { tell, log, cmdlines, thread } = createProcess();
    tell({ type: 'mark', text: Buffer.from('hello') });
    cmdlines.set(thread.connection.tid, 'server');
    tell({ type: 'raw mark', bytes: Buffer.alloc(8) });
    assert.deepEqual(log, [`node-${process.pid}: hello`, `server-${process.pid}: 8 bytes`]);
  });

  it('a dump is counted when it is written, so that the thread goes on', () => {
    const { tell, log, block } = createProcess();
    tell({ type: 'dump', cpu: 2 });
    assert.deepEqual([log, block[WORD.DUMPS_DONE]], [['dump of 2'], 1]);
  });

  it('breakpoints that are gone or were never there are warned of', () => {
    const { tell, log, tracer, thread } = createProcess();
    tracer.link([{ thread: thread.connection, link: linkEvent(0, ['read'], { isEarly: true }) }]);
    tracer.decode();
    tell({ type: 'overheated', n: 0 });
    tell({ type: 'unreached', n: 0 });
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

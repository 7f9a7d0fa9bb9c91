import { asTraceError } from '../../base/errno.js';
import type { SavedCmdlines } from '../../core/saved-cmdlines.js';
import type { Warn } from '../../tracefs/attached-file.js';
import { type ControlBlock, WORD } from '../control-block.js';
import type { ThreadEvent } from '../protocol.js';
import type { EarlyLoader } from './early/early-loader.js';
import type { ProcessInstance } from './instance/process-instance.js';
import type { AsyncContexts } from './tasks/async-contexts.js';
import type { TextLogs } from './threads/text-logs.js';
import type { ThreadConnection } from './threads/thread-connection.js';
import type { ProcessTracer } from './tracing/process-tracer.js';

/** What threads tell of, and who is to know. */
export interface ToldProcess {
  readonly block: ControlBlock;
  readonly logs: TextLogs;
  readonly tracer: Pick<ProcessTracer, 'link' | 'takeTexts' | 'isOn' | 'subscribe' | 'unsubscribe' | 'overheated'>;
  readonly contexts: Pick<AsyncContexts, 'told'>;
  readonly cmdlines: SavedCmdlines;
  /** All instances; the first is the top level. */
  readonly instances: readonly Pick<ProcessInstance, 'tracer' | 'taskPids' | 'mark' | 'markRaw'>[];
  /** Reads what was loaded before fentry, in a process that it came to late. */
  readonly early: EarlyLoader | undefined;
  readonly threads: { reachWorkers(started?: number): Promise<void> };
  readonly warn: Warn;
  /** Dumps all buffers, or those of one cpu. */
  readonly onDump: (cpu: number | undefined) => void;
  /** The program's main thread has run its last code. */
  readonly onProgramEnd: () => void;
  /** Resolves when every thread has done what it was told. */
  obeyed(): Promise<void>;
}

type Handlers = {
  readonly [Type in ThreadEvent['type']]: (
    told: ToldProcess,
    thread: ThreadConnection,
    event: Extract<ThreadEvent, { type: Type }>,
  ) => void;
};

const HANDLERS: Handlers = {
  ack() {},
  slice() {},
  link: ({ tracer }, thread, { link }) => tracer.link([{ thread, link }]),
  texts({ logs, tracer }, thread, { memory }) {
    if (memory !== undefined) logs.set(thread, memory);
    tracer.takeTexts();
  },
  subscribe: (told, thread, { call, request }) => answer(told, thread, call, () => told.tracer.subscribe(thread, request)),
  unsubscribe: (told, thread, { call, id }) => answer(told, thread, call, () => told.tracer.unsubscribe(thread, id)),
  tasks({ contexts, instances }, thread, { lists }) {
    for (const [instance, pids] of contexts.told(thread, lists)) {
      instances.find(({ tracer }) => tracer.instance === instance)?.taskPids.took(pids);
    }
  },
  mark: ({ instances: [top], cmdlines }, { tid }, { text }) => top!.mark(text, tid, cmdlines.get(tid) ?? 'node'),
  'raw mark': ({ instances: [top], cmdlines }, { tid }, { bytes }) => top!.markRaw(bytes, tid, cmdlines.get(tid) ?? 'node'),
  task: ({ cmdlines }, _thread, { pid, comm }) => cmdlines.set(pid, comm),
  dump({ block, onDump }, _thread, { cpu }) {
    onDump(cpu);
    Atomics.add(block, WORD.DUMPS_DONE, 1);
    Atomics.notify(block, WORD.DUMPS_DONE);
  },
  worker: ({ threads }, _thread, { threadId }) => void threads.reachWorkers(threadId),
  scripts: ({ early }, thread, { scripts }) => early?.take(thread, scripts),
  source: ({ early }, thread, { scriptId, source }) => early?.sourceCame(thread, scriptId, source),
  overheated(told, _thread, { n }) {
    told.tracer.overheated(n);
    told.warn('too many calls for a breakpoint: it is gone until set_ftrace_filter names the function again', [n]);
    told.obeyed().catch(() => {});
  },
  unreached: ({ warn }, _thread, { n }) => warn('V8 has no place for a breakpoint, or there are too many', [n]),
  end({ onProgramEnd }, { tid }) {
    if (tid === process.pid) onProgramEnd();
  },
};

/** Does what follows from an event of a thread. */
export function takeEvent(told: ToldProcess, thread: ThreadConnection, event: ThreadEvent): void {
  HANDLERS[event.type](told, thread, event as never);
}

/** Does what the program called for, and answers when all that follows from it was sent. */
function answer(told: ToldProcess, thread: ThreadConnection, call: number, run: () => void): void {
  try {
    run();
    thread.post({ type: 'answer', call });
  } catch (error) {
    const { errno, message } = asTraceError(error);
    thread.post({ type: 'answer', call, error: { errno, message } });
  }
  told.obeyed().catch(() => {});
}

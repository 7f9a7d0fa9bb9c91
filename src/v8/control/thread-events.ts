import type { PortEvent, PortListener } from '../../port/port.js';
import { type ControlBlock, THREAD_WORD, threadWord, WORD } from '../shared/control-block.js';
import type { ThreadEvent } from '../shared/protocol.js';
import { announcement } from './announcement.js';
import type { LoadedScripts } from './loaded-before/loaded-scripts.js';
import type { TextLogs } from './text-logs.js';
import type { ThreadConnection } from './thread-connection.js';
import type { Beats } from './turns/heartbeat.js';

/** What threads report, and to which listener. */
export interface ToldPort {
  readonly block: ControlBlock;
  readonly announcements: TextLogs;
  readonly listener: Pick<PortListener, 'announced' | 'linked' | 'told'>;
  readonly threads: { reachWorkers(started?: number): Promise<void> };
  /** Reads what was loaded before fentry, in an attached process. */
  readonly loadedScripts: LoadedScripts | undefined;
  /** The heartbeats of threads whose turns are watched, by cpu. */
  readonly beats: Map<number, Beats>;
  /** V8 has taken away the machine code of the module with this serial number that reads the cycle counter. */
  lostCycles(serial: number): void;
}

type Handlers = {
  readonly [Type in ThreadEvent['type']]?: (
    port: ToldPort,
    thread: ThreadConnection,
    event: Extract<ThreadEvent, { type: Type }>,
  ) => void;
};

/** The events that are not in the contract, or that this side adds to. */
const HANDLERS: Handlers = {
  ack({ listener }, thread, { disobeyed }) {
    if (disobeyed !== undefined) listener.told(thread, { type: 'disobeyed', ...disobeyed });
  },
  slice() {},
  unread() {},
  'chore left'() {},
  link: ({ listener }, thread, { link }) => listener.linked([{ thread, link: announcement(link) }]),
  texts({ announcements, listener }, thread, { memory }) {
    if (memory !== undefined) announcements.set(thread, memory);
    listener.announced();
  },
  dump({ block, listener }, thread, event) {
    listener.told(thread, event);
    Atomics.add(block, WORD.DUMPS_DONE, 1);
    Atomics.notify(block, WORD.DUMPS_DONE);
  },
  'event declared'({ block, listener }, thread, event) {
    listener.told(thread, event);
    // What is asked of the event is sent in this turn.
    setImmediate(() => {
      const done = threadWord(thread.cpu, THREAD_WORD.DECLARED_DONE);
      Atomics.add(block, done, 1);
      Atomics.notify(block, done);
    });
  },
  printk({ block, listener }, thread, event) {
    listener.told(thread, event);
    const done = threadWord(thread.cpu, THREAD_WORD.PRINTS_DONE);
    Atomics.add(block, done, 1);
    Atomics.notify(block, done);
  },
  heartbeat: ({ beats: all }, thread, { beats }) => void all.set(thread.cpu, beats),
  worker: ({ threads }, _thread, { threadId }) => void threads.reachWorkers(threadId),
  'cycles lost': (port, _thread, { serial }) => port.lostCycles(serial),
  scripts: ({ loadedScripts }, thread, { scripts }) => loadedScripts?.take(thread, scripts),
  source: ({ loadedScripts }, thread, { scriptId, source }) => loadedScripts?.sourceCame(thread, scriptId, source),
  unreached: ({ listener }, thread, { n }) =>
    listener.told(thread, { type: 'unreached', n, why: 'V8 has no place for a breakpoint, or there are too many' }),
};

/** Does what follows from an event of a thread. */
export function takeThreadEvent(port: ToldPort, thread: ThreadConnection, event: ThreadEvent): void {
  port.listener.announced();
  const handle = HANDLERS[event.type];
  if (handle === undefined) port.listener.told(thread, event as PortEvent);
  else handle(port, thread, event as never);
}

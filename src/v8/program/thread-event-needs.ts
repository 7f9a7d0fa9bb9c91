import { SafeSet } from '../../base/safe-map.js';
import { untracedFileWorkState } from '../../base/untraced-fs.js';
import type { EventDeclared } from '../../port/port.js';
import { asyncContexts } from '../async/thread-contexts.js';
import { listenToWakeups } from '../async/wakeups.js';
import type { ProbeBreakpoints } from '../breakpoints/probe-breakpoints.js';
import { eventCall } from '../events/event-call.js';
import type { EventTasks } from '../events/event-tasks.js';
import { eventTime } from '../events/event-time.js';
import { compile, type ThreadEventsNeeds } from '../events/thread-events.js';
import type { Tracepoints } from '../events/tracepoints.js';
import { fieldSpecs } from '../node-events/field-specs.js';
import type { SourceThread } from '../node-events/node-event-system.js';
import type { StatementCells } from '../probes/statement-calls.js';
import type { AskingFunction, CallingFunction } from '../realm/calling-function.js';
import type { ForeignCallers } from '../realm/find-caller.js';
import type { FindPromiseMaker } from '../realm/find-promise-maker.js';
import type { FindRejection } from '../realm/find-rejection.js';
import { standIns } from '../realm/lookalike.js';
import { watchProcess } from '../realm/process-events.js';
import type { Texts } from '../realm/texts.js';
import { loadScriptRuntime } from '../scripts/load-script-runtime.js';
import { ThreadContext, type ThreadFacts } from '../scripts/thread-context.js';
import { ThreadScripts } from '../scripts/thread-scripts.js';
import { commOfThread } from '../shared/comm-of-thread.js';
import { type ControlBlock, cpuOfWorker, WORD } from '../shared/control-block.js';
import { lost } from '../tracers/lost.js';
import type { ThreadTasks } from './thread-tasks.js';

/** Taken while the program can not have replaced them. */
const PROCESS: ThreadFacts = {
  pid: process.pid,
  ppid: () => process.ppid,
  uid: () => process.getuid?.() ?? 0,
  gid: () => process.getgid?.() ?? 0,
};

type NodeEvents = typeof import('../node-events/index.js');

/** `require` of the agent's bundle, which is also in the scope of the bundle for tracing. */
declare const requireOwn_: (file: './node-events.cjs') => NodeEvents;

/** What the events of a thread are made with. */
export interface EventNeedsOptions {
  readonly cpu: number;
  readonly tid: number;
  readonly tracepoints: Tracepoints;
  readonly tasks: EventTasks & Pick<ThreadTasks, 'comm'>;
  /** Tells of an event; returns when it is recorded as it shall be. */
  readonly declare: (event: EventDeclared) => void;
  /** Has a record printed on stderr. */
  readonly printk: (record: Uint8Array, ts: number) => void;
  readonly block: ControlBlock;
  readonly breakpoints: ProbeBreakpoints;
  readonly statementCells: StatementCells;
  readonly probeEnded: (event: string, why: string) => void;
  readonly foreign: () => ForeignCallers;
  /** Made when an event first needs its caller. */
  readonly createCallingFunction: () => CallingFunction;
  readonly createAskingFunction: () => AskingFunction;
  readonly createFindRejection: () => FindRejection;
  readonly createFindPromiseMaker: () => FindPromiseMaker;
  /** The texts with sites that the thread has loaded. */
  readonly texts: Texts;
}

/** Lets the events of a thread find what they need of it; Node's own events are loaded when one of them is first enabled. */
export function createEventNeeds({
  cpu,
  tid,
  tracepoints,
  tasks,
  declare,
  printk,
  block,
  breakpoints,
  statementCells,
  probeEnded,
  foreign,
  createCallingFunction,
  createAskingFunction,
  createFindRejection,
  createFindPromiseMaker,
  texts,
}: EventNeedsOptions): ThreadEventsNeeds {
  let nodeEvents: NodeEvents | undefined;
  let calling: CallingFunction | undefined;
  let asking: AskingFunction | undefined;
  let rejection: FindRejection | undefined;
  let promiseMaker: FindPromiseMaker | undefined;
  const loaded = new SafeSet<string>();
  let comm: string | undefined;
  return {
    cpu,
    comm: (pid) => tasks.comm(pid) ?? (comm ??= commOfThread(tid)),
    tracepoints,
    printk: { words: block, at: WORD.TRACEPOINT_PRINTK, print: printk },
    breakpoints,
    statementCells,
    probeEnded,
    foreign,
    createScripts: (trace, env) => new ThreadScripts(env, new ThreadContext(trace, env, PROCESS), loadScriptRuntime(), compile),
    load({ system, name, source }, trace) {
      const isLoaded = loaded.has(system);
      if (isLoaded && source === undefined) return;
      loaded.add(system);
      if (nodeEvents === undefined) {
        nodeEvents = requireOwn_('./node-events.cjs');
        nodeEvents.shareStandIns(standIns());
        nodeEvents.shareUntracedFileWork(untracedFileWorkState());
      }
      const thread: SourceThread = {
        cpu,
        tid,
        clock: trace.clock,
        pid: () => trace.pid,
        caller: (callee) => (calling ??= createCallingFunction())(callee),
        asker: () => (asking ??= createAskingFunction())(),
        rejection: () => (rejection ??= createFindRejection())(),
        promiseMaker: () => (promiseMaker ??= createFindPromiseMaker())(),
        cpuOf: (worker) => cpuOfWorker(block, worker),
        contexts: asyncContexts,
        listenToWakeups: (listener) => listenToWakeups(trace.clock, listener),
        watchProcess,
        listenToCatches: (listener) => trace.catches?.listen(listener) ?? (() => {}),
        texts,
        eventTime,
        eventCall,
        eventTasks: tasks,
        setOpen: (...open) => tracepoints.setOpen(...open),
        giveFields: ({ system: of, name: event, fields, print }) =>
          declare({ system: of, name: event, fields: fieldSpecs(fields), print }),
        missed: () => void lost(trace),
      };
      if (!isLoaded) nodeEvents.loadNodeEvents(system, thread);
      if (source !== undefined && tracepoints.of(`${system}:${name}`).length === 0) {
        nodeEvents.meetNodeEvent(system, name, source, thread);
      }
    },
  };
}

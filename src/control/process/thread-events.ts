import { asTraceError } from '../../base/errno.js';
import { COMMON_FIELDS, defineEvent, type EventDefinition, type TraceEvent } from '../../events/define.js';
import type { PrintkFormats } from '../../events/printk-formats.js';
import { type ReadersOf, readersOf } from '../../events/read-fields.js';
import type { EventRegistry } from '../../events/registry.js';
import type { EventDeclared, PortEvent, TracedThread } from '../../port/port.js';
import type { ControlEvents } from '../events/control-events.js';
import type { ProcessPlaces } from '../ftrace/process-places.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import type { StackPlacesTable } from '../ftrace/stack-places.js';
import type { TextTable } from '../ftrace/text-table.js';
import type { Livepatches } from '../livepatch/livepatches.js';
import type { ProgramKprobes } from '../probes/program-kprobes.js';
import type { ProcessScripts } from '../scripts/process-scripts.js';
import type { AsyncContexts } from '../tasks/async-contexts.js';
import type { SavedCmdlines } from '../tasks/task-names.js';
import type { InstanceBuffers } from '../trace-array/instance-buffers.js';
import type { InstanceMarks } from '../trace-array/instance-marks.js';
import type { InstancePids } from '../trace-array/instance-pids.js';
import type { Warn } from '../tracefs/attached-file.js';

/** An instance, as far as the events of threads concern it. */
export interface InstanceTarget {
  readonly number: number;
  readonly taskPids: Pick<InstancePids, 'took'>;
  readonly marks: Pick<InstanceMarks, 'mark' | 'markRaw'>;
  readonly buffers: Pick<InstanceBuffers, 'use'>;
}

/** Handles the events that threads send. */
export interface TakenEventNeeds {
  readonly tracer: Pick<ProcessTracer, 'subscribe' | 'unsubscribe' | 'overheated'>;
  readonly table: Pick<TextTable, 'name' | 'compiles' | 'compiled'>;
  readonly scripts: Pick<ProcessScripts, 'lost'>;
  readonly livepatches: Pick<Livepatches, 'told' | 'obey'>;
  readonly contexts: Pick<AsyncContexts, 'told'>;
  readonly places: Pick<ProcessPlaces, 'told'>;
  readonly stackPlaces: Pick<StackPlacesTable, 'add'>;
  readonly programKprobes: Pick<ProgramKprobes, 'place' | 'setState'>;
  readonly events: EventRegistry;
  readonly cmdlines: SavedCmdlines;
  readonly printkFormats: PrintkFormats;
  readonly controlEvents: Pick<ControlEvents, 'happened' | 'instancesOf'>;
  /** All instances; the first is the top level. */
  readonly instances: readonly InstanceTarget[];
  readonly warn: Warn;
  /** Dumps all buffers, or those of one cpu. */
  readonly onDump: (cpu: number | undefined) => void;
  /** The line of a record that a thread has written (output_printk). */
  readonly consoleLine: (cpu: number, record: Uint8Array, ts: number) => Uint8Array;
  /** The program's main thread has run its last code. */
  readonly onProgramEnd: () => void;
  /** What cpu `other` records is shown as that of `cpu`: it is the same thread. */
  joinCpus(cpu: number, other: number): void;
  /** Resolves when every thread has done what it was told. */
  obeyed(): Promise<void>;
}

type Handlers = {
  readonly [Type in PortEvent['type']]: (
    told: TakenEventNeeds,
    thread: TracedThread,
    event: Extract<PortEvent, { type: Type }>,
  ) => unknown;
};

const HANDLERS: Handlers = {
  subscribe: (told, thread, { call, request }) => answer(told, thread, call, () => told.tracer.subscribe(thread, request)),
  unsubscribe: (told, thread, { call, id }) => answer(told, thread, call, () => told.tracer.unsubscribe(thread, id)),
  kprobe: (told, thread, { call, request }) => answer(told, thread, call, () => told.programKprobes.place(thread, request)),
  'kprobe state': ({ programKprobes }, thread, { id, state }) => programKprobes.setState(thread, id, state),
  'livepatch request': (told, thread, { call, request }) =>
    answer(told, thread, call, () => told.livepatches.obey(thread, request)),
  tasks({ contexts, instances }, thread, { lists }) {
    for (const { instance, listed, pids } of contexts.told(thread, lists)) {
      instances.find(({ number }) => number === instance)?.taskPids.took(listed, pids);
    }
  },
  mark({ instances: [top], cmdlines }, { tid }, { text, ip }) {
    void top!.marks.mark(text, tid, cmdlines.get(tid) ?? 'node', ip);
    // The thread writes the next ones itself.
    top!.buffers.use();
  },
  'raw mark'({ instances: [top], cmdlines }, { tid }, { bytes }) {
    top!.marks.markRaw(bytes, tid, cmdlines.get(tid) ?? 'node');
    top!.buffers.use();
  },
  'printk format': ({ printkFormats }, _thread, { format }) => printkFormats.add(format),
  'event declared': ({ events }, _thread, { event }) => declareEvent(events, event),
  'tracepoint declared': ({ events }, _thread, { tracepoint }) => events.addTracepoint(tracepoint),
  task: ({ cmdlines }, _thread, { pid, comm }) => cmdlines.set(pid, comm),
  dump: ({ onDump }, _thread, { cpu }) => onDump(cpu),
  printk: ({ consoleLine }, thread, { record, ts }) => thread.post({ type: 'print', text: consoleLine(thread.cpu, record, ts) }),
  joined: (told, { cpu }, { to }) => told.joinCpus(to, cpu),
  overheated(told, _thread, { n }) {
    told.tracer.overheated(n);
    told.warn('too many calls for a breakpoint: it is gone until set_ftrace_filter, or a new probe, names the function again', [
      n,
    ]);
    told.scripts.lost({ n }, `${told.table.name(n)} is called too often for a breakpoint: its calls are not seen any more`);
    told.obeyed().catch(() => {});
  },
  places: ({ places }, _thread, { call, places: found }) => places.told(call, found),
  text: ({ places }, _thread, { call, text }) => places.told(call, text),
  event({ events, controlEvents, cmdlines }, _thread, { cpu, ts, record }) {
    const [id = 0] = new Uint16Array(record.buffer, record.byteOffset, 1);
    const event = events.get(id);
    if (event === undefined) return;
    const pid = new DataView(record.buffer, record.byteOffset).getInt32(PID_AT, true);
    const task = { pid, comm: cmdlines.get(pid) ?? '<...>' };
    const values = valuesOf(event, record);
    for (const instance of controlEvents.instancesOf(event)) controlEvents.happened(event, instance, values, task, { cpu, ts });
  },
  'events lost': ({ warn }, _thread, { count }) => warn(`${count} events came too fast for their triggers`, 'triggers'),
  'probe ended'({ warn, scripts }, _thread, { event, why }) {
    warn(`the place of a probe ${why}`, event);
    scripts.lost({ probe: event }, `${event}: its place ${why}: its hits are not seen`);
  },
  disobeyed: ({ warn }, { cpu }, { command, message }) => warn(`cpu ${cpu} did not obey: ${message.split('\n', 1)[0]}`, command),
  'fault condition': ({ warn }, _thread, { n, message }) =>
    warn(`the condition of fail_function threw, so that these calls do not fail: ${message}`, [n]),
  unreached({ warn, scripts, table }, _thread, { n, why }) {
    warn(why, [n]);
    scripts.lost({ n }, `the calls of ${table.name(n)} are not seen: ${why}`);
  },
  livepatch: ({ livepatches }, thread, { patch, ...news }) => livepatches.told(thread, patch, news),
  'stack places': ({ stackPlaces }, _thread, { places }) => stackPlaces.add(places),
  compiles: ({ table }, _thread, { firstFunction, ...compiled }) => table.compiles(firstFunction, compiled),
  compiled: ({ table }, _thread, { firstFunction, time }) => table.compiled(firstFunction, time),
  end({ onProgramEnd }, { tid }) {
    if (tid === process.pid) onProgramEnd();
  },
};

/** Where a record has the task. */
const PID_AT = COMMON_FIELDS.common_pid.offset;
const READERS = new WeakMap<TraceEvent, ReadersOf<TraceEvent>>();

/** The values of a record's fields. */
function valuesOf(event: TraceEvent, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let readers = READERS.get(event);
  if (readers === undefined) {
    readers = readersOf(event);
    READERS.set(event, readers);
  }
  const record = { bytes, at: 0, size: bytes.length };
  return Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read(record)]));
}

/** Does what follows from an event of a thread. */
export function takeEvent(told: TakenEventNeeds, thread: TracedThread, event: PortEvent): void {
  void HANDLERS[event.type](told, thread, event as never);
}

/** Does what the program asked for, and answers when all commands for it were sent. */
async function answer(told: TakenEventNeeds, thread: TracedThread, call: number, run: () => void | Promise<void>): Promise<void> {
  try {
    // Not awaited if there is nothing to wait for: the next request of the thread may follow from this one.
    const done = run();
    if (done !== undefined) await done;
    thread.post({ type: 'answer', call });
  } catch (error) {
    const { errno, message } = asTraceError(error);
    thread.post({ type: 'answer', call, error: { errno, message } });
  }
  told.obeyed().catch(() => {});
}

/**
 * Adds an event that the program has declared, unless another of its threads, or fentry itself, has one of that name; one whose
 * fields were not known gets them.
 */
function declareEvent(events: EventRegistry, { system, name, ...declared }: EventDeclared): void {
  const known = events.find(system, name);
  const takesFunctions = Object.values(declared.fields).some(({ isAddress }) => isAddress);
  const define = (): EventDefinition =>
    defineEvent(system, name, { ...declared, hasId: true, hasTrigger: true, ...(takesFunctions && { takesFunctions }) });
  if (known === undefined) events.register(define());
  else if (known.isOpen && declared.isOpen !== true) events.replace(known, define());
}

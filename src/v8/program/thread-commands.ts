import { TraceError } from '../../base/errno.js';
import { countShared } from '../../base/shared-memory.js';
import { writeSync } from '../../base/untraced-fs.js';
import { writeFully } from '../../base/write-fully.js';
import type { FoundKprobe } from '../../ftrace/kprobes/kprobe-planner.js';
import type { LivepatchState } from '../../ftrace/tracers/diversions.js';
import type { ProbeBreakpoints } from '../breakpoints/probe-breakpoints.js';
import type { ThreadCommand, ThreadEvent } from '../shared/protocol.js';
import type { TracerRuntime } from '../tracers/runtime.js';
import type { AttachedCells } from './attached-cells.js';
import type { GapSampler } from './gap-sampler.js';
import { clearStack } from './thread-stack.js';
import type { ThreadTasks } from './thread-tasks.js';
import type { ThreadWriters } from './thread-writers.js';

const STDERR = 2;

/** Writes the line of a record to stderr. If that is closed or full, the line is lost. */
function printLine(text: Uint8Array): void {
  try {
    writeFully(STDERR, text, writeSync);
  } catch {
    // The program shall not notice.
  }
}

/** What commands ask of the agent of a thread. */
interface CommandedThread {
  readonly tasks: ThreadTasks;
  readonly foundKprobes: Map<number, FoundKprobe>;
  readonly onLivepatchState: (id: number, state: LivepatchState) => void;
  readonly onKprobesHalted: (isHalted: boolean) => void;
  readonly attachedCells: AttachedCells | undefined;
  readonly breakpoints: ProbeBreakpoints;
  readonly writers: ThreadWriters;
  readonly runtime: TracerRuntime;
  readonly sampler: GapSampler;
  tell(event: ThreadEvent): void;
  flush(): void;
  beat(period: number): void;
  answered(call: number, error?: TraceError): void;
  detach(): void;
}

type Handlers = {
  readonly [Type in ThreadCommand['type']]: (thread: CommandedThread, command: Extract<ThreadCommand, { type: Type }>) => unknown;
};

/** What is done for each command. */
const HANDLERS: Handlers = {
  hello: (thread) => thread.flush(),
  buffer: ({ writers }, { instance, buffer, words }) => writers.setBuffer(instance, buffer, words),
  spare: ({ writers }, { instance, buffer }) => writers.ringBuffer(instance)?.setSpare(buffer && countShared(buffer)),
  snapshot: ({ writers }, { instance }) => writers.ringBuffer(instance)?.takeSnapshot(),
  resize: ({ writers }, { instance, half, buffer }) => writers.ringBuffer(instance)?.moveTo(countShared(buffer), half),
  clock: ({ writers }, { instance, clock }) => writers.setClock(instance, clock),
  cycles: ({ writers }, command) => writers.readCycles(command),
  functions: ({ runtime }, { functions }) => runtime.link(functions),
  tracer({ runtime, sampler }, { config }) {
    sampler.startsTracer(config.tracer);
    runtime.setTracer(config);
  },
  instanceTracer: ({ runtime }, { instance, ops, config }) => runtime.setInstanceTracer(instance, ops, config),
  removeInstance({ writers, runtime }, { instance }) {
    writers.remove(instance);
    runtime.removeInstance(instance);
  },
  service: ({ runtime }, { kind, config }) => runtime.setService(kind, config),
  event: ({ runtime }, command) => runtime.events.configure(command),
  script: ({ runtime }, command) => runtime.events.setScript(command),
  sample: ({ sampler }, request) => sampler.sample(request),
  'text size': ({ runtime }, { characters }) => runtime.setTextSize(characters),
  look: ({ runtime }, { since }) => runtime.lookAtLatency(since),
  patch: ({ runtime }, { patches }) => runtime.applyPatches(patches),
  'loaded text': (thread, { file, base }) => thread.attachedCells?.addText(file, base),
  'breakpoint text'(thread, { text }) {
    thread.attachedCells?.describe(text);
    thread.breakpoints.describe(text);
  },
  heartbeat: (thread, { period }) => thread.beat(period),
  source: (thread, { scriptId }) =>
    thread.tell({ type: 'source', scriptId, source: thread.attachedCells?.source(scriptId) ?? '' }),
  places: (thread, { call, probed, ranges, parts }) =>
    thread.tell({ type: 'places', call, places: thread.breakpoints.places(probed, ranges, parts) }),
  text: (thread, { call, probed }) => thread.tell({ type: 'text', call, text: thread.breakpoints.text(probed) }),
  print: (_thread, { text }) => printLine(text),
  kprobe: ({ foundKprobes }, { id, found }) => void foundKprobes.set(id, found),
  'livepatch state': (thread, { id, state }) => thread.onLivepatchState(id, state),
  'halt kprobes': (thread, { isHalted }) => thread.onKprobesHalted(isHalted),
  native: ({ runtime, writers }, { file, ...calls }) => writers.joinNative(runtime.joinNative(file, calls)),
  'clear stack': clearStack,
  detach: (thread) => thread.detach(),
  tasks: ({ tasks }, { memory }) => tasks.follow(memory),
  taskPids: ({ tasks }, { slot, lists }) => tasks.setPids(slot, lists),
  askTasks: (thread, { slots }) => thread.tell({ type: 'tasks', lists: thread.tasks.listed(slots) }),
  answer: (thread, { call, error }) => thread.answered(call, error && new TraceError(error.errno, error.message)),
};

/** Obeys a command; returns false if that is not possible now and the command must be tried again. */
export const obeyCommand = (thread: CommandedThread, command: ThreadCommand): unknown =>
  HANDLERS[command.type](thread, command as never);

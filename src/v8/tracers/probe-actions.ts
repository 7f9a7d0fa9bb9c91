import { isNotZero, isSoftDisabled, setSoftDisabled, takeOne } from '../../events/event-words.js';
import type { CommandName } from '../../ftrace/commands/command-table.js';
import type { ThreadTrace, TraceOutput } from './thread-trace.js';

/** What probes do, in the thread that called their function. Instances by number, 0 the top level; events by place. */
export interface ProbeActionNeeds {
  tracingIsOn(instance: number): boolean;
  setTracing(instance: number, on: boolean): void;
  snapshot(instance: number): void;
  /** Writes the stack of the function that is being entered. */
  stack(instance: number): void;
  /** Prints the buffers, or only this thread's. */
  dump(ownCpuOnly: boolean): void;
  eventIsOn(event: number): boolean;
  setEvent(event: number, on: boolean): void;
}

interface ProbeTarget {
  readonly instance: number;
  readonly event: number;
}

/** How the probes of a command fire: those without a count, and those whose count is word `at` of `counts`. */
interface ProbeAction {
  always(effects: ProbeActionNeeds, target: ProbeTarget): void;
  counted(effects: ProbeActionNeeds, target: ProbeTarget, counts: Int32Array, at: number): void;
}

const isPositive = (count: number): boolean => count > 0;

/** Tracing is switched, and the count goes down, only if the state changes (update_traceon_count). */
const switching = (on: boolean): ProbeAction => ({
  always(effects, { instance }) {
    if (effects.tracingIsOn(instance) !== on) effects.setTracing(instance, on);
  },
  counted(effects, { instance }, counts, at) {
    if (effects.tracingIsOn(instance) === on) return;
    if (takeOne(counts, at, isPositive)) effects.setTracing(instance, on);
  },
});

const dumping = (ownCpuOnly: boolean): ProbeAction => ({
  always: (effects) => effects.dump(ownCpuOnly),
  counted(effects, _target, counts, at) {
    if (takeOne(counts, at, isPositive)) effects.dump(ownCpuOnly);
  },
});

const eventSwitching = (on: boolean): ProbeAction => ({
  always: (effects, { event }) => effects.setEvent(event, on),
  counted(effects, { event }, counts, at) {
    if (effects.eventIsOn(event) === on) return;
    if (takeOne(counts, at, isNotZero)) effects.setEvent(event, on);
  },
});

/** What each command's probes do (the probe_ops of trace_functions.c and trace_events.c). */
export const PROBE_ACTIONS: Readonly<Record<CommandName, ProbeAction>> = {
  traceon: switching(true),
  traceoff: switching(false),
  snapshot: {
    always: (effects, { instance }) => effects.snapshot(instance),
    counted(effects, { instance }, counts, at) {
      if (takeOne(counts, at, isPositive)) effects.snapshot(instance);
    },
  },
  stacktrace: {
    always: (effects, { instance }) => effects.stack(instance),
    counted(effects, { instance }, counts, at) {
      // A stack that would not be recorded does not count; as in the kernel, the top level's switch decides.
      if (effects.tracingIsOn(0) && takeOne(counts, at, isNotZero)) effects.stack(instance);
    },
  },
  dump: dumping(false),
  cpudump: dumping(true),
  enable_event: eventSwitching(true),
  disable_event: eventSwitching(false),
};

/** The effects of a thread's probes. An instance whose buffers the thread does not have yet is skipped. */
export function createProbeEffects(ctx: ThreadTrace): ProbeActionNeeds {
  const outputOf = (instance: number): TraceOutput | undefined => (instance === 0 ? ctx : ctx.outputs.get(instance));
  return {
    tracingIsOn: (instance) => outputOf(instance)?.writer.tracingOn === true,
    setTracing: (instance, on) => outputOf(instance)?.writer.setTracingOn(on),
    snapshot: (instance) => outputOf(instance)?.writer.snapshotNow(),
    stack(instance) {
      const output = outputOf(instance);
      if (output !== undefined) ctx.stackTrace(output);
    },
    dump(ownCpuOnly) {
      // Events after this moment must not be printed.
      ctx.writer.setTracingOn(false);
      ctx.dump(ownCpuOnly);
    },
    eventIsOn: (event) => !isSoftDisabled(ctx.eventWords, event),
    setEvent: (event, on) => setSoftDisabled(ctx.eventWords, event, !on),
  };
}

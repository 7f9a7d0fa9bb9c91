import type { TraceEvent } from '../../../events/define.js';
import type { EventConfig } from '../../../events/event-config.js';
import type { DeclaredTracepoint } from '../../../tracepoint/declared.js';
import type { EventCommand } from '../../port.js';
import { SafeMap } from '../realm/primordials.js';
import { textAddress } from '../text-region.js';
import { outputOf } from '../tracers/outputs.js';
import type { ThreadTrace, TraceOutput } from '../tracers/thread-trace.js';
import { compile } from './compile.js';
import { createEnvironment, type EnvironmentNeeds, type EventEnvironment } from './event-environment.js';
import { type EventFile, type ProbeArguments, ProbeSource } from './probe-source.js';
import * as slotValues from './slot-values.js';
import type { Tracepoints } from './tracepoints.js';
import { type TriggerEffects, triggerAction } from './trigger-actions.js';

/** What a thread's events need of it. */
export interface ThreadEventsNeeds extends EnvironmentNeeds {
  readonly tracepoints: Tracepoints;
  /** Declares the tracepoints of fentry's own events of a system; nothing for others. */
  readonly load: (system: string, trace: ThreadTrace) => void;
}

type Probe = (...args: unknown[]) => void;

/** A promise that `fentry/tracepoint` takes: such a probe does not throw, and is called without a guard. */
const SAFE = Symbol.for('fentry.tracepoint.safe');

/** An event that some instance wants. */
interface WantedEvent {
  readonly event: TraceEvent;
  readonly files: Map<number, EventConfig>;
  probe: Probe | undefined;
}

const keyOf = ({ system, name }: TraceEvent): string => `${system}:${name}`;

/** The events of one thread: makes probes of what the control side wants, and registers them with the tracepoints. */
export class ThreadEvents {
  readonly #trace: ThreadTrace;
  readonly #needs: ThreadEventsNeeds;
  readonly #env: EventEnvironment;
  readonly #wanted = new SafeMap<string, WantedEvent>();
  readonly #helpers = { ...slotValues, floor: Math.floor };

  constructor(trace: ThreadTrace, needs: ThreadEventsNeeds) {
    this.#trace = trace;
    this.#needs = needs;
    this.#env = createEnvironment(trace, needs);
    needs.tracepoints.onDeclared = (key) => {
      const wanted = this.#wanted.get(key);
      if (wanted !== undefined) this.#register(wanted);
    };
  }

  /** Does what an instance wants of an event from now on. */
  configure({ instance, event, memory, config }: EventCommand): void {
    if (this.#trace.eventWords.buffer !== memory) this.#trace.eventWords = new Int32Array(memory);
    const key = keyOf(event);
    let wanted = this.#wanted.get(key);
    if (wanted !== undefined && wanted.event.id !== event.id) this.#drop(wanted);
    if (wanted?.event.id !== event.id) {
      wanted = { event, files: new Map(), probe: undefined };
      this.#wanted.set(key, wanted);
    }
    if (config === undefined) wanted!.files.delete(instance);
    else wanted!.files.set(instance, config);
    const { tracepoints } = this.#needs;
    if (config !== undefined && tracepoints.get(key) === undefined) {
      tracepoints.loading(() => this.#needs.load(event.system, this.#trace));
    }
    this.#register(wanted!);
    if (wanted!.files.size === 0) this.#wanted.delete(key);
  }

  /** Takes everything back. */
  end(): void {
    this.#wanted.forEach((wanted) => {
      this.#drop(wanted);
    });
    this.#wanted.clear();
  }

  /** Has the event's tracepoint call a probe for what is wanted now. */
  #register(wanted: WantedEvent): void {
    const point = this.#needs.tracepoints.get(keyOf(wanted.event));
    if (point === undefined) {
      // An event that hist triggers cause has no tracepoint: they call its probe.
      const isSynthetic = wanted.event.system === SYNTHETIC && wanted.files.size > 0;
      wanted.probe = isSynthetic ? this.#compile(wanted, syntheticArguments(wanted.event), true) : undefined;
      return;
    }
    const before = wanted.probe;
    wanted.probe = wanted.files.size === 0 ? undefined : this.#compile(wanted, argumentsOf(point), false);
    if (wanted.probe !== undefined) point.tracepoint.registerProbe(wanted.probe as never);
    if (before !== undefined) point.tracepoint.unregisterProbe(before as never);
  }

  #drop(wanted: WantedEvent): void {
    wanted.files.clear();
    this.#register(wanted);
  }

  #compile({ event, files }: WantedEvent, args: ProbeArguments, isNested: boolean): Probe {
    const list: EventFile[] = [...files].map(([instance, config]) => this.#file(instance, config));
    const { text, values } = new ProbeSource(event).generate(args, list, isNested);
    const scope = { ...this.#helpers, ...values, env: this.#env, trace: this.#trace, words: this.#trace.eventWords };
    const probe = compile<Probe>(text, scope);
    Object.defineProperty(probe, SAFE, { value: true });
    return probe;
  }

  /** What causes a synthetic event: in the instances that want it then. */
  #causing(name: string): (...values: unknown[]) => void {
    const key = `${SYNTHETIC}:${name}`;
    return (...values) => this.#wanted.get(key)?.probe?.(...values);
  }

  #file(instance: number, config: EventConfig): EventFile {
    const output = outputOf(this.#trace, instance);
    const effects = effectsOf(this.#trace, output);
    return {
      config,
      output,
      actions: config.triggers.map((trigger) => triggerAction(trigger, effects, this.#trace.eventWords)),
      effects: { snapshot: effects.snapshot, trace: (name) => this.#causing(name) },
      stack: () => stackOf(this.#trace),
    };
  }
}

/** The system of the events that hist triggers cause. */
const SYNTHETIC = 'synthetic';
/** The most addresses of a stack that is a key. */
const MAX_STACK = 64;

const stackLows = new Uint32Array(MAX_STACK);

function stackOf(trace: ThreadTrace): readonly number[] {
  const count = trace.walkStack(stackLows, false);
  const addresses: number[] = [];
  for (let i = 0; i < count; i++) addresses[i] = textAddress(stackLows[i]!);
  return addresses;
}

const syntheticArguments = (event: TraceEvent): ProbeArguments => ({
  names: Object.keys(event.specs).map((_, i) => `a${i}`),
});

const effectsOf = (trace: ThreadTrace, output: TraceOutput): TriggerEffects => ({
  tracingIsOn: () => output.writer.tracingOn,
  setTracing: (on) => output.writer.setTracingOn(on),
  snapshot: () => output.writer.snapshotNow(),
  stack: () => trace.stackTrace(output),
});

function argumentsOf({ args, parts }: DeclaredTracepoint): ProbeArguments {
  const fields = Object.values(parts!.fields);
  return {
    names: args,
    getters: fields.map(({ get }) => get),
    functions: fields.flatMap(({ isFunction }, i) => (isFunction === true ? [i] : [])),
  };
}

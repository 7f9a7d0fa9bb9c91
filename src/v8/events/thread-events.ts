import { fileURLToPath } from 'node:url';
import { vmCompileFunction as compileFunction, ReflectApply } from '../../base/primordials.js';
import { SafeSet } from '../../base/safe-map.js';
import { highWord, lowWord } from '../../base/words.js';
import type { TraceEvent } from '../../events/define.js';
import type { EventConfig } from '../../events/event-config.js';
import { type TriggerNeeds, triggerAction } from '../../events/trigger/trigger-actions.js';
import { TRACING_MARK_WRITE } from '../../ftrace/symbols.js';
import type { EventCommand, ScriptCommand } from '../../port/port.js';
import type { DeclaredTracepoint } from '../../tracepoint/declared.js';
import type { ProbeBreakpoints } from '../breakpoints/probe-breakpoints.js';
import * as fetchValues from '../probes/fetch-values.js';
import { ProbePoints } from '../probes/probe-points.js';
import type { StatementCells } from '../probes/statement-calls.js';
import { SafeMap, SafeWeakMap } from '../realm/primordials.js';
import type { ThreadScripts } from '../scripts/thread-scripts.js';
import { textAddress } from '../text-region.js';
import { outputOf } from '../tracers/outputs.js';
import type { ThreadTrace, TraceOutput } from '../tracers/thread-trace.js';
import { createEnvironment, type EnvironmentNeeds, type EventNeeds } from './event-needs.js';
import type { EventPoint, EventProbe } from './event-point.js';
import { EventProbeSource, type ProbeArguments, type ThreadEventFile } from './event-probe-source.js';
import * as slotValues from './slot-values.js';
import { cutText, putAscii, putText, shortText, textBytes } from './text-bytes.js';
import { tracepointPoint } from './tracepoint-point.js';
import type { Tracepoints } from './tracepoints.js';

/** The functions that code which makes records calls, by their names in it. */
export const RECORD_HELPERS = {
  ...slotValues,
  cutText,
  putAscii,
  putText,
  shortText,
  textBytes,
  highWord,
  lowWord,
  floor: Math.floor,
} as const;

/** A path in fentry's own folder, whose frames the program is not shown. */
const FILE = fileURLToPath(new URL('generated-event-code.js', import.meta.url));

/**
 * Makes a function of generated text: also where `--disallow-code-generation-from-strings` forbids `eval` and `new Function`.
 * @param text ends with `return FUNCTION`
 * @param values the variables that the text uses
 */
export function compile<F>(text: string, values: Readonly<Record<string, unknown>>): F {
  const make = compileFunction(`"use strict";\n${text}`, Object.keys(values), { filename: FILE });
  return make(...Object.values(values)) as F;
}

/** What a thread's events need of it. */
export interface ThreadEventsNeeds extends EnvironmentNeeds {
  readonly tracepoints: Tracepoints;
  /** What reaches the middle of functions; absent where nothing does. */
  readonly breakpoints?: ProbeBreakpoints;
  /** The cells of statements; absent where there are none. */
  readonly statementCells?: StatementCells;
  /** A probe is not hit, or not any more. */
  readonly probeEnded?: (event: string, why: string) => void;
  /** Loads what scripts need; absent: there are none. */
  readonly createScripts?: (trace: ThreadTrace, env: EventNeeds) => ThreadScripts;
  /** Declares the tracepoints of fentry's own events of an event's system, and the event's own; nothing for others. */
  readonly load: (event: Pick<TraceEvent, 'system' | 'name' | 'source'>, trace: ThreadTrace) => void;
}

/** An event that some instance wants. */
interface WantedEvent {
  readonly event: TraceEvent;
  readonly files: Map<number, EventConfig>;
  /** What records it, by what causes it. */
  probes: Map<EventPoint, EventProbe>;
  /** What records it when another event causes it. */
  caused: EventProbe | undefined;
}

const keyOf = ({ system, name }: TraceEvent): string => `${system}:${name}`;

/** The events of one thread: makes probes of what the control side wants, and registers them with the tracepoints. */
export class ThreadEvents {
  readonly #trace: ThreadTrace;
  readonly #needs: ThreadEventsNeeds;
  readonly #env: EventNeeds;
  readonly #wanted = new SafeMap<string, WantedEvent>();
  readonly #declared = new SafeWeakMap<DeclaredTracepoint, EventPoint>();
  readonly #helpers = { ...RECORD_HELPERS, ...fetchValues };
  /** What was put into the program. */
  readonly probes: ProbePoints;
  #scripts: ThreadScripts | undefined;

  constructor(trace: ThreadTrace, needs: ThreadEventsNeeds) {
    this.#trace = trace;
    this.#needs = needs;
    this.#env = createEnvironment(trace, needs);
    this.probes = new ProbePoints(trace, this.#env, needs);
    const changed = (key: string): void => {
      const wanted = this.#wanted.get(key);
      if (wanted !== undefined) this.#register(wanted);
    };
    // A file may define thousands of probes for one event: each change makes only what is its own anew.
    const changedBy =
      (change: (wanted: WantedEvent, point: EventPoint) => void) =>
      (key: string, point: EventPoint | undefined): void => {
        const wanted = this.#wanted.get(key);
        if (wanted === undefined || needs.tracepoints.of(key).length > 0) return;
        if (point !== undefined) change(wanted, point);
        else if (wanted.probes.size === 0) this.#register(wanted);
      };
    this.probes.onAdded = changedBy((wanted, point) => this.#connect(wanted, point));
    this.probes.onRemoved = changedBy((wanted, point) => this.#disconnect(wanted, point));
    needs.tracepoints.onDeclared = (key) => {
      changed(key);
      this.probes.declared(key);
    };
  }

  /** Does what an instance wants of an event from now on. */
  configure({ instance, event, memory, config }: EventCommand): void {
    if (this.#trace.eventWords.buffer !== memory) this.#trace.eventWords = new Int32Array(memory);
    const key = keyOf(event);
    let wanted = this.#wanted.get(key);
    // Another event has its place.
    if (config === undefined && wanted?.event.id !== event.id) return;
    if (wanted !== undefined && wanted.event.id !== event.id) this.#drop(wanted);
    if (wanted?.event.id !== event.id) {
      wanted = { event, files: new SafeMap(), probes: new SafeMap(), caused: undefined };
      this.#wanted.set(key, wanted);
    }
    if (config === undefined) wanted!.files.delete(instance);
    else wanted!.files.set(instance, config);
    const { tracepoints } = this.#needs;
    if (config !== undefined && tracepoints.of(key).length === 0) {
      tracepoints.loading(() => this.#needs.load(event, this.#trace));
    }
    this.#register(wanted!);
    if (wanted!.files.size === 0) this.#wanted.delete(key);
  }

  /** A script begins on the thread, changes, or has ended. */
  setScript(command: ScriptCommand): void {
    this.#scripts ??= this.#needs.createScripts?.(this.#trace, this.#env);
    this.probes.scripts = this.#scripts;
    this.#scripts?.configure(command);
  }

  /** The program has written a mark into the buffer of the top level. */
  marked(text: string): void {
    this.#wanted.get(MARK)?.caused?.(TRACING_MARK_WRITE.address, text);
  }

  /** Takes everything back. */
  end(): void {
    this.#wanted.forEach((wanted) => {
      this.#drop(wanted);
    });
    this.#wanted.clear();
    this.#env.end();
  }

  /** Has what causes the event call a probe for what is wanted now. */
  #register(wanted: WantedEvent): void {
    const { event, files, probes: before } = wanted;
    const points = files.size === 0 ? [] : this.#pointsOf(event);
    const isCaused = points.length === 0 && files.size > 0;
    wanted.caused = isCaused ? this.#whenCaused(wanted) : undefined;
    const probes = new SafeMap(points.map((point) => [point, this.#compile(wanted, point.args, false)]));
    wanted.probes = probes;
    for (const [point, probe] of probes) point.connect(probe, before.get(point));
    for (const [point, probe] of before) if (!probes.has(point)) point.connect(undefined, probe);
  }

  /** One more point causes the event: what the others call stays. */
  #connect(wanted: WantedEvent, point: EventPoint): void {
    if (wanted.files.size === 0) return;
    const probe = this.#compile(wanted, point.args, false);
    wanted.caused = undefined;
    wanted.probes.set(point, probe);
    point.connect(probe, undefined);
  }

  /** One of its points causes it no more. */
  #disconnect(wanted: WantedEvent, point: EventPoint): void {
    const probe = wanted.probes.get(point);
    if (!wanted.probes.delete(point)) return;
    point.connect(undefined, probe);
    if (wanted.probes.size === 0) this.#register(wanted);
  }

  /** Compiles what records an event when another one first causes it: a file can define tens of thousands of such events. */
  #whenCaused(wanted: WantedEvent): EventProbe {
    const first = (...values: unknown[]): void => {
      const { event } = wanted;
      const probe = this.#compile(wanted, this.probes.causedArguments(keyOf(event)) ?? slotArguments(event), true);
      if (wanted.caused === first) wanted.caused = probe;
      ReflectApply(probe, undefined, values);
    };
    return first;
  }

  /** What causes an event on this thread; empty where other events do. */
  #pointsOf(event: TraceEvent): readonly EventPoint[] {
    const key = keyOf(event);
    const all = this.#needs.tracepoints.of(key);
    if (all.length === 0) return this.probes.of(key);
    const open = this.#needs.tracepoints.open(key);
    if (open === undefined) return all.map((declared) => this.#pointOf(declared));
    return all.map((declared) => tracepointPoint(declared, { ...argumentsOf(declared), getters: open.getters(event.specs) }));
  }

  #pointOf(declared: DeclaredTracepoint): EventPoint {
    let point = this.#declared.get(declared);
    if (point === undefined) {
      point = tracepointPoint(declared, argumentsOf(declared));
      this.#declared.set(declared, point);
    }
    return point;
  }

  #drop(wanted: WantedEvent): void {
    wanted.files.clear();
    this.#register(wanted);
  }

  #compile({ event, files }: WantedEvent, args: ProbeArguments, isNested: boolean): EventProbe {
    const list: ThreadEventFile[] = [...files].map(([instance, config]) => this.#file(instance, config));
    const causes = new SafeSet([...files.values()].flatMap(({ causes = [] }) => causes));
    const effects = [...causes].map((key) => this.#causing(key));
    const fields = Object.keys(event.specs);
    for (const { handlers = [] } of files.values()) {
      for (const { script, handler } of handlers) {
        const probe = this.#scripts?.probeOf(script, handler, fields);
        if (probe !== undefined) effects.push(probe);
      }
    }
    const { text, values } = new EventProbeSource(event).generate(args, list, isNested, effects);
    const scope = { ...this.#helpers, ...values, env: this.#env, trace: this.#trace, words: this.#trace.eventWords };
    return compile<EventProbe>(text, scope);
  }

  /** What makes a record of another event, `SYSTEM:EVENT`: in the instances that want it then. */
  #causing(key: string): (...values: unknown[]) => void {
    return (...values) => {
      const caused = this.#wanted.get(key)?.caused;
      if (caused !== undefined) ReflectApply(caused, undefined, values);
    };
  }

  #file(instance: number, config: EventConfig): ThreadEventFile {
    const output = outputOf(this.#trace, instance);
    const effects = effectsOf(this.#trace, output);
    return {
      config,
      output,
      actions: config.triggers.map((trigger) => triggerAction(trigger, effects, this.#trace.eventWords)),
      effects: { snapshot: effects.snapshot, trace: (name) => this.#causing(`${SYNTHETIC}:${name}`) },
      stack: () => stackOf(this.#trace),
    };
  }
}

/** The event of marks. */
const MARK = 'ftrace:print';
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

/** Arguments of probes at an event that is called with the values of its fields. */
const slotArguments = (event: TraceEvent): ProbeArguments => ({
  names: Object.keys(event.specs).map((_, i) => `a${i}`),
});

const effectsOf = (trace: ThreadTrace, output: TraceOutput): TriggerNeeds => ({
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

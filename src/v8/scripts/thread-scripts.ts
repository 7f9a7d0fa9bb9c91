import type { ScriptCommand } from '../../port/port.js';
import { isAtSites, type PointConfig } from '../../probes/probe-point.js';
import type { Compile, ScriptThread } from '../../script/runtime/script-thread.js';
import type { HandlerCode } from '../../script/script-code.js';
import type { EventNeeds } from '../events/event-needs.js';
import type { EventProbe } from '../events/event-point.js';
import { fetchSource } from '../probes/fetch-source.js';
import * as fetchValues from '../probes/fetch-values.js';
import { FAULT } from '../probes/fetch-values.js';
import { breakpointNames, breakpointPlaces, namedPlaces, type Places, SITE } from '../probes/probe-arguments.js';
import { SafeMap } from '../realm/primordials.js';
import type { ScriptRuntime } from './load-script-runtime.js';
import type { ThreadContext } from './thread-context.js';

/** What the entry of a call saves for a handler at its end; undefined: nothing. */
export type Save = (n: number, self: unknown, args: readonly unknown[]) => readonly unknown[] | undefined;

/** What a point runs for a handler. */
export interface HandlerProbe {
  readonly probe: EventProbe;
  /** Present: the handler runs only for calls of which this has saved something. */
  readonly save?: Save;
  /** Present: it asks what an exception that ends a call has thrown. */
  readonly hearsThrown?: boolean;
}

/** The number of no function. */
const NONE = -1;

/** Parameters of a handler at a function's site, by SITE_NAMES of probe-arguments.ts, with what was saved last. */
const SITE_PARAMETERS = ['at', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'saved'];
/** The parameters of what the entry of a call saves. */
const ENTRY_PARAMETERS = ['at', 'a1', 'a2'];
/** The parameters of a handler in the middle of a function: the place's address comes first. */
const MIDDLE_PARAMETERS = ['a0', 'a1', 'a2', 'a3'];

type SiteHandler = (
  n: number,
  self: unknown,
  args: readonly unknown[],
  value: unknown,
  caller: number,
  status: string | undefined,
  duration: number | undefined,
  saved: readonly unknown[] | undefined,
) => void;

/** A script that runs on the thread. */
interface RunningScript {
  readonly thread: ScriptThread;
  readonly handlers: readonly HandlerCode[];
  /** What was compiled, by point and kind of place. */
  readonly compiled: Map<string, HandlerProbe>;
}

/** A handler that needs what the entry of its call has saved. Of a call that began before the script ran nothing is saved. */
function ofSaved(probe: EventProbe): EventProbe {
  const run = probe as SiteHandler;
  const withSaved: SiteHandler = (n, self, args, value, caller, status, duration, saved) => {
    if (saved !== undefined) run(n, self, args, value, caller, status, duration, saved);
  };
  return withSaved as EventProbe;
}

/** The scripts of one thread of the program: makes what its points call. */
export class ThreadScripts {
  readonly #env: EventNeeds;
  readonly #runtime: ScriptRuntime;
  readonly #context: ThreadContext;
  readonly #compile: Compile;
  readonly #scripts = new SafeMap<number, RunningScript>();

  constructor(env: EventNeeds, context: ThreadContext, runtime: ScriptRuntime, compile: Compile) {
    this.#env = env;
    this.#context = context;
    this.#runtime = runtime;
    this.#compile = compile;
  }

  /** A script begins on the thread, gets a writer more, or has ended. */
  configure({ script, change }: ScriptCommand): void {
    if (change.type === 'end') this.#scripts.delete(script);
    else if (change.type === 'writer') this.#scripts.get(script)?.thread.addWriter(change.memory);
    else if (change.type === 'sample') this.#sample(script, change.handler);
    else {
      const { code, memory } = change;
      const thread = this.#runtime.createScriptThread(code, memory, this.#context, this.#compile);
      this.#scripts.set(script, { thread, handlers: code.handlers, compiled: new SafeMap<string, HandlerProbe>() });
    }
  }

  /** The thread was interrupted in what is sampled. */
  #sample(script: number, handler: number): void {
    const running = this.#scripts.get(script);
    if (running === undefined) return;
    const key = `sample ${handler}`;
    let probe = running.compiled.get(key);
    if (probe === undefined) {
      const { texts, values } = this.#sources(running.handlers[handler]!.fetches, namedPlaces([]));
      const run = running.thread.compileHandler<SiteHandler>(handler, texts, [], { ...values, at: NONE, saved: undefined });
      probe = { probe: this.#guarded(running.thread, run) };
      running.compiled.set(key, probe);
    }
    probe.probe();
  }

  /** What a point calls that stands in the program's text; undefined: its script does not run. */
  probeAt(config: PointConfig): HandlerProbe | undefined {
    const { handler, place } = config;
    const running = handler && this.#scripts.get(handler.script);
    if (handler === undefined || running === undefined) return undefined;
    this.#context.learn(handler);
    // A point that comes again, because it stands in more functions now, fetches the same.
    const key = `${config.id} ${place.kind}`;
    let probe = running.compiled.get(key);
    if (probe === undefined) {
      probe = isAtSites(place)
        ? this.#atSite(running, handler.handler, config)
        : this.#inMiddle(running, handler.handler, config);
      running.compiled.set(key, probe);
    }
    return probe;
  }

  /**
   * What an event causes with the values of its fields; undefined: the script does not run. Meanwhile `env.isInside` is true.
   * @param fields their names
   */
  probeOf(script: number, handler: number, fields: readonly string[]): EventProbe | undefined {
    const running = this.#scripts.get(script);
    if (running === undefined) return undefined;
    const { fetches } = running.handlers[handler]!;
    const sources = this.#sources(fetches, namedPlaces(fields));
    const parameters = fields.map((_, i) => `a${i}`);
    const scope = { ...sources.values, at: NONE, saved: undefined };
    return running.thread.compileHandler<EventProbe>(handler, sources.texts, parameters, scope);
  }

  #atSite({ thread, handlers }: RunningScript, handler: number, { args, place }: PointConfig): HandlerProbe {
    const { texts, values } = this.#sources(
      args.map(({ fetch }) => fetch),
      SITE,
    );
    const run = thread.compileHandler<SiteHandler>(handler, texts, SITE_PARAMETERS, values);
    const code = handlers[handler]!;
    const hearing = code.reads.includes('thrown') ? this.#hearing(run) : run;
    const probe = this.#guarded(thread, code.reads.includes('parameters') ? this.#called(hearing) : hearing);
    const hearsThrown = code.reads.includes('thrown');
    if (code.saves === undefined || place.kind === 'entry') return { probe, hearsThrown };
    const save = thread.compileSaves<Save>(handler, texts, ENTRY_PARAMETERS, values);
    return { probe: ofSaved(probe), hearsThrown, save: this.#guardedSave(thread, save) };
  }

  #inMiddle({ thread }: RunningScript, handler: number, config: PointConfig): HandlerProbe {
    const { place, args } = config;
    const places = place.kind === 'breakpoint' ? breakpointPlaces(breakpointNames(config)) : SITE;
    const { texts, values } = this.#sources(
      args.map(({ fetch }) => fetch),
      places,
    );
    const scope = { ...values, at: 'n' in place ? place.n : NONE, saved: undefined };
    const run = thread.compileHandler<EventProbe>(handler, texts, MIDDLE_PARAMETERS, scope);
    return { probe: this.#guarded(thread, run as SiteHandler) };
  }

  /** A handler is not hit by what it calls itself, nor while an event is recorded. Nothing that it does reaches the program. */
  #guarded(thread: ScriptThread, run: SiteHandler): EventProbe {
    const env = this.#env;
    const guarded: SiteHandler = (n, self, args, value, caller, status, duration, saved) => {
      if (env.isInside) {
        thread.skip('reentrant');
        return;
      }
      env.isInside = true;
      try {
        run(n, self, args, value, caller, status, duration, saved);
      } catch {
        // The program's stack is full.
        env.torn();
      } finally {
        env.isInside = false;
      }
    };
    return guarded as EventProbe;
  }

  #guardedSave(thread: ScriptThread, save: Save): Save {
    const env = this.#env;
    return (n, self, args) => {
      if (env.isInside) {
        thread.skip('reentrant');
        return undefined;
      }
      env.isInside = true;
      try {
        return save(n, self, args);
      } catch {
        env.torn();
        return undefined;
      } finally {
        env.isInside = false;
      }
    };
  }

  /** A handler that shows what its function was called with. */
  #called(run: SiteHandler): SiteHandler {
    const context = this.#context;
    return (n, self, args, value, caller, status, duration, saved) => {
      context.called(args);
      run(n, self, args, value, caller, status, duration, saved);
    };
  }

  /** A handler that asks what its call has thrown. */
  #hearing(run: SiteHandler): SiteHandler {
    const context = this.#context;
    return (n, self, args, value, caller, status, duration, saved) => {
      if (value === FAULT || status === 'rejected') context.threw(value);
      run(n, self, args, value, caller, status, duration, saved);
      context.returned();
    };
  }

  #sources(
    fetches: HandlerCode['fetches'],
    places: Places,
  ): { readonly texts: readonly string[]; readonly values: Readonly<Record<string, unknown>> } {
    const values: Record<string, unknown> = { ...fetchValues, env: this.#env };
    let constants = 0;
    const constant = (value: unknown): string => {
      const name = `k${constants++}`;
      values[name] = value;
      return name;
    };
    const all = { ...places, constant, stackEntry: (index: number) => `env.callerAt(${index})` };
    return { texts: fetches.map((fetch) => fetchSource(fetch, all)), values };
  }
}

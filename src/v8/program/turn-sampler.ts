import { executionAsyncResource } from 'node:async_hooks';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { types } from 'node:util';
import * as v8 from 'node:v8';
import { asyncContexts } from '../async/thread-contexts.js';
import { captureStack, type StackSite } from '../realm/capture-stack.js';
import { getOwnPropertyDescriptor } from '../realm/primordials.js';
import type { Texts } from '../realm/texts.js';
import type { SampledCollections, SampledFrame, TurnLook, TurnSample } from '../shared/turn-sample.js';

/** The most calls of a stack that are told: those at its inner end, and those at its outer end, which say what began it. */
const INNER = 40;
const OUTER = 10;
/** The most calls that V8 reads for it. */
const MOST = 200;
/**
 * After so many looks in a row that found no function, the next promise is caught when it is made; and how often in a turn.
 */
const EMPTY = 3;
const CAUGHT = 4;

interface EnclosedSite extends StackSite {
  getTypeName(): string | null;
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
  getEnclosingLineNumber?(): number | null;
  getEnclosingColumnNumber?(): number | null;
}

/** Node's own watch of an isolate's collections: it runs no JavaScript. */
interface GcProfiler {
  start(): void;
  stop(): { readonly statistics: readonly { readonly cost: number }[] } | undefined;
}
const { promiseHooks } = v8;
const { GCProfiler } = v8 as unknown as { readonly GCProfiler?: new () => GcProfiler };

/**
 * A program thread's part of the watch for long turns of its event loop. The heartbeat is a timer of libuv's that counts and runs
 * no JavaScript; the control thread reads its count in memory that both have, so nothing else happens here while turns are short.
 * While one is long, the control thread asks for samples through the inspector.
 */
export class TurnSampler {
  readonly #texts: Texts;
  /** Looks in a row that found no function. */
  #empty = 0;
  /** How often a promise was caught in this turn, and the last stack of one that nobody has been told of. */
  #catches = 0;
  #caught: SampledFrame[] = [];
  #stopCatching: (() => void) | undefined;
  #heartbeat: IntervalHistogram | undefined;
  #collections: GcProfiler | undefined;

  constructor(texts: Texts) {
    this.#texts = texts;
  }

  /**
   * Counts with this period from now on, in milliseconds.
   * @returns what counts; the control thread gets a clone of it
   */
  begin(period: number): IntervalHistogram {
    this.end();
    // The program's own hooks hear of the timer, once, as of any handle.
    const heartbeat = asyncContexts.hidden(() => monitorEventLoopDelay({ resolution: period }));
    heartbeat.enable();
    this.#heartbeat = heartbeat;
    return heartbeat;
  }

  end(): void {
    this.#heartbeat?.disable();
    this.#heartbeat = undefined;
    this.#forget();
  }

  /** What runs now. Called at any moment of the program, runs none of its code, and does not throw. */
  sample(look: TurnLook): TurnSample {
    if (look === 'last') {
      const collections = this.#stopCollections();
      this.#forget();
      return { frames: [], ...(collections && { collections }) };
    }
    if (look === 'first') {
      this.#forget();
      this.#startCollections();
    }
    const stack = this.#capture(this.sample);
    const frames = stack.length > 0 ? this.#found(stack) : this.#betweenFunctions();
    const callback = frames.some(({ url }) => url !== '' && !url.startsWith('node:')) ? undefined : calledBack();
    return { frames, ...(callback !== undefined && { callback }) };
  }

  #found(frames: SampledFrame[]): SampledFrame[] {
    this.#empty = 0;
    return frames;
  }

  /**
   * A turn that goes on in reactions of promises can be interrupted best where V8 is about to resume an async function, which is
   * on no stack then. That function is caught when it makes its next promise: it awaits something.
   */
  #betweenFunctions(): SampledFrame[] {
    const caught = this.#caught;
    this.#caught = [];
    if (caught.length > 0) return caught;
    if (++this.#empty < EMPTY || this.#stopCatching !== undefined || this.#catches === CAUGHT) return caught;
    this.#catches++;
    const init = (): void => {
      this.#stopCatching?.();
      this.#stopCatching = undefined;
      this.#caught = this.#capture(init);
    };
    try {
      this.#stopCatching = promiseHooks.onInit(init) as () => void;
    } catch {
      // The program has frozen what this needs.
    }
    return caught;
  }

  /** The stack below a function. */
  #capture(callee: (...args: never[]) => unknown): SampledFrame[] {
    let frames: SampledFrame[] = [];
    try {
      captureStack((trace) => void (frames = this.#read(trace as readonly EnclosedSite[])), callee, MOST);
    } catch {
      // The stack is full.
    }
    return frames;
  }

  #forget(): void {
    this.#stopCollections();
    this.#stopCatching?.();
    this.#stopCatching = undefined;
    this.#empty = 0;
    this.#catches = 0;
    this.#caught = [];
  }

  #startCollections(): void {
    this.#stopCollections();
    if (GCProfiler === undefined) return;
    try {
      this.#collections = new GCProfiler();
      this.#collections.start();
    } catch {
      this.#collections = undefined;
    }
  }

  #stopCollections(): SampledCollections | undefined {
    const profiler = this.#collections;
    this.#collections = undefined;
    try {
      const statistics = profiler?.stop()?.statistics;
      if (statistics === undefined) return undefined;
      let us = 0;
      for (let i = 0; i < statistics.length; i++) us += statistics[i]!.cost;
      return { count: statistics.length, us };
    } catch {
      return undefined;
    }
  }

  /**
   * The frames below that of the inspector's evaluation; fentry's own are left out. The program's methods of arrays are not
   * called.
   */
  #read(trace: readonly EnclosedSite[]): SampledFrame[] {
    let from = 0;
    // The evaluation's frame has no name of a file; fentry's own are above it.
    while (from < trace.length && hasFile(trace[from]!) && this.#texts.isOwn(trace[from]!.getFileName()!)) from++;
    if (from < trace.length && trace[from]!.getFileName() === '') from++;
    const theirs: EnclosedSite[] = [];
    for (let i = from; i < trace.length; i++) {
      const site = trace[i]!;
      if (!(hasFile(site) && this.#texts.isOwn(site.getFileName()!))) theirs[theirs.length] = site;
    }
    const frames: SampledFrame[] = [];
    for (let i = 0; i < theirs.length; i++) {
      if (i < INNER || i >= theirs.length - OUTER) frames[frames.length] = this.#frame(theirs[i]!);
    }
    return frames;
  }

  #frame(site: EnclosedSite): SampledFrame {
    const line = site.getLineNumber() ?? 0;
    const column = site.getColumnNumber() ?? 0;
    const fromLine = site.getEnclosingLineNumber?.() ?? 0;
    const fromColumn = site.getEnclosingColumnNumber?.() ?? 0;
    const text = this.#texts.at(site);
    const place = text?.framePlace?.(line, column);
    return {
      name: nameOf(site),
      url: site.getFileName() ?? site.getScriptNameOrSourceURL() ?? '',
      line: place?.line ?? line,
      column: place?.column ?? text?.originalColumn(line, column) ?? column,
      fromLine,
      fromColumn: text?.originalColumn(fromLine, fromColumn) ?? fromColumn,
      isAsync: site.isAsync(),
    };
  }
}

/** Where Node keeps the program's function that it calls for a timer or an immediate. That of a nextTick mostly is Node's own. */
const CALLBACKS = ['_onTimeout', '_onImmediate'];

/** The name of the function that Node has called, as what it was called for has it. Runs nothing of the program's. */
function calledBack(): string | undefined {
  const resource: unknown = executionAsyncResource();
  for (let i = 0; i < CALLBACKS.length; i++) {
    const name = propertyOf(propertyOf(resource, CALLBACKS[i]!), 'name');
    if (typeof name === 'string') return name;
  }
  return undefined;
}

function propertyOf(owner: unknown, name: string): unknown {
  const isObject = (typeof owner === 'object' && owner !== null) || typeof owner === 'function';
  return isObject && !types.isProxy(owner) ? getOwnPropertyDescriptor(owner, name)?.value : undefined;
}

/** V8's name of a function, and the object's that a built-in belongs to: `JSON.stringify`. V8 calls every class a Function. */
function nameOf(site: EnclosedSite): string {
  const name = site.getFunctionName() ?? '';
  const type = hasFile(site) || name === '' ? null : site.getTypeName();
  return type === null || type === 'Function' ? name : `${type}.${name}`;
}

function hasFile(site: StackSite): boolean {
  const file = site.getFileName();
  return typeof file === 'string' && file !== '';
}

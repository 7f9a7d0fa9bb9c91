import { BigInt_ as bigInt, DateNow } from '../../base/primordials.js';
import type { PointHandler } from '../../probes/probe-point.js';
import type { ScriptContext, ScriptValues } from '../../script/script-code.js';
import { asyncContexts } from '../async/thread-contexts.js';
import { eventCall } from '../events/event-call.js';
import type { EventNeeds } from '../events/event-needs.js';
import { eventTime } from '../events/event-time.js';
import * as fetchValues from '../probes/fetch-values.js';
import { withOwnBuiltIns } from '../realm/own-built-ins.js';
import { textAddress } from '../text-region.js';
import { NOT_CAUGHT, REJECTS, type ThreadTrace } from '../tracers/thread-trace.js';
import { messageOf, typeOf } from '../tracers/thrown-value.js';

const NS_PER_MS = 1_000_000;

/**
 * The tids of system calls that the thread does not wait for begin above those of all threads (PID_MAX_LIMIT); each thread has
 * so many. What a script keeps under the tid at the entry of a call is so found again at its end, and by no other call.
 */
const FIRST_TID = 4_194_304;
const TIDS = 65_536;

/** The most frames of a stack. */
const MAX_FRAMES = 127;

/** What a call has thrown that has not. */
const NOTHING = Symbol('nothing');

const VALUES: ScriptValues = {
  integerOf: fetchValues.integerOf,
  stringOf: fetchValues.scriptTextOf,
  shownOf: (value) => fetchValues.shownOf(value),
  memberOf: fetchValues.memberOf,
};

/** What the thread knows of the system and of the process. */
export interface ThreadFacts {
  readonly pid: number;
  readonly ppid: () => number;
  readonly uid: () => number;
  readonly gid: () => number;
}

/** What handlers find on a thread of the program. One for each thread. */
export class ThreadContext implements ScriptContext {
  readonly writer: number;
  readonly cpu: number;
  readonly pid: number;
  readonly values = VALUES;
  readonly ppid: () => number;
  readonly uid: () => number;
  readonly gid: () => number;
  readonly nsecs: () => number;
  readonly #trace: ThreadTrace;
  readonly #env: EventNeeds;
  /** Nanoseconds from the trace clock's 0 to that of the wall clock. */
  readonly #wall: bigint;
  readonly #lows = new Uint32Array(MAX_FRAMES);
  /** By function number. */
  readonly #names: string[] = [];
  readonly #modules: string[] = [];
  readonly #params: (readonly string[])[] = [];
  #args: readonly unknown[] = [];
  #thrown: unknown = NOTHING;

  constructor(trace: ThreadTrace, env: EventNeeds, { pid, ppid, uid, gid }: ThreadFacts) {
    this.#trace = trace;
    this.#env = env;
    this.writer = env.cpu + 1;
    this.cpu = env.cpu;
    this.pid = pid;
    this.ppid = ppid;
    this.uid = uid;
    this.gid = gid;
    const { clock } = trace;
    this.nsecs = () => {
      const { at } = eventTime;
      return at === 0 ? clock() : at;
    };
    this.#wall = bigInt(DateNow() * NS_PER_MS) - bigInt(trace.clock());
  }

  /** Takes the names of functions that handlers stand in. */
  learn({ functions }: PointHandler): void {
    for (let i = 0; i < functions.length; i++) {
      const { n, name, module, params } = functions[i]!;
      this.#names[n] = name;
      this.#modules[n] = module;
      // Handlers that do not show the parameters of a function come without them.
      if (params.length > 0) this.#params[n] = params;
    }
  }

  /** What the function was called with in which the next handler stands. */
  called(args: readonly unknown[]): void {
    this.#args = args;
  }

  /** What a handler's `thrown` says while it runs: `value` has ended its call. FAULT: an exception has. */
  threw(value: unknown): void {
    const { caught } = this.#trace;
    const isKnown = value === fetchValues.FAULT && caught !== NOT_CAUGHT && caught !== REJECTS;
    this.#thrown = isKnown ? caught : value;
  }

  returned(): void {
    this.#thrown = NOTHING;
  }

  tid(): number {
    const { place } = eventCall;
    return place === 0 ? this.#trace.pid : FIRST_TID + this.cpu * TIDS + place;
  }

  comm(): string {
    return this.#env.comm();
  }

  commOf(pid: number): string {
    return asyncContexts.typeOf(pid - asyncContexts.pids.of(this.cpu, 0)) ?? '';
  }

  wallNsecs(): bigint {
    return this.#wall + bigInt(this.nsecs());
  }

  functionName(at: number): string {
    return this.#names[at] ?? '';
  }

  moduleName(at: number): string {
    return this.#modules[at] ?? '';
  }

  address(at: number): number {
    if (at >= 0) return this.#env.functionAddress(at);
    const innermost = this.#lows.subarray(0, 1);
    return this.#trace.walkStack(innermost, false) === 0 ? 0 : textAddress(innermost[0]!);
  }

  symbol(address: number): string {
    return this.#env.symbolText(address);
  }

  parameters(at: number): string {
    const params = this.#params[at] ?? [];
    const args = this.#args;
    let text = '';
    for (let i = 0; i < params.length; i++) text += `${i === 0 ? '' : ' '}${params[i]}=${fetchValues.shownOf(args[i])}`;
    return text;
  }

  thrown(): string {
    const value = this.#thrown;
    if (value === NOTHING) return '';
    if (typeof value === 'string') return fetchValues.scriptTextOf(value);
    const message = messageOf(value);
    if (message === value || typeof message !== 'string') return fetchValues.shownOf(value);
    return fetchValues.scriptTextOf(message === '' ? typeOf(value) : `${typeOf(value)}: ${message}`);
  }

  stack(depth: number): string {
    // Not by orWithOwnBuiltIns: its frames would be on the stack.
    try {
      return this.#stack(depth);
    } catch {
      return withOwnBuiltIns(() => this.#stack(depth));
    }
  }

  #stack(depth: number): string {
    const most = depth > 0 && depth < MAX_FRAMES ? depth : MAX_FRAMES;
    const frames = this.#trace.walkStack(this.#lows.subarray(0, most), false);
    let text = '';
    for (let i = 0; i < frames; i++) text += `${i === 0 ? '' : '\n'}${this.#env.symbolText(textAddress(this.#lows[i]!))}`;
    return text;
  }
}

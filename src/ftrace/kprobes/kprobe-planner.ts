import type { SubscriberRequest } from '../register.js';
import type { KprobeSettling } from './kprobe.js';
import type { ProbeOps } from './probe-ops.js';
import type { StatementOutcome } from './statement-outcome.js';

/** What a program asks for: where a probe is to stand. */
export interface KprobeRequest {
  readonly id: number;
  /** `k` a kprobe, `r` a kretprobe, as kprobes/list shows them. */
  readonly kind: 'k' | 'r';
  readonly symbol: string;
  readonly offset: number;
  readonly line?: number;
  readonly isEnabled: boolean;
  /** What it reads in the middle of a function. */
  readonly variables?: readonly string[];
  /** Whether the kprobe has a postHandler. */
  readonly hasPost?: boolean;
}

/** A statement whose site serves a probe. */
export interface FoundStatement {
  /** The statement's number in its function. */
  readonly index: number;
  /** What each site of the function passes. */
  readonly names: readonly (readonly string[])[];
  /** What it is when each of them begins next. */
  readonly next: readonly StatementOutcome[];
}

/** A place where V8 stops next in a call when a statement is over. */
export interface NextPlace {
  /** From the function's start. */
  readonly offset: number;
  /** What it says of the statement. */
  readonly outcome: Exclude<StatementOutcome, 'unknown'>;
  /** A `catch` begins there. */
  readonly isCatch?: true;
}

/** The place that was found for it. */
export interface FoundKprobe {
  /** The function's number. */
  readonly n: number;
  /** The address of the function. */
  readonly address: number;
  /** TextFunction.kind */
  readonly kind: number;
  /** From the function's start; 0: at its entry. */
  readonly offset: number;
  /** Absent: no site of a statement is there, or it passes too little. */
  readonly statement?: FoundStatement;
  /** Present if it has a post handler and no such site. */
  readonly next?: readonly NextPlace[];
}

export type KprobeState = 'enabled' | 'disabled' | 'gone';

/** A breakpoint of a probe in the middle of a function. */
export interface KprobeBreakpoint extends FoundKprobe {
  /** Whether the place stands behind a statement: it is hit before what else stands at the place. */
  readonly isNext?: true;
  /** Whether the place stands where a `catch` begins. */
  readonly isCatch?: true;
  readonly variables: readonly string[];
  /** Tells that the place is hit. @param values one for each variable: returns it, or throws if it has none */
  hit(values: readonly (() => unknown)[]): void;
  /** Tells that the place is reached while a handler runs. */
  missed(): void;
  /** Tells that the place is not hit any more. @param why the end of a sentence about the place */
  ended(why: string): void;
}

/** Hears of the promises that calls return, until `end`. */
export interface Settlings<Probed> {
  /** A call begins. Returns what its end is told with. */
  began(): unknown;
  /** The call has ended. @param isCoroutine it is a coroutine whose own promise is resolved or rejected next */
  ended(probed: Probed, began: unknown, value: unknown, unwound: boolean, isCoroutine: boolean | undefined): void;
  end(): void;
}

/** What the probes of a thread's program need of their thread. */
export interface KprobePlanner {
  /** Finds the place, and lists the probe. Rejects with a TraceError. */
  place(request: KprobeRequest): Promise<FoundKprobe>;
  /** What has become of a listed probe. */
  setState(id: number, state: KprobeState): void;
  /** From now on sites that call this ops id call these. */
  addProbe(id: number, ops: ProbeOps): void;
  /** Removes subscribers: they are not called any more, whatever the sites still do. */
  removeSubscriber(id: number): void;
  /** Resolves when this thread's sites are patched; rejects with a TraceError. */
  subscribe(request: SubscriberRequest): Promise<void>;
  unsubscribe(id: number): Promise<void>;
  /** Returns how to remove it. @throws TraceError EINVAL if V8 has no such place, ENOSPC if there are too many */
  breakpoint(request: KprobeBreakpoint): () => void;
  /**
   * Calls this with each statement of function `n` that begins: its number, and what its site passes. Returns how to end that.
   * @throws TraceError EINVAL if it has no such sites
   */
  statements(n: number, began: (index: number, values: readonly unknown[]) => void): () => void;
  /** @param settled called with what `ended` was given, perhaps before that has returned */
  settlings<Probed>(settled: (probed: Probed, settling: KprobeSettling) => void): Settlings<Probed>;
  /** Runs a handler: its calls are not traced. False if one is running already. */
  inCallback(run: () => void): boolean;
  /** The address of function `n`. */
  addressOf(n: number): number;
  /** A handler has thrown. */
  failed(error: unknown): void;
}

import type { ProbeOps } from './probe-ops.js';
import type { SubscriberRequest } from './register.js';

/** What a program asks for: where a probe is to stand. */
export interface KprobeRequest {
  readonly id: number;
  /** `k` a kprobe, `r` a kretprobe, as kprobes/list shows them. */
  readonly kind: 'k' | 'r';
  readonly symbol: string;
  readonly offset: number;
  readonly line?: number;
  readonly isEnabled: boolean;
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
}

export type KprobeState = 'enabled' | 'disabled' | 'gone';

/** A breakpoint of a probe in the middle of a function. */
export interface KprobeBreakpoint extends FoundKprobe {
  readonly variables: readonly string[];
  /** It is hit. @param values one for each variable: returns it, or throws if it has none */
  hit(values: readonly (() => unknown)[]): void;
  /** It is reached while a handler runs. */
  missed(): void;
  /** It is not hit any more. @param why the end of a sentence about the place */
  ended(why: string): void;
}

/** What the probes of a thread's program need of their thread. */
export interface KprobePlanner {
  /** Finds the place, and lists the probe. Rejects with a TraceError. */
  place(request: KprobeRequest): Promise<FoundKprobe>;
  /** What has become of a listed probe. */
  setState(id: number, state: KprobeState): void;
  /** From now on sites that call this ops id call these. */
  addProbe(id: number, ops: ProbeOps): void;
  /** They are not called any more, whatever the sites still do. */
  removeSubscriber(id: number): void;
  /** Resolves when this thread's sites are patched; rejects with a TraceError. */
  subscribe(request: SubscriberRequest): Promise<void>;
  unsubscribe(id: number): Promise<void>;
  /** Returns how to remove it. @throws TraceError EINVAL if V8 has no such place, ENOSPC if there are too many */
  breakpoint(request: KprobeBreakpoint): () => void;
  /** The address of function `n`. */
  addressOf(n: number): number;
  /** A handler has thrown. */
  failed(error: unknown): void;
}

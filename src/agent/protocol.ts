import type { LinkedText } from '../arch/arch.js';
import type { Patches } from '../ftrace/plan.js';
import type { TracerConfig } from '../tracers/runtime.js';

/**
 * The messages between the control thread and the program threads. Each thread has one BroadcastChannel with the control
 * thread, since a worker gets a channel by its name alone, and since a channel can be read without an event loop.
 */

/** What the control thread tells a program thread. `seq` grows by one a command; the thread acknowledges it. */
export type ThreadCommand = { readonly seq: number } & (
  | { readonly type: 'buffer'; readonly buffer: SharedArrayBuffer }
  | { readonly type: 'tracer'; readonly config: TracerConfig }
  | { readonly type: 'patch'; readonly patches: Patches }
);

/** A subscriber that the program registered (registerFtraceFunction), as the control thread plans for it. */
export interface SubscriberRequest {
  readonly id: number;
  readonly name: string;
  readonly flags: number;
  readonly filter: readonly string[];
  readonly notrace: readonly string[];
}

/** What a program thread tells the control thread. */
export type ThreadEvent =
  | { readonly type: 'start'; readonly cpu: number; readonly tid: number; readonly comm: string }
  | { readonly type: 'ack'; readonly cpu: number; readonly seq: number }
  /** A text was linked; the thread waits for its patches when WORD.LINK_WAITS is set. */
  | { readonly type: 'link'; readonly cpu: number; readonly text: LinkedText }
  | { readonly type: 'subscribe'; readonly cpu: number; readonly subscriber: SubscriberRequest }
  | { readonly type: 'unsubscribe'; readonly cpu: number; readonly id: number }
  | { readonly type: 'mark'; readonly cpu: number; readonly text: string }
  | { readonly type: 'end'; readonly cpu: number };

/** The name of the channel between the control thread and the thread on `cpu`, of the process with this `nonce`. */
export const channelName = (nonce: string, cpu: number): string => `fentry-${nonce}-${cpu}`;
/** The channel on which threads announce themselves to the control thread. */
export const hallName = (nonce: string): string => `fentry-${nonce}`;

/** What every thread of the process must know; workers get it as environment data. */
export interface ProcessShare {
  readonly nonce: string;
  readonly block: SharedArrayBuffer;
  /** The loader's link table. */
  readonly links?: SharedArrayBuffer;
}
/** The key of the ProcessShare in the environment data of worker_threads. */
export const SHARE_KEY = 'fentry';

import type { Histogram } from 'node:perf_hooks';
import type { Errno } from '../../base/errno.js';
import type { PortCommand, PortEvent } from '../../port/port.js';
import type { BreakpointText, LoadedScript } from '../breakpoints/breakpoint-text.js';
import type { LinkEvent } from '../loader/link-event.js';
import type { WasmModule } from '../machine-code/wasm-function.js';

/**
 * The messages between the control thread and the program threads. Each thread has one BroadcastChannel with the control
 * thread, since a worker gets a channel by its name alone, and since a channel can be read without an event loop.
 */

/** What the control thread tells a program thread. `seq` grows by one a command; the thread acknowledges it. */
export type ThreadCommand = { readonly seq: number } & (
  | PortCommand
  | /** The control thread listens from now on. */ { readonly type: 'hello' }
  /** A text that the thread had before fentry came: places in it have addresses from now on. */
  | { readonly type: 'loaded text'; readonly file: string; readonly base: number }
  /** Breakpoints may be put into this text; comes before the first patch of its functions. */
  | { readonly type: 'breakpoint text'; readonly text: BreakpointText }
  /** A heartbeat begins, with this period in milliseconds; 0: it ends. */
  | { readonly type: 'heartbeat'; readonly period: number }
  /**
   * The module reads the processor's cycle counter, whose counts the conversions in the memory make nanoseconds (cycle-clock.ts).
   * The trace clock is that from now on if it is chosen; the clock `x86-tsc` can be. Comes again with another module after
   * `cycles lost`.
   */
  | {
      readonly type: 'cycles';
      readonly module: WasmModule;
      /** Which of the modules that were made one after the other. */
      readonly serial: number;
      readonly conversions: SharedArrayBuffer;
      readonly isChosen: boolean;
    }
  /** The source of a script is asked for. */
  | { readonly type: 'source'; readonly scriptId: string }
);

/**
 * Sent to a thread that reported a `slice`: its event loop has turned since then. It is not a command, because the thread is
 * still in the middle of one.
 */
export interface NextSlice {
  readonly type: 'next slice';
  /** Number of the slice that is over. */
  readonly slice: number;
}

/**
 * What a thread does in slices, each in a turn of its event loop. `store`: what the program's next start needs, on the main
 * thread, some time after the start, because a program that is killed does nothing at its end. `renew`: the cells of disarmed
 * sites, which are NOPs that still cost optimized code a load and a test.
 */
export type Chore = 'store' | 'renew';

/** Has the thread do a slice of a chore. Not a command: nobody waits for it. */
export interface ChoreSlice {
  readonly type: 'chore';
  readonly chore: Chore;
}

/** What a program thread receives. */
export type ThreadMessage = ThreadCommand | NextSlice | ChoreSlice;

/** Why a thread has not obeyed a command. */
export interface Disobeyed {
  /** The command's type. */
  readonly command: string;
  readonly errno: Errno;
  readonly message: string;
}

/** What a program thread tells the control thread. */
export type ThreadEvent =
  | Exclude<PortEvent, { readonly type: 'unreached' | 'disobeyed' }>
  | { readonly type: 'ack'; readonly seq: number; readonly disobeyed?: Disobeyed }
  /** A message could not be read. If it was a command, the thread knows which when it has a later one. */
  | { readonly type: 'unread' }
  /** The time for patching in one turn is over; the thread continues when it gets NextSlice. */
  | { readonly type: 'slice'; readonly slice: number }
  /** There is more to do of a chore. */
  | { readonly type: 'chore left'; readonly chore: Chore }
  /**
   * A text was linked that does not fit into the thread's TextLog; the thread waits for its patches when WORD.LINK_WAITS is
   * set.
   */
  | { readonly type: 'link'; readonly link: LinkEvent }
  /**
   * The texts in the thread's TextLog must be read at once. The first such event of a thread that did not start the control
   * thread has the log.
   */
  | { readonly type: 'texts'; readonly memory?: SharedArrayBuffer }
  /** The thread has started a worker, which does not get an agent by itself. */
  | { readonly type: 'worker'; readonly threadId: number }
  /** The heartbeat has begun: a clone of what counts it (RecordableHistogram), in the same memory. */
  | { readonly type: 'heartbeat'; readonly beats: Histogram }
  /** V8 has taken away the machine code that the module with this serial number had, for a debugger or to free memory. */
  | { readonly type: 'cycles lost'; readonly serial: number }
  /** What the thread had loaded before fentry was attached. */
  | { readonly type: 'scripts'; readonly scripts: readonly LoadedScript[] }
  | { readonly type: 'source'; readonly scriptId: string; readonly source: string }
  /** Function `n` could not be given any breakpoints. */
  | { readonly type: 'unreached'; readonly n: number };

/** The name of the channel between the control thread and the thread on `cpu`, of the process with this `nonce`. */
export const channelName = (nonce: string, cpu: number): string => `fentry-${nonce}-${cpu}`;
/** The channel on which a thread says its cpu when it starts, so that the control thread connects to it. */
export const hallName = (nonce: string): string => `fentry-${nonce}`;

/** The channel on which a worker asks for the ProcessShare, if fentry was attached. */
export const shareName = (nonce: string): string => `fentry-${nonce}-share`;

/** What every thread of the process must know; workers get it as environment data. */
export interface ProcessShare {
  readonly nonce: string;
  readonly block: SharedArrayBuffer;
  /** The InstanceSwitch of the top level. */
  readonly topSwitch: SharedArrayBuffer;
  /** The loader's link table. */
  readonly links: SharedArrayBuffer;
  /** Id of the thread that starts the worker. */
  readonly parent?: number;
}
/** The key of the ProcessShare in the environment data of worker_threads. */
export const SHARE_KEY = 'fentry';

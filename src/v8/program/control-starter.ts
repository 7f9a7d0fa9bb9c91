import { Worker } from 'node:worker_threads';
import { AtomicsCompareExchange, AtomicsLoad, AtomicsStore } from '../../base/primordials.js';
import { say } from '../../base/say.js';
import { socketDirectory, socketPath } from '../../base/socket-directory.js';
import { unlinkSync } from '../../base/untraced-fs.js';
import { asksForEvents, endsWithControl, hearsSignals, tracesFromStart } from '../../port/parameters.js';
import { asyncContexts } from '../async/thread-contexts.js';
import { v8Name } from '../loader/v8-name.js';
import { mayWriteMemory } from '../machine-code/may-write-memory.js';
import { withOwnBuiltIns } from '../realm/own-built-ins.js';
import { CONTROL_STATE, type ControlBlock, FORBIDDEN, needControl, WORD } from '../shared/control-block.js';
import { HIDDEN } from '../shared/hidden-objects.js';
import type { V8ControlData } from '../shared/v8-control-data.js';
import type { ExpectedRuns } from './last-runs.js';
import { refusalOfThread } from './refusal-of-thread.js';
import { threadCount } from './thread-count.js';
import { waitForControl } from './wait-for-control.js';

/** Milliseconds that the end of a program waits for the control thread to be done with its clients. */
const CLIENTS_PATIENCE = 1000;
/** Milliseconds after which a program gets its control thread that has loaded no text with functions yet, or may end soon. */
const UNHURRIED = 100;
const { getActiveResourcesInfo } = process;
/** Where nobody reads the worker's stderr, a warning there keeps the program alive. */
const QUIET = '--no-warnings';

/**
 * Starts and ends the control thread of the process, from the thread that fentry was first loaded into. It starts at once if
 * FENTRY is set. Else a program that may end soon gets none while it loads its texts, unless that takes long: starting a thread
 * would be most of what such a program costs (last-runs.ts). If it waits for something it gets one; if it never does, and loads
 * nothing more, it gets one when a client asks for it (client/silent-processes.ts). Nor does a program get one that has no
 * functions and nothing to wait for: it ends, and starting a timer would take a twentieth of what fentry does for it.
 *
 * A thread that FENTRY has not asked for does most of its start when the program has loaded and this thread turns to its events,
 * or some time later (control-start.ts).
 */
export class ControlStarter {
  readonly #data: Omit<V8ControlData, 'v8' | 'mayNotStart'>;
  readonly #fentryFolder: string;
  readonly #block: ControlBlock;
  readonly #lost: () => void;
  readonly #starting: () => void;
  readonly #runs: ExpectedRuns | undefined;
  #begun = false;
  #isOver = false;
  #unhurried: NodeJS.Timeout | undefined;
  #textsSeen = 0;

  /**
   * @param calls `starting` when the thread is about to start, `lost` when it has ended before the program
   * @param runs what is expected of this run; undefined: that it does not end soon
   * @param isFresh the program has run nothing yet: `textSeen` and `mainLoaded` will be called
   * @param path of the socket; by default where the process's environment puts it
   */
  constructor(
    data: Omit<V8ControlData, 'socketPath' | 'v8' | 'mayNotStart'>,
    fentryFolder: string,
    calls: { readonly starting: () => void; readonly lost: () => void },
    runs: ExpectedRuns | undefined,
    isFresh: boolean,
    path = ownSocketPath(),
  ) {
    this.#lost = calls.lost;
    this.#starting = calls.starting;
    this.#runs = runs;
    this.#data = { ...data, socketPath: path };
    this.#fentryFolder = fentryFolder;
    this.#block = new Int32Array(data.share.block);
    if (tracesFromStart(data.parameters)) AtomicsStore(this.#block, WORD.LINK_WAITS, 1);
    if (asksForEvents(data.parameters)) AtomicsStore(this.#block, WORD.DECLARED_WAITS, 1);
    if (data.isAsked || data.isAttached) needControl(this.#block);
    if (data.isAsked) this.begin();
    else if (!isFresh) this.#beginLater();
  }

  /** Whether the thread was started. */
  get hasBegun(): boolean {
    return this.#begun;
  }

  /** Starts the thread because a client asks for it. Returns false if it was started before. */
  beginForClient(): boolean {
    if (this.#begun) return false;
    this.begin();
    needControl(this.#block);
    return true;
  }

  /** A text was loaded, which can be traced. */
  beginForText(): void {
    if (this.#begun) return;
    if (this.#runs?.mayEndSoon === true) this.#beginLater();
    else this.begin();
  }

  /** Some text is about to run. Only the first one is known to be the program's main file. */
  textSeen(): void {
    this.#textsSeen++;
    if (this.#textsSeen === 2) this.#beginLater();
  }

  /** The program's main file has run, if that is CommonJS. */
  mainLoaded(): void {
    if (!this.#begun && getActiveResourcesInfo().length > 0) this.#beginLater();
  }

  #beginLater(): void {
    if (!this.#begun && !this.#isOver) this.#unhurried ??= setTimeout(() => this.begin(), UNHURRIED).unref();
  }

  /**
   * Starts the thread, the first time. It neither keeps the process alive nor runs the program's preloads: its environment is
   * empty. That of a recorded program hears signals (ending-signals.ts). If no thread can be started (the permission model), the
   * program runs untraced.
   */
  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    withOwnBuiltIns(() => this.#start());
  }

  #start(): void {
    const refusal = refusalOfThread();
    if (refusal !== undefined) {
      if (this.#data.isAsked) say(refusal);
      this.#gone();
      return;
    }
    AtomicsStore(this.#block, WORD.CONTROL, CONTROL_STATE.STARTING);
    this.#starting();
    // Node decides this where a worker is created; in the worker, process.permission does not exist.
    AtomicsStore(
      this.#block,
      WORD.FORBIDDEN,
      (mayInspect() ? 0 : FORBIDDEN.INSPECTOR) | (mayWriteMemory() ? 0 : FORBIDDEN.MEMORY),
    );
    AtomicsStore(this.#block, WORD.THREADS_BEFORE, threadCount());
    try {
      const worker = withoutTicks(
        () =>
          new Worker(new URL('control-start.cjs', this.#fentryFolder), {
            workerData: {
              ...this.#data,
              v8: v8Name(),
              mayNotStart: process.permission?.has('child') === false,
            } satisfies V8ControlData,
            env: {},
            execArgv: hearsSignals(this.#data.parameters) ? [QUIET, '--expose-internals'] : [QUIET],
            argv: [],
            trackUnmanagedFds: false,
            // Else Node would open this thread's streams to pipe the worker's into, which makes their descriptors non-blocking
            // for the program's children and native code.
            stdout: true,
            stderr: true,
            name: 'fentry',
          }),
      );
      // The events of Node's workers leave it out.
      Object.defineProperty(worker, HIDDEN, { value: true });
      let why = 'it was ended';
      // Without a listener, an error of the worker would be an uncaught error of the program.
      worker.on('error', (error) => {
        why = error?.message ?? String(error);
      });
      worker.on('exit', () => withOwnBuiltIns(() => this.#ended(why)));
      // Heard once, when this thread's event loop turns. What `once` makes calls a method that the program may have replaced.
      worker.on('online', () =>
        withOwnBuiltIns(() => {
          asyncContexts.hideCurrent();
          needControl(this.#block);
        }),
      );
      worker.unref();
    } catch (error) {
      if (this.#data.isAsked) say(`nothing is traced: ${(error as Error)?.message}`);
      this.#gone();
    }
  }

  /**
   * Removes the socket, and waits until a recording, or what was counted, is complete. Node aborts the process if its parser of
   * HTTP is in the midst of a request when the thread is ended, so clients of the control thread are gone when this returns.
   * @param flush sends the control thread the messages that were kept while it was starting, above all that the program ends
   */
  end(flush: () => void): void {
    this.#isOver = true;
    this.#runs?.ended();
    const { NONE, STARTING, LISTENING, ENDED } = CONTROL_STATE;
    const block = this.#block;
    this.#begun = true;
    if (AtomicsCompareExchange(block, WORD.CONTROL, NONE, ENDED) === NONE) return;
    AtomicsStore(block, WORD.PROGRAM_ENDS, 1);
    const isRecording = endsWithControl(this.#data.parameters);
    // A control thread that has not bound its socket yet will not do so any more.
    if (!isRecording && AtomicsCompareExchange(block, WORD.CONTROL, STARTING, ENDED) === STARTING) return;
    const isThere = waitForControl(block, WORD.CONTROL, LISTENING);
    if (!isThere && this.#data.isAsked) say('nothing was traced: the control thread could not start');
    if (isThere && (isRecording || AtomicsLoad(block, WORD.HAS_CLIENTS) !== 0)) {
      flush();
      waitForControl(block, WORD.CONTROL, ENDED, isRecording ? undefined : CLIENTS_PATIENCE);
    }
    this.#removeSocket();
  }

  /** The control thread was told to end: the end of the program need not wait. */
  detached(): void {
    this.#begun = true;
    this.#isOver = true;
    clearTimeout(this.#unhurried);
  }

  /** The program runs on without waiting; clients find no listener. */
  #ended(why: string): void {
    if (this.#isOver) return;
    if (this.#data.isAsked) say(`nothing is traced any more: the control thread has ended: ${why}`);
    this.#gone();
    this.#lost();
    this.#removeSocket();
  }

  #gone(): void {
    AtomicsStore(this.#block, WORD.CONTROL, CONTROL_STATE.ENDED);
    AtomicsStore(this.#block, WORD.LINK_WAITS, 0);
    AtomicsStore(this.#block, WORD.DECLARED_WAITS, 0);
  }

  #removeSocket(): void {
    try {
      unlinkSync(this.#data.socketPath);
    } catch {
      // There was none: its folder was refused.
    }
  }
}

/**
 * Node tells the program of each new worker at the next tick. It must not hear of this one, and with a tick that waits, the
 * program's promises would go on one call deeper, which their stacks show.
 */
function withoutTicks<T>(start: () => T): T {
  const descriptor = Object.getOwnPropertyDescriptor(process, 'nextTick');
  if (descriptor?.configurable !== true) return start();
  Object.defineProperty(process, 'nextTick', { ...descriptor, value: () => {} });
  try {
    return start();
  } finally {
    Object.defineProperty(process, 'nextTick', descriptor);
  }
}

/** Node gives the process of `--test` no inspector where it runs each file in another, and aborts it if a worker asks for one. */
function hasInspector(): boolean {
  const { execArgv } = process;
  return !execArgv.includes('--test') || execArgv.some((word) => word === 'none' || word.endsWith('isolation=none'));
}

const mayInspect = (): boolean => (process.permission?.has('inspector') ?? true) && hasInspector();

function ownSocketPath(): string {
  return socketPath(socketDirectory(process.env, process.geteuid?.() ?? 0), process.pid);
}

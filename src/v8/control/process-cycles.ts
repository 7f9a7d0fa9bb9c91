import {
  type ClockReading,
  Conversions,
  createConversions,
  hrtimeClock,
  readFirst,
  useCycleCounter,
} from '../../ring-buffer/index.js';
import { whyNoClock } from '../cycles/counter-facts.js';
import { whyNoGain } from '../cycles/measure-gain.js';
import { placeCounter } from '../cycles/place-counter.js';
import { PlacingRefused } from '../machine-code/own-memory.js';
import type { WasmApi } from '../machine-code/wasm-function.js';
import type { ThreadCommand } from '../shared/protocol.js';

/** The command by which a thread reads the counter. */
type CyclesCommand = Omit<Extract<ThreadCommand, { readonly type: 'cycles' }>, 'seq'>;

const { WebAssembly } = globalThis as { readonly WebAssembly?: WasmApi };

/** The least time in which the rate of the counter is measured at first, in nanoseconds. */
const FIRST_SPAN = 2e6;

/** Milliseconds until lost code is replaced: a debugger that is enabled and disabled at once takes it away twice. */
const FIRST_WAIT = 100;
/** Code that was lost again within the last wait is replaced after twice as long a wait, at most this. */
const LONGEST_WAIT = 60_000;

/** The processor's cycle counter, which the control thread finds when something is first recorded, for all threads. */
export class ProcessCycles {
  #command: CyclesCommand | undefined;
  #conversions: Conversions | undefined;
  readonly #replaced: () => void;
  #wait = FIRST_WAIT;
  #placedAt = performance.now();
  #isWaiting = false;
  /** Why the counter cannot be read, in words; undefined: it can. */
  readonly refused: string | undefined;
  /** Why the trace clock is not made from it, in words; undefined: it is. */
  readonly notChosen: string | undefined;

  /**
   * Blocks for some milliseconds, until the rate of the counter is known.
   * @param replaced called when there is another command, because V8 took away the machine code of the one before
   * @param mayWrite whether the process's memory may be written
   */
  constructor(replaced: () => void = () => {}, mayWrite = true) {
    this.#replaced = replaced;
    try {
      const why = mayWrite ? whyNoClock() : 'the permission model forbids to write /proc/self/mem';
      if (why !== undefined) throw new PlacingRefused(why);
      const { module, read } = placeCounter(WebAssembly);
      const monotonic = hrtimeClock();
      const first = readFirst(read, monotonic);
      this.notChosen = whyNoGain(read, monotonic);
      while (monotonic() < first.ns + FIRST_SPAN);
      const memory = createConversions();
      const conversions = new Conversions(memory, read);
      conversions.begin(first);
      this.#conversions = conversions;
      this.#command = { type: 'cycles', module, serial: 0, conversions: memory, isChosen: this.notChosen === undefined };
      this.#use(read);
    } catch (error) {
      if (!(error instanceof PlacingRefused)) throw error;
      this.refused = error.message;
      this.notChosen = error.message;
    }
  }

  /** What lets a thread read it; undefined: it cannot be read. */
  get command(): CyclesCommand | undefined {
    return this.#command;
  }

  /** The counter as a clock of the control thread's. */
  get counts(): ClockReading | undefined {
    return this.#conversions?.counts;
  }

  /**
   * A thread has found that V8 took away the machine code of a module, as it does for a debugger that is enabled or disabled, and
   * to free memory. Another module takes its place soon; until then that thread reads Node's clock.
   */
  lost(serial: number): void {
    if (serial !== this.#command?.serial || this.#isWaiting) return;
    this.#isWaiting = true;
    const hasLasted = performance.now() - this.#placedAt > this.#wait;
    this.#wait = hasLasted ? FIRST_WAIT : Math.min(this.#wait * 2, LONGEST_WAIT);
    setTimeout(() => this.#replace(), this.#wait).unref();
  }

  #replace(): void {
    this.#isWaiting = false;
    const last = this.#command!;
    try {
      const { module, read } = placeCounter(WebAssembly);
      this.#command = { ...last, module, serial: last.serial + 1 };
      this.#use(read);
    } catch (error) {
      // Memory may be short. The threads have Node's clock.
      if (!(error instanceof PlacingRefused)) throw error;
      this.#placedAt = performance.now();
      this.lost(last.serial);
      return;
    }
    this.#replaced();
  }

  #use(read: () => number): void {
    const { serial, isChosen } = this.#command!;
    const conversions = this.#conversions!;
    this.#placedAt = performance.now();
    conversions.readBy(read, () => this.lost(serial));
    if (conversions.renew() >= 0 && isChosen) useCycleCounter(read, conversions);
  }

  /** Why there is no clock `x86-tsc`, in words; undefined: there is. */
  get noTimeStamps(): string | undefined {
    if (process.arch !== 'x64') return 'Only x86-64 has that time stamp counter';
    return this.refused === undefined ? undefined : `JavaScript cannot read the time stamp counter: ${this.refused}`;
  }
}

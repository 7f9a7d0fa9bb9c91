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
import { CounterRefused, placeCounter } from '../cycles/place-counter.js';
import type { WasmApi } from '../machine-code/wasm-function.js';
import type { ThreadCommand } from '../shared/protocol.js';

/** The command by which a thread reads the counter. */
type CyclesCommand = Omit<Extract<ThreadCommand, { readonly type: 'cycles' }>, 'seq'>;

const { WebAssembly } = globalThis as { readonly WebAssembly?: WasmApi };

/** The least time in which the rate of the counter is measured at first, in nanoseconds. */
const FIRST_SPAN = 2e6;

/** The processor's cycle counter, which the control thread finds when something is first recorded, for all threads. */
export class ProcessCycles {
  /** What lets a thread read it; undefined: it cannot be read. */
  readonly command: CyclesCommand | undefined;
  /** The counter as a clock of the control thread's. */
  readonly counts: ClockReading | undefined;
  /** Why the counter cannot be read, in words; undefined: it can. */
  readonly refused: string | undefined;
  /** Why the trace clock is not made from it, in words; undefined: it is. */
  readonly notChosen: string | undefined;

  /**
   * Blocks for some milliseconds, until the rate of the counter is known.
   * @param mayWrite whether the process's memory may be written
   */
  constructor(mayWrite = true) {
    try {
      const why = mayWrite ? whyNoClock() : 'the permission model forbids to write /proc/self/mem';
      if (why !== undefined) throw new CounterRefused(why);
      const { module, read } = placeCounter(WebAssembly);
      const monotonic = hrtimeClock();
      const first = readFirst(read, monotonic);
      this.notChosen = whyNoGain(read, monotonic);
      while (monotonic() < first.ns + FIRST_SPAN);
      const memory = createConversions();
      const conversions = new Conversions(memory, read);
      conversions.begin(first);
      conversions.renew();
      this.counts = conversions.counts;
      this.command = { type: 'cycles', module, conversions: memory, isChosen: this.notChosen === undefined };
      if (this.notChosen === undefined) useCycleCounter(read, conversions);
    } catch (error) {
      if (!(error instanceof CounterRefused)) throw error;
      this.refused = error.message;
      this.notChosen = error.message;
    }
  }

  /** Why there is no clock `x86-tsc`, in words; undefined: there is. */
  get noTimeStamps(): string | undefined {
    if (process.arch !== 'x64') return 'Only x86-64 has that time stamp counter';
    return this.refused === undefined ? undefined : `JavaScript cannot read the time stamp counter: ${this.refused}`;
  }
}

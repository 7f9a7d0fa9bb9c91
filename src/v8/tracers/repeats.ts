import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { TEXT_HIGH } from '../text-region.js';
import { lost } from './lost.js';
import { HIGH_HALF } from './record-layout.js';
import type { ThreadTrace, TraceOutput } from './thread-trace.js';

/** The most repeats in a record; then the call is recorded again. */
const MAX_COUNT = 0xffff;
const REPEATS_BYTES = 32;

/**
 * func-no-repeats: a call of the same function from the same place as the call before is only counted; the count is
 * recorded before the next other call (kernel/trace/trace_functions.c).
 */
export class Repeats {
  readonly #ctx: ThreadTrace;
  readonly #output: TraceOutput;
  #ip = -1;
  #parent = -1;
  #count = 0;
  #last = 0;

  constructor(ctx: ThreadTrace, output: TraceOutput) {
    this.#ctx = ctx;
    this.#output = output;
  }

  /**
   * Handles a call. Returns true if it is a repeat, which must not be recorded; else the
   * previous count has been recorded.
   */
  fold(ip: number, parent: number, now: number): boolean {
    if (ip === this.#ip && parent === this.#parent && this.#count < MAX_COUNT) {
      this.#last = now;
      this.#count++;
      return true;
    }
    if (this.#count !== 0) this.#write(now);
    this.#count = 0;
    this.#ip = ip;
    this.#parent = parent;
    return false;
  }

  #write(now: number): void {
    const { writer } = this.#output;
    const at = writer.reserve(REPEATS_BYTES, now);
    if (at < 0) {
      lost(this.#ctx);
      return;
    }
    const { u32 } = writer;
    const delta = now - this.#last;
    u32[at] = FTRACE_EVENTS.func_repeats.id;
    u32[at + 1] = this.#ctx.pid;
    u32[at + 2] = this.#ip;
    u32[at + 3] = TEXT_HIGH;
    u32[at + 4] = this.#parent;
    u32[at + 5] = this.#parent === 0 ? 0 : TEXT_HIGH;
    u32[at + 6] = ((delta * HIGH_HALF) << 16) | this.#count;
    u32[at + 7] = delta;
    writer.commit();
  }
}

import { TraceError } from '../../base/errno.js';
import type { NativeSite, ReturnSlot, SiteForm, SiteUse } from './site.js';

/** A function's first instructions, on any machine: armed, a jump takes their place, and they run as a part of `body`. */
export abstract class MovedSite implements NativeSite {
  readonly form: SiteForm = 'jump';
  readonly returnSlot: ReturnSlot = 'top';
  readonly hasArguments = true;
  readonly address: number;
  readonly compiled: Uint8Array;
  /** How many of its bytes are instructions: behind them there is only what fills the space between functions. */
  readonly moved: number;

  constructor(address: number, compiled: Uint8Array, moved = compiled.length) {
    this.address = address;
    this.compiled = compiled;
    this.moved = moved;
  }

  get nop(): Uint8Array {
    return this.compiled;
  }

  get resume(): number {
    return this.address + this.compiled.length;
  }

  armed(target: number, use: SiteUse): Uint8Array {
    if (use === 'call') throw new TraceError('EINVAL', 'a function without a site is reached by a jump');
    return this.jumpTo(target);
  }

  /** The bytes of the site that jumps to a target. Throws ERANGE if that is too far away. */
  protected abstract jumpTo(target: number): Uint8Array;
  abstract body(at: number): Uint8Array;
}

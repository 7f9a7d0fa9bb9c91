import { TraceError } from '../../base/errno.js';
import type { SiteTable } from '../elf/site-tables.js';

/**
 * A patch site in native text: bytes that are a NOP, or a call or jump. What they are in each state is computed from the object's
 * own file; nothing of it depends on what the process has there now.
 */

/** How a site came to be. */
export type SiteForm =
  /** NOPs that were compiled into the function's start: -fpatchable-function-entry, -mnop-mcount, hand-made. */
  | 'nop'
  /** A call of __fentry__, the function's first instruction. */
  | 'fentry'
  /** A call of mcount, after the prologue. */
  | 'mcount'
  /** XRay's place at the function's entry: a jump over NOPs. */
  | 'xray'
  /** The function's first instructions: a jump takes their place, and they run elsewhere. */
  | 'jump';

/** Where the function's return address lies when its site is reached. */
export type ReturnSlot =
  /** On top of the stack (arm64: in x30): nothing of the function has run. */
  | 'top'
  /** In the frame that the frame pointer points to: rbp + 8 (arm64: x29 + 8, and it is known how the frame was built). */
  | 'frame'
  /**
   * Not at a known place: the stack was aligned anew. rbp + 8 has a copy (arm64: x29 + 8 has it, but not how the frame was
   * built).
   */
  | 'copy';

/** A frame of arm64, as a function has built it before it calls `_mcount`. */
export interface BuiltFrame {
  /** From the frame pointer up to where the stack pointer was at the function's entry. */
  readonly bytes: number;
  /** The key with which the return address in it is signed; absent: it is not. */
  readonly key?: 'a' | 'b' | undefined;
}

/** What an armed site does: call its target and go on after itself, or jump to a target that goes on at `resume`. */
export type SiteUse = 'call' | 'jump';

export interface NativeSite {
  /** The address of its first byte, in the process. */
  readonly address: number;
  readonly form: SiteForm;
  /** The object's table that lists it, if any does. */
  readonly table?: SiteTable | undefined;
  /** The bytes in the file. */
  readonly compiled: Uint8Array;
  /** The idle site: as many bytes. For `jump` the bytes as compiled. */
  readonly nop: Uint8Array;
  readonly returnSlot: ReturnSlot;
  /** When the site is reached, arguments are where the function's callers have put them. */
  readonly hasArguments: boolean;
  /** arm64, `frame`: how to find it again. */
  readonly frame?: BuiltFrame | undefined;
  /** Where the function goes on after the site. */
  readonly resume: number;
  /** The address of the live patch's handler that goes on in the function's place. */
  readonly handler?: number;
  /** The bytes of the site that calls or jumps to a target. Throws ERANGE if that is too far away. */
  armed(target: number, use: SiteUse): Uint8Array;
  /**
   * The code that goes on with the function, for memory at an address: instructions that the site took the place of, and a jump
   * to `resume`. Throws ERANGE if that is too far away.
   */
  body(at: number): Uint8Array;
}

/** A site that the compiler has left, on any machine: what is left to each is how its bytes look. */
export abstract class CompiledSite implements NativeSite {
  readonly address: number;
  readonly form: SiteForm;
  readonly table: SiteTable | undefined;
  readonly compiled: Uint8Array;
  readonly returnSlot: ReturnSlot;
  readonly frame: BuiltFrame | undefined;

  constructor(site: Pick<NativeSite, 'address' | 'form' | 'table' | 'compiled' | 'returnSlot' | 'frame'>) {
    this.address = site.address;
    this.form = site.form;
    this.table = site.table;
    this.compiled = site.compiled;
    this.returnSlot = site.returnSlot;
    this.frame = site.frame;
  }

  get resume(): number {
    return this.address + this.compiled.length;
  }

  get hasArguments(): boolean {
    return true;
  }

  abstract get nop(): Uint8Array;
  abstract armed(target: number, use: SiteUse): Uint8Array;
  abstract body(at: number): Uint8Array;
}

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

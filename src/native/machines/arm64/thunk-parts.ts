import type { PortableAssembler as MachineAssembler } from '../../machine/assembler.js';
import { Label } from '../../machine/operands.js';
import type { ParentPlace, SlotPlace, Thunk, ThunkFunction } from '../../machine/thunk.js';
import type { BuiltFrame } from '../../text/site.js';
import type { Assembler } from './assembler.js';
import { NOP } from './encode.js';
import * as i from './instructions.js';
import { load, loadNumber, store } from './short-forms.js';

/** What thunks are made of. */

export const WORD = 8;
/**
 * What a site has put the return address into before it called its thunk; where a call and a jump leave it; what stubs of the
 * linker may change.
 */
export const [SAVED_LINK, LINK, SCRATCH, NUMBER, FRAME_POINTER] = [9, 30, 16, 17, 29];

/** Bytes from the address to which a followed call's entry returns in its thunk to where the function returns. */
export const EXIT_DISTANCE: Readonly<Record<SlotPlace, number>> = { 'on the stack': 16, 'in the frame': 36 };

export const parentOf = ({ site }: ThunkFunction, use: Thunk['use']): ParentPlace =>
  site.returnSlot !== 'top' ? 'in the frame' : use === 'jump' ? 'behind a jump' : 'behind a call';

export const words = (code: MachineAssembler, ...all: readonly number[]): void => (code as Assembler).words(...all);

/** Puts the number and the return address on the stack and calls an entry. */
export function emitCall(
  code: MachineAssembler,
  { n, site }: Pick<ThunkFunction, 'n' | 'site'>,
  use: Thunk['use'],
  entry: number,
): void {
  emitNumber(code, n);
  const link = use === 'call' && site.returnSlot === 'top' ? SAVED_LINK : LINK;
  words(code, i.pair('stp!', NUMBER, link, i.SP, -2 * WORD));
  (code as Assembler).link(entry);
}

export function emitNumber(code: MachineAssembler, n: number): void {
  words(code, i.movePart('movz', 32, NUMBER, 0, n & 0xffff));
  if (n > 0xffff) words(code, i.movePart('movk', 32, NUMBER, 1, n >>> 16));
}

/** Takes both off the stack. */
export function emitTake(code: MachineAssembler, link: number): void {
  words(code, i.pair('ldp+', NUMBER, link, i.SP, 2 * WORD));
}

export function emitAddress(code: MachineAssembler, register: number, address: number): void {
  words(code, i.pageOf(register, code.here, address), i.addImmediate('add', 64, register, register, address % 4096));
}

/** Goes on with the function, whose return address is in lr. */
export function emitGoOn(code: MachineAssembler, { site, goesOn }: ThunkFunction, use: Thunk['use']): void {
  if (use === 'jump') {
    emitTake(code, LINK);
    code.jmp(goesOn);
  } else if (site.returnSlot === 'top') {
    // A return, for the sake of the processor, which has seen a call.
    emitAddress(code, SCRATCH, site.resume);
    emitTake(code, LINK);
    words(code, i.branchTo('ret', SCRATCH));
  } else {
    emitTake(code, LINK);
    code.ret();
  }
}

/** Calls what follows a call, and goes on with the function, up to where it returns. */
export function emitFollowed(code: MachineAssembler, graphEntry: number, one: ThunkFunction): void {
  emitCall(code, one, 'jump', graphEntry);
  const returned = code.here;
  emitTake(code, LINK);
  const followed = new Label();
  code.jump('ae', followed);
  code.jmp(one.goesOn);
  code.bind(followed);
  // The call puts the exit where the return address was: calls and returns stay paired.
  (code as Assembler).link(one.goesOn);
  if (code.here - returned !== EXIT_DISTANCE['on the stack']) throw new Error('a thunk of another form');
}

/**
 * Emits what follows a function that has built its frame and calls `_mcount`. The call's place is the one that it had at its
 * entry, as for all others: above the frame, where something else is now. So it is on the stack twice: the call's place, and its
 * return address without a signature.
 */
export function emitFollowedInFrame(
  code: MachineAssembler,
  graphEntry: number,
  { n }: Pick<ThunkFunction, 'n'>,
  { bytes, key }: BuiltFrame,
): void {
  const [place, value] = [SCRATCH, NUMBER];
  if (i.isAddImmediate(bytes - WORD)) words(code, i.addImmediate('add', 64, place, FRAME_POINTER, bytes - WORD));
  else words(code, ...loadNumber(place, bytes - WORD), i.registers('add', 64, place, FRAME_POINTER, place));
  words(code, i.pair('stp!', LINK, place, i.SP, -2 * WORD));
  words(code, load(place, FRAME_POINTER, WORD), i.bitfield('ubfm', 64, place, place, 0, 47));
  emitNumber(code, n);
  words(code, i.pair('stp!', NUMBER, place, i.SP, -2 * WORD));
  (code as Assembler).link(graphEntry);
  const returned = code.here;
  const unfollowed = new Label();
  words(code, load(value, i.SP, WORD));
  code.jump('b', unfollowed);
  words(code, i.addressOf(value, returned + EXIT_DISTANCE['in the frame'] - code.here));
  code.bind(unfollowed);
  words(code, i.pair('ldp', LINK, place, i.SP, 2 * WORD), i.addImmediate('add', 64, i.SP, i.SP, 4 * WORD));
  words(code, i.addImmediate('add', 64, place, place, WORD), key === undefined ? NOP : i.SIGN[key]);
  words(code, store(value, FRAME_POINTER, WORD));
  code.ret();
  if (code.here - returned !== EXIT_DISTANCE['in the frame']) throw new Error('a thunk of another form');
}

/** Where a function has returned to: its address says which call that was. */
export function emitExitAddress(code: MachineAssembler): void {
  words(code, i.addressOf(LINK, 0));
}

import type { Assembler as MachineAssembler } from '../machine/assembler.js';
import type { Machine, ParentPlace, Thunk, ThunkEntries, ThunkFunction } from '../machine/machine.js';
import { Label } from '../machine/operands.js';
import type { BuiltFrame } from '../text/site.js';
import { Assembler } from './assembler.js';
import { NOP } from './encode.js';
import * as i from './instructions.js';
import { load, loadNumber, store } from './short-forms.js';

const WORD = 8;
/** What a site has put the return address into before it called its thunk; where a call and a jump leave it; what stubs of the linker may change. */
const [SAVED_LINK, LINK, SCRATCH, NUMBER, FRAME_POINTER] = [9, 30, 16, 17, 29];

/**
 * What is emitted for arm64. A thunk puts the function's number on the stack, and above it the return address of the function, as if a call had put it
 * there: at the entry nothing of the function's own is on the stack. By that place, below the function's frame, function_graph knows the call.
 */
export const ARM64: Machine = {
  name: 'arm64',
  clockShift: new Assembler().clockShift,
  returnAbove: { call: WORD, jump: WORD },
  exitDistance: { 'on the stack': 16, 'in the frame': 36 },
  hasLinkRegister: true,
  frameWords: { place: 3 * WORD, returnAddress: WORD },
  dwarf: { stackPointer: 31, returnAddress: LINK },
  hasProbes: false,
  hasEntryArguments: false,
  assembler: (address) => new Assembler(address),
  functionThunk(code, entries, one) {
    const { site } = one;
    const address = code.here;
    const use = site.form === 'jump' ? 'jump' : 'call';
    emitCall(code, one, use, entries.functionEntry[parentOf(one, use)]);
    emitGoOn(code, one, use);
    return { address, use };
  },
  graphThunk,
  listThunk(code, entries, one, next) {
    const use = next?.use ?? (one.site.form === 'jump' ? 'jump' : 'call');
    emitCall(code, one, use, entries.listEntry[parentOf(one, use)]);
    if (next === undefined && one.site.form === 'jump') {
      emitTake(code, LINK);
      code.append(one.site.body(code.here));
    } else if (next === undefined) emitGoOn(code, one, use);
    else {
      const isCalled = use === 'call' && one.site.returnSlot === 'top';
      emitTake(code, isCalled ? SAVED_LINK : LINK);
      if (isCalled) emitAddress(code, LINK, one.site.resume);
      code.jmp(next.address);
    }
  },
};

const parentOf = ({ site }: ThunkFunction, use: Thunk['use']): ParentPlace =>
  site.returnSlot !== 'top' ? 'in the frame' : use === 'jump' ? 'behind a jump' : 'behind a call';

const words = (code: MachineAssembler, ...all: readonly number[]): void => (code as Assembler).words(...all);

/** Puts the number and the return address on the stack and calls an entry. */
function emitCall(code: MachineAssembler, { n, site }: ThunkFunction, use: Thunk['use'], entry: number): void {
  emitNumber(code, n);
  const link = use === 'call' && site.returnSlot === 'top' ? SAVED_LINK : LINK;
  words(code, i.pair('stp!', NUMBER, link, i.SP, -2 * WORD));
  (code as Assembler).link(entry);
}

function emitNumber(code: MachineAssembler, n: number): void {
  words(code, i.movePart('movz', 32, NUMBER, 0, n & 0xffff));
  if (n > 0xffff) words(code, i.movePart('movk', 32, NUMBER, 1, n >>> 16));
}

/** Takes both off the stack. */
function emitTake(code: MachineAssembler, link: number): void {
  words(code, i.pair('ldp+', NUMBER, link, i.SP, 2 * WORD));
}

function emitAddress(code: MachineAssembler, register: number, address: number): void {
  words(code, i.pageOf(register, code.here, address), i.addImmediate('add', 64, register, register, address % 4096));
}

/** Goes on with the function, whose return address is in lr. */
function emitGoOn(code: MachineAssembler, { site, goesOn }: ThunkFunction, use: Thunk['use']): void {
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

/**
 * The thunk of a function that has built its frame and calls `_mcount`. The call's place is the one that it had at its entry, as for all others:
 * above the frame, where something else is now. So it is on the stack twice: the call's place, and its return address without a signature.
 */
function frameThunk(code: MachineAssembler, entries: ThunkEntries, { n }: ThunkFunction, { bytes, key }: BuiltFrame): Thunk {
  const address = code.here;
  const [place, value] = [SCRATCH, NUMBER];
  if (i.isAddImmediate(bytes - WORD)) words(code, i.addImmediate('add', 64, place, FRAME_POINTER, bytes - WORD));
  else words(code, ...loadNumber(place, bytes - WORD), i.registers('add', 64, place, FRAME_POINTER, place));
  words(code, i.pair('stp!', LINK, place, i.SP, -2 * WORD));
  words(code, load(place, FRAME_POINTER, WORD), i.bitfield('ubfm', 64, place, place, 0, 47));
  emitNumber(code, n);
  words(code, i.pair('stp!', NUMBER, place, i.SP, -2 * WORD));
  (code as Assembler).link(entries.graphEntry['in the frame']);
  const returned = code.here;
  const unfollowed = new Label();
  words(code, load(value, i.SP, WORD));
  code.jump('b', unfollowed);
  words(code, i.addressOf(value, returned + ARM64.exitDistance['in the frame'] - code.here));
  code.bind(unfollowed);
  words(code, i.pair('ldp', LINK, place, i.SP, 2 * WORD), i.addImmediate('add', 64, i.SP, i.SP, 4 * WORD));
  words(code, i.addImmediate('add', 64, place, place, WORD), key === undefined ? NOP : i.SIGN[key]);
  words(code, store(value, FRAME_POINTER, WORD));
  code.ret();
  if (code.here - returned !== ARM64.exitDistance['in the frame']) throw new Error('a thunk of another form');
  emitExit(code, entries);
  return { address, use: 'call' };
}

/** Where a function has returned to: its address says which call that was. */
function emitExit(code: MachineAssembler, { graphExit }: ThunkEntries): void {
  words(code, i.addressOf(LINK, 0));
  code.jmp(graphExit);
}

function graphThunk(code: MachineAssembler, entries: ThunkEntries, one: ThunkFunction): Thunk | undefined {
  const { site, goesOn } = one;
  if (site.returnSlot !== 'top') return site.frame === undefined ? undefined : frameThunk(code, entries, one, site.frame);
  const address = code.here;
  emitCall(code, one, 'jump', entries.graphEntry['on the stack']);
  const returned = code.here;
  emitTake(code, LINK);
  const followed = new Label();
  code.jump('ae', followed);
  code.jmp(goesOn);
  code.bind(followed);
  // The call puts the exit where the return address was: calls and returns stay paired.
  (code as Assembler).link(goesOn);
  if (code.here - returned !== ARM64.exitDistance['on the stack']) throw new Error('a thunk of another form');
  emitExit(code, entries);
  return { address, use: 'jump' };
}

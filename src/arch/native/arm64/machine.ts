import type { Assembler as MachineAssembler } from '../machine/assembler.js';
import type { Machine, ParentPlace, Thunk, ThunkEntries, ThunkFunction } from '../machine/machine.js';
import { Label } from '../machine/operands.js';
import { Assembler } from './assembler.js';
import * as i from './instructions.js';

const WORD = 8;
/** What a site has put the return address into before it called its thunk; where a call and a jump leave it; what stubs of the linker may change. */
const [SAVED_LINK, LINK, SCRATCH, NUMBER] = [9, 30, 16, 17];

/**
 * What is emitted for arm64. A thunk puts the function's number on the stack, and above it the return address of the function, as if a call had put it
 * there: at the entry nothing of the function's own is on the stack. By that place, below the function's frame, function_graph knows the call.
 */
export const ARM64: Machine = {
  name: 'arm64',
  clockShift: new Assembler().clockShift,
  returnAbove: { call: WORD, jump: WORD },
  exitDistance: { 'on the stack': 16, 'in the frame': 8 },
  hasLinkRegister: true,
  dwarf: { stackPointer: 31, returnAddress: LINK },
  hasProbes: false,
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
  words(code, i.movePart('movz', 32, NUMBER, 0, n & 0xffff));
  if (n > 0xffff) words(code, i.movePart('movk', 32, NUMBER, 1, n >>> 16));
  const link = use === 'call' && site.returnSlot === 'top' ? SAVED_LINK : LINK;
  words(code, i.pair('stp!', NUMBER, link, i.SP, -2 * WORD));
  (code as Assembler).link(entry);
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

function graphThunk(code: MachineAssembler, entries: ThunkEntries, one: ThunkFunction): Thunk | undefined {
  const { site, goesOn } = one;
  // At the end of a function that has built its frame, nothing says where that was.
  if (site.returnSlot !== 'top') return undefined;
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
  words(code, i.addressOf(LINK, 0));
  code.jmp(entries.graphExit);
  return { address, use: 'jump' };
}

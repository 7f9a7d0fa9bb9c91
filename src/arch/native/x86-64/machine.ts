import type { Assembler as MachineAssembler } from '../machine/assembler.js';
import type { Machine, ParentPlace, SlotPlace, Thunk, ThunkEntries, ThunkFunction } from '../machine/machine.js';
import { mem } from '../machine/operands.js';
import { Assembler } from './assembler.js';
import { RSP } from './registers.js';

const WORD = 8;

/** What is emitted for x86-64. A thunk pushes the function's number; above it is what was on the stack when the site was reached. */
export const X86_64: Machine = {
  name: 'x86-64',
  clockShift: new Assembler().clockShift,
  returnAbove: { call: 2 * WORD, jump: WORD },
  exitDistance: { 'on the stack': 16, 'in the frame': 1 },
  hasLinkRegister: false,
  dwarf: { stackPointer: 7, returnAddress: 16 },
  hasProbes: true,
  hasEntryArguments: true,
  assembler: (address) => new Assembler(address),
  functionThunk,
  graphThunk,
  listThunk,
};

function functionThunk(code: MachineAssembler, entries: ThunkEntries, one: ThunkFunction): Thunk {
  const { site, goesOn } = one;
  const address = code.here;
  const use = site.form === 'jump' ? 'jump' : 'call';
  emitCall(code, one, entries.functionEntry[parentOf(one, use)]);
  if (use === 'call') code.ret();
  else code.jmp(goesOn);
  return { address, use };
}

const parentOf = ({ site }: ThunkFunction, use: Thunk['use']): ParentPlace =>
  site.returnSlot !== 'top' ? 'in the frame' : use === 'jump' ? 'behind a jump' : 'behind a call';

function emitCall(code: MachineAssembler, { n }: ThunkFunction, entry: number): void {
  (code as Assembler).push(n);
  code.call(entry);
}

function graphThunk(code: MachineAssembler, entries: ThunkEntries, one: ThunkFunction): Thunk | undefined {
  const { n, site, goesOn } = one;
  if (site.returnSlot === 'copy') return undefined;
  const place: SlotPlace = site.returnSlot === 'top' ? 'on the stack' : 'in the frame';
  const address = code.here;
  emitCall(code, one, entries.graphEntry[place]);
  const returned = code.here;
  const use = place === 'on the stack' || site.form === 'jump' ? 'jump' : 'call';
  if (place === 'on the stack') {
    code.jump('b', goesOn);
    // The call puts the exit where the return address was: calls and returns stay paired.
    code.lea(RSP, mem(RSP, WORD));
    code.call(goesOn);
  } else if (use === 'call') code.ret();
  else throw new Error(`function ${n}: a jump in the midst of a function, which has built its frame`);
  if (code.here - returned !== X86_64.exitDistance[place]) throw new Error('a thunk of another form');
  code.jmp(entries.graphExit);
  return { address, use };
}

function listThunk(code: MachineAssembler, entries: ThunkEntries, one: ThunkFunction, next?: Thunk): void {
  const use = next?.use ?? (one.site.form === 'jump' ? 'jump' : 'call');
  emitCall(code, one, entries.listEntry[parentOf(one, use)]);
  if (next !== undefined) code.jmp(next.address);
  else if (use === 'call') code.ret();
  else code.append(one.site.body(code.here));
}

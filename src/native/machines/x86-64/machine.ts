import type { PortableAssembler as MachineAssembler } from '../../machine/assembler.js';
import type { Machine } from '../../machine/machine.js';
import type { ParentPlace, SlotPlace, Thunk, ThunkEntries, ThunkFunction } from '../../machine/thunk.js';
import * as argumentRegisters from './argument-registers.js';
import { Assembler } from './assembler.js';
import { SiteFinder } from './find-site.js';
import { JumpSite } from './jump.js';
import { JumpFinder } from './jump-finder.js';
import { listing } from './listing.js';
import { PROBES } from './probe-machine.js';
import * as places from './probe-places.js';
import { CallSite, leftParts } from './site.js';
import { stubNames } from './stubs.js';
import { EXIT_DISTANCE, emitCall, emitFollowed } from './thunk-parts.js';
import { traps } from './traps.js';

const WORD = 8;

/**
 * What is emitted for x86-64. A thunk pushes the function's number; above it is what was on the stack when the site was reached.
 */
export const X86_64: Machine = {
  name: 'x86-64',
  sites: {
    ...{ SiteFinder, JumpFinder, JumpSite, CallSite, stubNames },
    // A direct call.
    endsWithCall: (elf, end) => elf.at(end - 5, 1)?.[0] === 0xe8,
  },
  places,
  debug: argumentRegisters,
  leftParts,
  traps,
  listing,
  hasTimeStamp: true,
  clockShift: new Assembler().clockShift,
  returnAbove: { call: 2 * WORD, jump: WORD },
  exitDistance: EXIT_DISTANCE,
  hasLinkRegister: false,
  // mov $15, %rax; the first byte of syscall.
  dwarf: { stackPointer: 7, returnAddress: 16, signalReturn: [0x0fc0c748, 0x0f000000] },
  probes: PROBES,
  assembler: (address) => new Assembler(address),
  functionThunk,
  graphThunk,
  listThunk,
};

function functionThunk(code: MachineAssembler, entries: ThunkEntries, one: ThunkFunction): Thunk {
  const { site, goesOn } = one;
  const address = code.here;
  const use = site.form === 'jump' ? 'jump' : 'call';
  emitCall(code as Assembler, one.n, entries.functionEntry[parentOf(one, use)]);
  if (use === 'call') code.ret();
  else code.jmp(goesOn);
  return { address, use };
}

const parentOf = ({ site }: ThunkFunction, use: Thunk['use']): ParentPlace =>
  site.returnSlot !== 'top' ? 'in the frame' : use === 'jump' ? 'behind a jump' : 'behind a call';

function graphThunk(code: MachineAssembler, entries: ThunkEntries, one: ThunkFunction): Thunk | undefined {
  const { n, site, goesOn } = one;
  if (site.returnSlot === 'copy') return undefined;
  const place: SlotPlace = site.returnSlot === 'top' ? 'on the stack' : 'in the frame';
  const address = code.here;
  const use = place === 'on the stack' || site.form === 'jump' ? 'jump' : 'call';
  if (place === 'in the frame' && use === 'jump')
    throw new Error(`function ${n}: a jump in the midst of a function, which has built its frame`);
  emitCall(code as Assembler, n, entries.graphEntry[place]);
  emitFollowed(code as Assembler, place, goesOn);
  code.jmp(entries.graphExit);
  return { address, use };
}

function listThunk(code: MachineAssembler, entries: ThunkEntries, one: ThunkFunction, next?: Thunk): void {
  const use = next?.use ?? (one.site.form === 'jump' ? 'jump' : 'call');
  emitCall(code as Assembler, one.n, entries.listEntry[parentOf(one, use)]);
  if (next !== undefined) code.jmp(next.address);
  else if (use === 'call') code.ret();
  else code.append(one.site.body(code.here));
}

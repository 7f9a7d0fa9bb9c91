import type { PortableAssembler as MachineAssembler } from '../../machine/assembler.js';
import type { Machine } from '../../machine/machine.js';
import type { Thunk, ThunkEntries, ThunkFunction } from '../../machine/thunk.js';
import * as argumentRegisters from './argument-registers.js';
import { Assembler } from './assembler.js';
import { isCall, isIndirectCall } from './encode.js';
import { SiteFinder } from './find-site.js';
import { JumpFinder, JumpSite } from './jump-finder.js';
import { listing } from './listing.js';
import { PROBES } from './probe-machine.js';
import * as places from './probe-places.js';
import { CallSite, leftParts } from './site.js';
import { stubNames } from './stubs.js';
import {
  EXIT_DISTANCE,
  emitAddress,
  emitCall,
  emitExitAddress,
  emitFollowed,
  emitFollowedInFrame,
  emitGoOn,
  emitTake,
  LINK,
  parentOf,
  SAVED_LINK,
  WORD,
} from './thunk-parts.js';

/**
 * What is emitted for arm64. A thunk puts the function's number on the stack, and above it the return address of the function, as
 * if a call had put it there: at the entry nothing of the function's own is on the stack. By that place, below the function's
 * frame, function_graph knows the call.
 */
export const ARM64: Machine = {
  name: 'arm64',
  sites: {
    ...{ SiteFinder, JumpFinder, JumpSite, CallSite, stubNames },
    endsWithCall(elf, end) {
      const word = elf.at(end - 4, 4)?.readUInt32LE() ?? 0;
      return isCall(word) || isIndirectCall(word);
    },
  },
  places,
  debug: argumentRegisters,
  leftParts,
  listing,
  hasTimeStamp: false,
  clockShift: new Assembler().clockShift,
  returnAbove: { call: WORD, jump: WORD },
  exitDistance: EXIT_DISTANCE,
  hasLinkRegister: true,
  frameWords: { place: 3 * WORD, returnAddress: WORD },
  // mov x8, #139; svc #0.
  dwarf: { stackPointer: 31, returnAddress: LINK, signalReturn: [0xd2801168, 0xd4000001] },
  probes: PROBES,
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

function graphThunk(code: MachineAssembler, entries: ThunkEntries, one: ThunkFunction): Thunk | undefined {
  const { returnSlot, frame } = one.site;
  const { graphEntry, graphExit } = entries;
  if (returnSlot !== 'top' && frame === undefined) return undefined;
  const address = code.here;
  if (frame === undefined) emitFollowed(code, graphEntry['on the stack'], one);
  else emitFollowedInFrame(code, graphEntry['in the frame'], one, frame);
  emitExitAddress(code);
  code.jmp(graphExit);
  return { address, use: frame === undefined ? 'jump' : 'call' };
}

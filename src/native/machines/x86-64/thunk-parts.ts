import { type Label, mem } from '../../machine/operands.js';
import type { SlotPlace } from '../../machine/thunk.js';
import { Assembler } from './assembler.js';
import { RSP } from './registers.js';

const WORD = 8;

/** Bytes from the address to which a followed call's entry returns in its thunk to where the function returns. */
export const EXIT_DISTANCE: Readonly<Record<SlotPlace, number>> = { 'on the stack': 16, 'in the frame': 1 };

/** lea 8(%rsp), %rsp, which changes no flags: thunks are many, and it is the same in all of them. */
const DROP_WORD = dropWord();

function dropWord(): Uint8Array {
  const code = new Assembler();
  code.lea(RSP, mem(RSP, WORD));
  return code.finish();
}

/** Pushes a number and calls an entry, which removes it. */
export function emitCall(code: Assembler, n: number, entry: number): void {
  code.push(n);
  code.call(entry);
}

/** What follows the entry of a followed call, up to where its function returns. */
export function emitFollowed(code: Assembler, place: SlotPlace, goesOn: Label | number): void {
  const start = code.here;
  if (place === 'on the stack') {
    code.jump('b', goesOn);
    // The call puts the exit where the return address was: calls and returns stay paired.
    code.append(DROP_WORD);
    code.call(goesOn);
  } else code.ret();
  if (code.here - start !== EXIT_DISTANCE[place]) throw new Error('a thunk of another form');
}

import type { PortableAssembler } from '../machine/assembler.js';
import { type Label, mem, type Register, SCRATCH0, VALUE } from '../machine/operands.js';
import { SHARED } from './arena.js';
import { THREAD_WORDS } from './thread-words.js';

/** Gives registers back what was pushed of them, in this order. */
export function emitRestore(code: PortableAssembler, saved: readonly Register[]): void {
  for (const register of saved.toReversed()) code.pop(register);
}

/** Counts a call of a thread that has no block. SCRATCH0 is the arena; VALUE is lost. */
export function emitCountUnblocked(code: PortableAssembler): void {
  code.mov(VALUE, mem(SCRATCH0, SHARED.THREAD_WORDS));
  code.lockArithmetic('add', mem(VALUE, THREAD_WORDS.UNBLOCKED), 1);
}

/** Where a thread without a block goes: its call is counted, and it goes on at `skip`. SCRATCH0 is the arena. */
export const unblockedAside = (code: PortableAssembler, skip: Label): Label =>
  code.aside(() => {
    emitCountUnblocked(code);
    code.jmp(skip);
  });

/** Ends what a thunk calls with a number on the stack, which is removed. `unblocked`: the thread has no block. */
export function emitTrampolineEnd(
  code: PortableAssembler,
  saved: readonly Register[],
  { leave, unblocked }: { readonly leave: Label; readonly unblocked: Label },
): void {
  code.bind(leave);
  code.leave(saved);
  code.bind(unblocked);
  emitCountUnblocked(code);
  code.jmp(leave);
  code.emitAsides();
}

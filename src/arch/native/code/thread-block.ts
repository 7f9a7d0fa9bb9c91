import type { Assembler } from '../machine/assembler.js';
import { indexed, Label, mem, R8, R9, R10, R11, R12, RAX, RBX, RCX, RDI, RDX, RSI, RSP } from '../machine/operands.js';
import { type ArenaLayout, BLOCK, MOST_PROBES, READY_SLOTS, SHARED, THREAD_ENTRIES, THREAD_ENTRY } from './arena.js';
import { emitRestore } from './trampoline-end.js';

/** 2^32 divided by the golden ratio, as a number with a sign: spreads thread pointers, whose low bits are alike. */
const SPREAD = 0x9e3779b1 | 0;
const ENTRY_SHIFT = Math.log2(THREAD_ENTRY.BYTES);
/** The product's bits from 32 on are the number of the entry: the thread pointers' bits from 12 on have their part in them. */
const HASH_SHIFT = 32 - ENTRY_SHIFT;
const OFFSET_MASK = (THREAD_ENTRIES - 1) << ENTRY_SHIFT;

/** Bytes of a thread's stack that are sure to be its own, unless it was given a small one. */
const NEAR_STACK = 0x20000;

/** What a function must keep, and what `emitBind` uses of it; what its arguments are. */
const BIND_SAVED = [RBX, R12];
const BIND_ARGUMENTS = [
  [BLOCK.JS_STATE, RSI],
  [BLOCK.JS_FUNCTIONS, RDX],
  [BLOCK.JS_CALLTIMES, RCX],
  [BLOCK.JS_WANTS, R8],
] as const;

/** What the code of a process depends on. */
export interface ThreadOptions {
  readonly layout: ArenaLayout;
  /**
   * Bytes from the thread pointer to the word in which the C library has the thread's id. Without it a thread that has the memory of
   * one that has ended counts as that one until the host frees the entry.
   */
  readonly tidOffset?: number | undefined;
}

/** Finds the block of the thread that runs the code: rsi, 0 if it has none. r10 is the arena. rax, rcx, rdx are lost. */
export class ThreadBlockCode {
  readonly #options: ThreadOptions;
  readonly #take = new Label();
  readonly #find = new Label();

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  emitShared(code: Assembler): void {
    code.align(16);
    code.bind(this.#take);
    this.#emitSearch(code, 'take');
    code.align(16);
    code.bind(this.#find);
    this.#emitSearch(code, 'find');
  }

  /** A thread without a block takes one; goes to `none` if there is none. */
  emitTake(code: Assembler, none: Label): void {
    const done = new Label();
    const slow = code.aside(() => {
      code.call(this.#take);
      code.test(RSI, RSI);
      code.jump('ne', done);
      code.jmp(none);
    });
    this.#emitProbe(code);
    code.jump('ne', slow);
    code.mov(RSI, indexed(R10, RCX, 1, this.#options.layout.threadTable + THREAD_ENTRY.BLOCK));
    // An entry without a block is not complete.
    code.test(RSI, RSI);
    code.jump('e', slow);
    const { tidOffset } = this.#options;
    if (tidOffset !== undefined) {
      code.threadWord(RDX, tidOffset);
      code.cmp(RDX, mem(RSI, BLOCK.TID), 32);
      code.jump('ne', slow);
    }
    code.bind(done);
  }

  /** A thread without a block gets none. The thread's id does not matter: in a forked child the block is a copy of the parent's. */
  emitFind(code: Assembler): void {
    const done = new Label();
    const slow = code.aside(() => {
      code.call(this.#find);
      code.jmp(done);
    });
    this.#emitProbe(code);
    code.jump('ne', slow);
    code.mov(RSI, indexed(R10, RCX, 1, this.#options.layout.threadTable + THREAD_ENTRY.BLOCK));
    code.bind(done);
  }

  /**
   * Emits a function: the thread that calls it gets the block in rdi, whichever it had before. rsi, rdx, rcx and r8 are the addresses of its
   * shadow stack of JavaScript: state, functions, call times, wants; all 0: it has none. Returns the block, 0 if there is no room for it.
   */
  emitBind(code: Assembler, arena: number): Label {
    const search = new Label();
    const start = code.label();
    for (const register of BIND_SAVED) code.push(register);
    code.movImmediate(R10, arena);
    for (const [offset, register] of BIND_ARGUMENTS) code.mov(mem(RDI, offset), register);
    code.mov(RSI, RDI);
    this.#emitProbe(code);
    code.call(search);
    code.mov(RAX, RSI);
    emitRestore(code, BIND_SAVED);
    code.ret();
    code.align(16);
    code.bind(search);
    this.#emitSearch(code, 'bind');
    return start;
  }

  /** rax: the thread pointer; rcx: where in the table its entry would be. Leaves the flags at "equal" if it is there. */
  #emitProbe(code: Assembler): void {
    code.threadPointer(RAX);
    code.imulBy(RCX, RAX, SPREAD);
    code.shift('shr', RCX, HASH_SHIFT);
    code.and(RCX, OFFSET_MASK, 32);
    code.cmp(indexed(R10, RCX, 1, this.#options.layout.threadTable + THREAD_ENTRY.TP), RAX);
  }

  /** In rax the thread pointer, in rcx the first entry's place in the table; out rsi, which to `bind` is the block that the thread gets. */
  #emitSearch(code: Assembler, purpose: 'find' | 'take' | 'bind'): void {
    const { layout, tidOffset } = this.#options;
    const saved = [RBX, R8, R9, R11, R12];
    const [next, found, free, claimed, none, leave] = Array.from({ length: 6 }, () => new Label());
    for (const register of saved) code.push(register);
    code.mov(R8, RAX);
    code.lea(R9, mem(R10, layout.threadTable));
    code.movImmediate(R11, MOST_PROBES);
    const probe = code.label();
    code.lea(RBX, indexed(R9, RCX));
    code.mov(RAX, mem(RBX, THREAD_ENTRY.TP));
    code.cmp(RAX, R8);
    code.jump('e', found!);
    code.test(RAX, RAX);
    code.jump('e', free!);
    code.bind(next!);
    code.add(RCX, THREAD_ENTRY.BYTES, 32);
    code.and(RCX, OFFSET_MASK, 32);
    code.unary('dec', R11, 32);
    code.jump('ne', probe);
    code.bind(none!);
    code.xor(RSI, RSI, 32);
    code.bind(leave!);
    emitRestore(code, saved);
    code.ret();

    code.bind(found!);
    if (purpose !== 'bind') code.mov(RSI, mem(RBX, THREAD_ENTRY.BLOCK));
    if (purpose === 'find') {
      code.jmp(leave!);
      code.bind(free!);
      code.jmp(none!);
      return;
    }
    if (purpose === 'bind') code.jmp(claimed!);
    else {
      code.test(RSI, RSI);
      code.jump('e', claimed!);
      if (tidOffset === undefined) code.jmp(leave!);
      else {
        code.threadWord(RDX, tidOffset);
        code.cmp(RDX, mem(RSI, BLOCK.TID), 32);
        code.jump('e', leave!);
        // The memory of a thread that has ended belongs to another one now.
        code.jmp(claimed!);
      }
    }

    code.bind(free!);
    // rax is 0, what the entry holds.
    code.lockCmpxchg(mem(RBX, THREAD_ENTRY.TP), R8);
    code.jump('ne', probe);
    code.bind(claimed!);
    if (purpose === 'take') this.#emitTakeReady(code, none!);
    this.#emitOwn(code);
    code.jmp(leave!);
  }

  /** rsi becomes the next block that is ready; goes to `none` if there is none. */
  #emitTakeReady(code: Assembler, none: Label): void {
    const { layout } = this.#options;
    const retry = code.label();
    code.mov(RAX, mem(R10, SHARED.TAKEN));
    code.cmp(RAX, mem(R10, SHARED.GIVEN));
    code.jump('ae', none);
    code.acquire();
    code.mov(RDX, RAX, 32);
    code.and(RDX, READY_SLOTS - 1, 32);
    code.mov(RDX, indexed(R10, RDX, 4, layout.ready), 32);
    code.lea(RCX, mem(RAX, 1));
    code.lockCmpxchg(mem(R10, SHARED.TAKEN), RCX);
    code.jump('ne', retry);
    code.imulBy(RDX, RDX, layout.blockBytes);
    code.lea(RSI, indexed(R10, RDX, 1, layout.blocks));
  }

  /** Makes the block in rsi that of the calling thread, for the entry in rbx and the thread pointer in r8. */
  #emitOwn(code: Assembler): void {
    const { tidOffset } = this.#options;
    const isChained = new Label();
    code.cmp(mem(RSI, BLOCK.CHAINED), 0, 32);
    code.jump('ne', isChained);
    code.mov(mem(RSI, BLOCK.CHAINED), 1, 32);
    code.mov(RAX, mem(R10, SHARED.CHAIN));
    const again = code.label();
    code.mov(mem(RSI, BLOCK.NEXT), RAX);
    code.lockCmpxchg(mem(R10, SHARED.CHAIN), RSI);
    code.jump('ne', again);
    code.bind(isChained);

    code.mov(mem(RSI, BLOCK.TP), R8);
    if (tidOffset === undefined) {
      code.systemCall('gettid');
    } else code.threadWord(RAX, tidOffset);
    this.#emitStack(code);
    // The host knows the block by its thread's id.
    code.publish(mem(RSI, BLOCK.TID), RAX, 32);
    code.mov(mem(RBX, THREAD_ENTRY.BLOCK), RSI);
  }

  /**
   * Where the stack is of the thread whose id is in eax and whose pointer is in r8: the C library puts the thread's data at the upper end of
   * its stack. What the host finds out later replaces it.
   */
  #emitStack(code: Assembler): void {
    const other = new Label();
    const done = new Label();
    code.cmp(RAX, mem(R10, SHARED.MAIN_TID), 32);
    code.jump('ne', other);
    code.mov(RDX, mem(R10, SHARED.MAIN_STACK_LOW));
    code.mov(mem(RSI, BLOCK.STACK_LOW), RDX);
    code.mov(RDX, mem(R10, SHARED.MAIN_STACK_HIGH));
    code.mov(mem(RSI, BLOCK.STACK_HIGH), RDX);
    code.jmp(done);
    code.bind(other);
    code.mov(RDX, R8);
    code.sub(RDX, RSP);
    code.cmp(RDX, NEAR_STACK);
    // A stack pointer that is not near: a coroutine's, or that of signal handlers.
    code.jump('a', done);
    code.lea(RDX, mem(R8, -NEAR_STACK));
    code.mov(mem(RSI, BLOCK.STACK_LOW), RDX);
    code.mov(mem(RSI, BLOCK.STACK_HIGH), R8);
    code.bind(done);
  }
}

import type { PortableAssembler } from '../machine/assembler.js';
import {
  ARG0,
  ARG1,
  ARG2,
  ARG3,
  ARG4,
  ARG5,
  indexed,
  KEPT0,
  KEPT1,
  Label,
  mem,
  SCRATCH0,
  SCRATCH1,
  SP,
  VALUE,
} from '../machine/operands.js';
import { type ArenaLayout, BLOCK, MOST_PROBES, READY_SLOTS, SHARED, THREAD_ENTRIES, THREAD_ENTRY } from './arena.js';
import { LOGGED_IDS, THREAD_WORDS } from './thread-words.js';
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
const BIND_SAVED = [KEPT0, KEPT1];
const BIND_ARGUMENTS = [
  [BLOCK.JS_STATE, ARG1],
  [BLOCK.JS_FUNCTIONS, ARG2],
  [BLOCK.JS_CALLTIMES, ARG3],
  [BLOCK.JS_WANTS, ARG4],
] as const;

/** What a block has of the thread before that a new one must not find. */
const OF_ONE_THREAD = [
  ...[BLOCK.STACK_LOW, BLOCK.STACK_HIGH, BLOCK.TOP, BLOCK.READ_LOW, BLOCK.READ_HIGH],
  ...[BLOCK.SCRATCH_USER, BLOCK.DEEPEST_USER, BLOCK.MEASURED_COUNT, BLOCK.MEASURED_GONE],
];
/** What lists of tasks say of one that the host does not know yet, and where that goes. */
const OF_UNKNOWN = [
  [BLOCK.NEW_IGNORED, BLOCK.IGNORED],
  [BLOCK.NEW_IGNORED_LISTS, BLOCK.IGNORED_LISTS],
  [BLOCK.NEW_EVENTS_IGNORED, BLOCK.EVENTS_IGNORED],
] as const;

/** What the code of a process depends on. */
export interface ThreadOptions {
  readonly layout: ArenaLayout;
  /**
   * Bytes from the thread pointer to the word in which the C library has the thread's id. Without it a thread that has the memory
   * of one that has ended counts as that one until the host frees the entry.
   */
  readonly tidOffset?: number | undefined;
}

/**
 * Finds the block of the thread that runs the code: ARG1, 0 if it has none. SCRATCH0 is the arena. VALUE, ARG3, ARG2 are lost.
 */
export class ThreadBlockCode {
  readonly #options: ThreadOptions;
  readonly #take = new Label();
  readonly #find = new Label();

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  emitShared(code: PortableAssembler): void {
    code.align(16);
    code.bind(this.#take);
    this.#emitSearch(code, 'take');
    code.align(16);
    code.bind(this.#find);
    this.#emitSearch(code, 'find');
  }

  /** A thread without a block takes one; goes to `none` if there is none. */
  emitTake(code: PortableAssembler, none: Label): void {
    const done = new Label();
    const slow = code.aside(() => {
      code.call(this.#take);
      code.test(ARG1, ARG1);
      code.jump('ne', done);
      code.jmp(none);
    });
    this.#emitProbe(code);
    code.jump('ne', slow);
    code.mov(ARG1, indexed(SCRATCH0, ARG3, 1, this.#options.layout.threadTable + THREAD_ENTRY.BLOCK));
    // An entry without a block is not complete.
    code.test(ARG1, ARG1);
    code.jump('e', slow);
    const { tidOffset } = this.#options;
    if (tidOffset !== undefined) {
      code.threadWord(ARG2, tidOffset);
      code.cmp(ARG2, mem(ARG1, BLOCK.TID), 32);
      code.jump('ne', slow);
    }
    code.bind(done);
  }

  /**
   * A thread without a block gets none. The thread's id does not matter: in a forked child the block is a copy of the parent's.
   */
  emitFind(code: PortableAssembler): void {
    const done = new Label();
    const slow = code.aside(() => {
      code.call(this.#find);
      code.jmp(done);
    });
    this.#emitProbe(code);
    code.jump('ne', slow);
    code.mov(ARG1, indexed(SCRATCH0, ARG3, 1, this.#options.layout.threadTable + THREAD_ENTRY.BLOCK));
    code.bind(done);
  }

  /**
   * Emits a function of C: the thread that calls it gets the block in ARG0, whichever it had before. ARG1, ARG2, ARG3 and ARG4
   * are the addresses of its shadow stack of JavaScript: state, functions, call times, wants; all 0: it has none. Returns the
   * block, 0 if there is no room for it.
   */
  emitBind(code: PortableAssembler, arena: number): Label {
    const search = new Label();
    const start = code.label();
    for (const register of BIND_SAVED) code.push(register);
    code.movImmediate(SCRATCH0, arena);
    for (const [offset, register] of BIND_ARGUMENTS) code.mov(mem(ARG0, offset), register);
    code.mov(ARG1, ARG0);
    this.#emitProbe(code);
    code.call(search);
    code.mov(VALUE, ARG1);
    emitRestore(code, BIND_SAVED);
    code.returnValue();
    code.align(16);
    code.bind(search);
    this.#emitSearch(code, 'bind');
    return start;
  }

  /**
   * Emits a function of C: the block in ARG0 has no shadow stack of JavaScript any more, if the thread that calls it still has
   * the block. Its memory is about to be given back, and native functions are called until the thread ends.
   */
  emitUnbind(code: PortableAssembler): Label {
    const taken = new Label();
    code.align(16);
    const start = code.label();
    code.threadPointer(VALUE);
    code.cmp(mem(ARG0, BLOCK.TP), VALUE);
    code.jump('ne', taken);
    code.xor(VALUE, VALUE, 32);
    for (const [offset] of BIND_ARGUMENTS) code.mov(mem(ARG0, offset), VALUE);
    code.bind(taken);
    code.returnValue();
    return start;
  }

  /** VALUE: the thread pointer; ARG3: where in the table its entry would be. Leaves the flags at "equal" if it is there. */
  #emitProbe(code: PortableAssembler): void {
    code.threadPointer(VALUE);
    code.imulBy(ARG3, VALUE, SPREAD);
    code.shift('shr', ARG3, HASH_SHIFT);
    code.and(ARG3, OFFSET_MASK, 32);
    code.cmp(indexed(SCRATCH0, ARG3, 1, this.#options.layout.threadTable + THREAD_ENTRY.TP), VALUE);
  }

  /**
   * In VALUE the thread pointer, in ARG3 the first entry's place in the table; out ARG1, which to `bind` is the block that the
   * thread gets.
   */
  #emitSearch(code: PortableAssembler, purpose: 'find' | 'take' | 'bind'): void {
    const { layout, tidOffset } = this.#options;
    const saved = [KEPT0, ARG4, ARG5, SCRATCH1, KEPT1];
    const [next, found, free, claimed, own, none, leave] = Array.from({ length: 7 }, () => new Label());
    for (const register of saved) code.push(register);
    code.mov(ARG4, VALUE);
    code.lea(ARG5, mem(SCRATCH0, layout.threadTable));
    code.movImmediate(SCRATCH1, MOST_PROBES);
    const probe = code.label();
    code.lea(KEPT0, indexed(ARG5, ARG3));
    code.mov(VALUE, mem(KEPT0, THREAD_ENTRY.TP));
    code.cmp(VALUE, ARG4);
    code.jump('e', found!);
    code.test(VALUE, VALUE);
    code.jump('e', free!);
    code.bind(next!);
    code.add(ARG3, THREAD_ENTRY.BYTES, 32);
    code.and(ARG3, OFFSET_MASK, 32);
    code.unary('dec', SCRATCH1, 32);
    code.jump('ne', probe);
    code.bind(none!);
    code.xor(ARG1, ARG1, 32);
    code.bind(leave!);
    emitRestore(code, saved);
    code.ret();

    code.bind(found!);
    if (purpose !== 'bind') code.mov(ARG1, mem(KEPT0, THREAD_ENTRY.BLOCK));
    if (purpose === 'find') {
      code.jmp(leave!);
      code.bind(free!);
      code.jmp(none!);
      return;
    }
    if (purpose === 'bind') code.jmp(claimed!);
    else {
      code.test(ARG1, ARG1);
      code.jump('e', claimed!);
      if (tidOffset === undefined) code.jmp(leave!);
      else {
        code.threadWord(ARG2, tidOffset);
        code.cmp(ARG2, mem(ARG1, BLOCK.TID), 32);
        code.jump('e', leave!);
        // The memory of a thread that has ended belongs to another one now.
        if (purpose === 'take') this.#emitTakeOver(code, claimed!);
        code.jmp(purpose === 'take' ? own! : claimed!);
      }
    }

    code.bind(free!);
    // VALUE is 0, what the entry holds.
    code.lockCmpxchg(mem(KEPT0, THREAD_ENTRY.TP), ARG4);
    code.jump('ne', probe);
    code.bind(claimed!);
    if (purpose === 'take') this.#emitTakeReady(code, none!);
    code.bind(own!);
    this.#emitOwn(code, purpose);
    code.jmp(leave!);
  }

  /**
   * The thread whose id is in ARG2 has the thread pointer in ARG4 of one that has ended, and takes the block in ARG1 over, which
   * that one had; goes to `other` if it has it no more: the host may have given it to another thread, or be about to.
   */
  #emitTakeOver(code: PortableAssembler, other: Label): void {
    code.cmp(mem(ARG1, BLOCK.TP), ARG4);
    code.jump('ne', other);
    code.mov(VALUE, mem(ARG1, BLOCK.TID), 32);
    code.test(VALUE, VALUE, 32);
    code.jump('e', other);
    code.mov(ARG3, mem(ARG1, BLOCK.OWNER));
    code.test(ARG3, ARG3);
    code.jump('e', other);
    code.lockCmpxchg(mem(ARG3), ARG2, 32);
    code.jump('ne', other);
    code.xor(VALUE, VALUE, 32);
    for (const offset of OF_ONE_THREAD) code.mov(mem(ARG1, offset), VALUE);
    code.mov(mem(ARG1, BLOCK.HOLES), VALUE, 32);
    for (const [from, to] of OF_UNKNOWN) {
      code.mov(VALUE, mem(ARG1, from), 32);
      code.mov(mem(ARG1, to), VALUE, 32);
    }
  }

  /** ARG1 becomes the next block that is ready; goes to `none` if there is none. */
  #emitTakeReady(code: PortableAssembler, none: Label): void {
    const { layout } = this.#options;
    const retry = code.label();
    code.mov(VALUE, mem(SCRATCH0, SHARED.TAKEN));
    code.cmp(VALUE, mem(SCRATCH0, SHARED.GIVEN));
    code.jump('ae', none);
    code.acquire();
    code.mov(ARG2, VALUE, 32);
    code.and(ARG2, READY_SLOTS - 1, 32);
    code.mov(ARG2, indexed(SCRATCH0, ARG2, 4, layout.ready), 32);
    code.lea(ARG3, mem(VALUE, 1));
    code.lockCmpxchg(mem(SCRATCH0, SHARED.TAKEN), ARG3);
    code.jump('ne', retry);
    code.imulBy(ARG2, ARG2, layout.blockBytes);
    code.lea(ARG1, indexed(SCRATCH0, ARG2, 1, layout.blocks));
  }

  /** Makes the block in ARG1 that of the calling thread, for the entry in KEPT0 and the thread pointer in ARG4. */
  #emitOwn(code: PortableAssembler, purpose: 'take' | 'bind' | 'find'): void {
    const { tidOffset } = this.#options;
    const isChained = new Label();
    code.cmp(mem(ARG1, BLOCK.CHAINED), 0, 32);
    code.jump('ne', isChained);
    code.mov(mem(ARG1, BLOCK.CHAINED), 1, 32);
    code.mov(VALUE, mem(SCRATCH0, SHARED.CHAIN));
    const again = code.label();
    code.mov(mem(ARG1, BLOCK.NEXT), VALUE);
    code.lockCmpxchg(mem(SCRATCH0, SHARED.CHAIN), ARG1);
    code.jump('ne', again);
    code.bind(isChained);

    code.mov(mem(ARG1, BLOCK.TP), ARG4);
    if (tidOffset === undefined) {
      code.systemCall('gettid');
    } else code.threadWord(VALUE, tidOffset);
    this.#emitStack(code);
    // The host knows the block by its thread's id.
    code.publish(mem(ARG1, BLOCK.TID), VALUE, 32);
    code.mov(mem(KEPT0, THREAD_ENTRY.BLOCK), ARG1);
    if (purpose === 'take') this.#emitTell(code);
  }

  /** Tells the host that the thread whose id is in VALUE has the block in ARG1. */
  #emitTell(code: PortableAssembler): void {
    const isTold = new Label();
    code.mov(ARG2, mem(ARG1, BLOCK.OWNER));
    code.test(ARG2, ARG2);
    code.jump('e', isTold);
    code.mov(mem(ARG2), VALUE, 32);
    code.bind(isTold);
    code.mov(ARG2, mem(SCRATCH0, SHARED.THREAD_WORDS));
    code.movImmediate(ARG3, 1);
    code.lockXadd(mem(ARG2, THREAD_WORDS.LOGGED), ARG3);
    code.and(ARG3, LOGGED_IDS - 1, 32);
    code.mov(indexed(ARG2, ARG3, 4, THREAD_WORDS.LOG), VALUE, 32);
  }

  /**
   * Where the stack is of the thread whose id is in VALUE and whose pointer is in ARG4: the C library puts the thread's data at
   * the upper end of its stack. What the host finds out later replaces it.
   */
  #emitStack(code: PortableAssembler): void {
    const other = new Label();
    const done = new Label();
    code.cmp(VALUE, mem(SCRATCH0, SHARED.MAIN_TID), 32);
    code.jump('ne', other);
    code.mov(ARG2, mem(SCRATCH0, SHARED.MAIN_STACK_LOW));
    code.mov(mem(ARG1, BLOCK.STACK_LOW), ARG2);
    code.mov(ARG2, mem(SCRATCH0, SHARED.MAIN_STACK_HIGH));
    code.mov(mem(ARG1, BLOCK.STACK_HIGH), ARG2);
    code.jmp(done);
    code.bind(other);
    code.mov(ARG2, ARG4);
    code.sub(ARG2, SP);
    code.cmp(ARG2, NEAR_STACK);
    // A stack pointer that is not near: a coroutine's, or that of signal handlers.
    code.jump('a', done);
    code.lea(ARG2, mem(ARG4, -NEAR_STACK));
    code.mov(mem(ARG1, BLOCK.STACK_LOW), ARG2);
    code.mov(mem(ARG1, BLOCK.STACK_HIGH), ARG4);
    code.bind(done);
  }
}

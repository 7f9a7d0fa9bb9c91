import { PADDING, PAGE_HEADER_BYTES, TYPE_LEN_BITS } from '../../../ring-buffer/event-word.js';
import * as ring from '../../../ring-buffer/layout.js';
import type { Assembler, Immediate } from '../machine/assembler.js';
import { Label, mem, R8, R9, R10, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, type Register } from '../machine/operands.js';
import { PAGE_MOVE, WRITER } from './arena.js';
import { emitFromDouble, emitToDouble } from './to-double.js';
import { emitRestore } from './trampoline-end.js';

const word = (index: number): number => index * 4;
const double = (index: number): number => index * 8;
const COMMIT = 8;
/** What fills the rest of a page: padding with a length of its own; without, when there is a single word. */
const PADDING_EVENT = PADDING | (1 << TYPE_LEN_BITS);

const LINKS = word(ring.linkWord(0));
const LINKS_SHIFT = Math.log2(word(ring.linkWord(1)) - LINKS);

/**
 * Emits what nextPage() of src/ring-buffer/writer.ts does, as a function: rdi is the writer. The carry flag is set if the ring is full and
 * must not be overwritten. rax, rcx, rdx, r8 and r11 are lost.
 *
 * A signal handler may leave it by longjmp at any instruction. Whoever takes the writer over calls it again, and it goes on: until the next page is
 * chosen every step gives the same result twice, and from then on all that changes is computed before.
 */
export function emitNextPage(code: Assembler): Label {
  code.align(16);
  const toDouble = code.label();
  emitToDouble(code);
  code.ret();
  /** Writes the counter, and as a double into the ring. */
  const publish = (counter: number, index: number): void => {
    code.mov(mem(RBX, counter), RAX);
    code.call(toDouble);
    code.mov(mem(R12, double(index)), RAX);
  };

  code.align(16);
  const start = code.label();
  const saved = [RBX, RBP, R9, R10, R12, R13, R14, R15];
  const [retry, push, enter, entering, full, leave] = Array.from({ length: 6 }, () => new Label());
  for (const register of saved) code.push(register);
  code.mov(RBX, RDI);
  code.mov(R12, mem(RBX, WRITER.RING));
  code.cmp(mem(RBX, WRITER.MOVE), PAGE_MOVE.ENTERING, 32);
  code.jump('e', entering!);
  code.mov(mem(RBX, WRITER.MOVE), PAGE_MOVE.LEAVING, 32);
  // rbp: the links of the page that is left; r15: the page.
  code.mov(RBP, mem(RBX, WRITER.PAGE), 32);
  emitLinks(code, RBP, RBP);
  code.mov(R15, mem(RBX, WRITER.PAGE_START));
  emitPadPage(code);

  code.bind(retry!);
  code.mov(R13, mem(RBP, word(ring.LINK)), 32);
  code.mov(RAX, R13, 32);
  code.and(RAX, ring.LINK_FLAGS, 32);
  code.cmp(RAX, ring.LINK_UPDATE, 32);
  code.jump('e', push!);
  code.cmp(RAX, ring.LINK_HEAD, 32);
  code.jump('ne', enter!);
  code.cmp(mem(R12, word(ring.OVERWRITE)), 0, 32);
  code.jump('e', full!);
  emitBeginPush(code, retry!);
  code.bind(push!);
  emitPushHead(code, publish);

  code.bind(enter!);
  emitChoose(code);
  code.bind(entering!);
  emitEnterPage(code, publish);
  emitWake(code);
  code.clc();
  code.bind(leave!);
  emitRestore(code, saved);
  code.ret();

  code.bind(full!);
  emitStay(code);
  code.stc();
  code.jmp(leave!);
  return start;
}

/** The address of a page's record of links. */
function emitLinks(code: Assembler, to: Register, page: Register): void {
  if (to !== page) code.mov(to, page, 32);
  code.shift('shl', to, LINKS_SHIFT);
  code.lea(to, { base: to, index: R12, scale: 1, disp: LINKS });
}

function emitPadPage(code: Assembler): void {
  const noRest = new Label();
  const oneWord = new Label();
  const done = new Label();
  const setRealEnd = (value: Register | Immediate): void => code.mov(mem(RBP, word(ring.REAL_END)), value, 32);
  code.mov(R8, mem(RBX, WRITER.POSITION));
  code.mov(RCX, mem(RBX, WRITER.PAGE_END));
  code.mov(RDX, RCX);
  code.sub(RDX, R8);
  code.jump('e', noRest);
  code.lea(RAX, mem(R8, -PAGE_HEADER_BYTES));
  code.sub(RAX, R15);
  setRealEnd(RAX);
  code.cmp(RDX, 4);
  code.jump('e', oneWord);
  code.mov(mem(R8), PADDING_EVENT, 32);
  code.sub(RDX, 4);
  code.mov(mem(R8, 4), RDX, 32);
  code.sub(RCX, R15);
  code.sub(RCX, PAGE_HEADER_BYTES);
  code.xchg(mem(R15, COMMIT), RCX, 32);
  code.jmp(done);
  code.bind(oneWord);
  code.mov(mem(R8), PADDING, 32);
  code.jmp(done);
  code.bind(noRest);
  setRealEnd(0);
  code.bind(done);
}

/** There is no next page. The rest of this one is filled, unless it is a single word. */
function emitStay(code: Assembler): void {
  const done = new Label();
  code.mov(RCX, mem(RBX, WRITER.PAGE_END));
  code.mov(RDX, RCX);
  code.sub(RDX, mem(RBX, WRITER.POSITION));
  code.cmp(RDX, 4);
  code.jump('be', done);
  code.mov(mem(RBX, WRITER.POSITION), RCX);
  code.bind(done);
  code.mov(mem(RBX, WRITER.MOVE), PAGE_MOVE.NONE, 32);
}

/** Claims the oldest page, to which the link in r13d leads; goes to `retry` if a reader took it first. */
function emitBeginPush(code: Assembler, retry: Label): void {
  emitOldest(code);
  code.mov(RAX, mem(R14, word(ring.ENTRIES)), 32);
  code.add(RAX, mem(RBX, WRITER.OVERRUN));
  code.mov(mem(RBX, WRITER.NEXT_OVERRUN), RAX);
  code.imul(R10, mem(RBX, WRITER.SUBBUF_BYTES));
  code.add(R10, mem(RBX, WRITER.PAGES));
  code.mov(RCX, mem(R10, COMMIT), 32);
  code.mov(RAX, mem(RBX, WRITER.BYTES_WRITTEN));
  code.sub(RAX, RCX);
  code.mov(mem(RBX, WRITER.NEXT_BYTES), RAX);
  code.mov(RAX, mem(RBX, WRITER.LOST));
  code.add(RAX, 1);
  code.mov(mem(RBX, WRITER.NEXT_LOST), RAX);
  code.mov(RAX, R13, 32);
  code.mov(RCX, R13, 32);
  code.and(RCX, ~ring.LINK_FLAGS, 32);
  code.or(RCX, ring.LINK_UPDATE, 32);
  code.lockCmpxchg(mem(RBP, word(ring.LINK)), RCX, 32);
  code.jump('ne', retry);
}

/** r10d: the page to which the link in r13d leads; r14: its links. */
function emitOldest(code: Assembler): void {
  code.mov(R10, R13, 32);
  code.shift('shr', R10, 2, 32);
  emitLinks(code, R14, R10);
}

/** Gives up the oldest page, which was claimed. */
function emitPushHead(code: Assembler, publish: (counter: number, index: number) => void): void {
  emitOldest(code);
  for (const [next, counter, index] of [
    [WRITER.NEXT_OVERRUN, WRITER.OVERRUN, ring.OVERRUN],
    [WRITER.NEXT_BYTES, WRITER.BYTES_WRITTEN, ring.BYTES],
    [WRITER.NEXT_LOST, WRITER.LOST, ring.PAGES_LOST],
  ] as const) {
    code.mov(RAX, mem(RBX, next));
    publish(counter, index);
  }
  code.mov(RAX, mem(R14, word(ring.LINK)), 32);
  code.and(RAX, ~ring.LINK_FLAGS, 32);
  code.or(RAX, ring.LINK_HEAD, 32);
  code.xchg(mem(R14, word(ring.LINK)), RAX, 32);
  code.mov(RAX, R13, 32);
  code.and(RAX, ~ring.LINK_FLAGS, 32);
  code.xchg(mem(RBP, word(ring.LINK)), RAX, 32);
}

/** Closes the page, and computes what the writer becomes on the one to which the link in r13d leads. */
function emitChoose(code: Assembler): void {
  code.mov(RAX, mem(RBX, WRITER.COUNT));
  code.mov(mem(RBP, word(ring.ENTRIES)), RAX, 32);
  code.add(RAX, mem(RBX, WRITER.FIRST));
  code.mov(mem(RBX, WRITER.NEXT_FIRST), RAX);
  code.mov(RAX, mem(R15, COMMIT), 32);
  code.add(RAX, mem(RBX, WRITER.BYTES_WRITTEN));
  code.mov(mem(RBX, WRITER.NEXT_BYTES), RAX);
  code.mov(RAX, mem(RBX, WRITER.TOUCHED));
  code.add(RAX, 1);
  code.mov(mem(RBX, WRITER.NEXT_TOUCHED), RAX);
  code.mov(RAX, mem(RBX, WRITER.SERIAL), 32);
  code.add(RAX, 1, 32);
  code.mov(mem(RBX, WRITER.NEXT_SERIAL), RAX, 32);
  code.shift('shr', R13, 2, 32);
  code.mov(mem(RBX, WRITER.NEXT_PAGE), R13, 32);
  code.mov(mem(RBX, WRITER.MOVE), PAGE_MOVE.ENTERING, 32);
}

/** Opens the page that was chosen. */
function emitEnterPage(code: Assembler, publish: (counter: number, index: number) => void): void {
  code.mov(R13, mem(RBX, WRITER.NEXT_PAGE), 32);
  emitLinks(code, R14, R13);
  code.mov(mem(RBX, WRITER.PAGE), R13, 32);
  code.mov(R15, R13, 32);
  code.imul(R15, mem(RBX, WRITER.SUBBUF_BYTES));
  code.add(R15, mem(RBX, WRITER.PAGES));
  code.mov(mem(RBX, WRITER.PAGE_START), R15);
  code.lea(RAX, mem(R15, PAGE_HEADER_BYTES));
  code.mov(mem(RBX, WRITER.POSITION), RAX);
  code.mov(mem(RBX, WRITER.LIMIT), RAX);
  code.mov(RAX, R15);
  code.add(RAX, mem(RBX, WRITER.SUBBUF_BYTES));
  code.mov(mem(RBX, WRITER.PAGE_END), RAX);
  code.mov(mem(RBX, WRITER.COUNT), 0);
  code.mov(RAX, mem(RBX, WRITER.NEXT_SERIAL), 32);
  code.mov(mem(RBX, WRITER.SERIAL), RAX, 32);
  code.xchg(mem(R14, word(ring.SERIAL)), RAX, 32);
  code.mov(mem(R14, word(ring.REAL_END)), 0, 32);
  code.mov(RAX, mem(RBX, WRITER.NEXT_FIRST));
  publish(WRITER.FIRST, ring.EVENTS);
  code.mov(mem(R14, word(ring.FIRST_EVENT)), RAX);
  code.mov(RAX, mem(RBX, WRITER.NEXT_BYTES));
  publish(WRITER.BYTES_WRITTEN, ring.BYTES);
  code.mov(RAX, mem(RBX, WRITER.NEXT_TOUCHED));
  publish(WRITER.TOUCHED, ring.PAGES_TOUCHED);
  code.xor(RAX, RAX, 32);
  code.xchg(mem(R15, COMMIT), RAX, 32);
  code.xchg(mem(R12, word(ring.TAIL_PAGE)), R13, 32);
  code.mov(mem(RBX, WRITER.MOVE), PAGE_MOVE.NONE, 32);
}

/** Wakes the readers that wait for full pages, if there are enough. */
function emitWake(code: Assembler): void {
  const done = new Label();
  code.cmp(mem(R12, word(ring.WAKE_PAGES)), 0, 32);
  code.jump('e', done);
  code.mov(RAX, mem(R12, double(ring.PAGES_READ)));
  emitFromDouble(code);
  code.mov(RCX, mem(RBX, WRITER.TOUCHED));
  code.sub(RCX, mem(RBX, WRITER.LOST));
  code.sub(RCX, RAX);
  code.add(RCX, 1);
  code.movsxd(RAX, mem(R12, word(ring.WAKE_PAGES)));
  code.cmp(RCX, RAX);
  code.jump('l', done);
  code.lockArithmetic('add', mem(R12, word(ring.WAKE_COUNT)), 1, 32);
  code.bind(done);
}

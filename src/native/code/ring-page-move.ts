import { PADDING, PAGE_HEADER_BYTES, TYPE_LEN_BITS } from '../../ring-buffer/event-word.js';
import * as ring from '../../ring-buffer/layout.js';
import type { Immediate, PortableAssembler } from '../machine/assembler.js';
import {
  ARG0,
  ARG2,
  ARG3,
  ARG4,
  ARG5,
  FP,
  KEPT0,
  KEPT1,
  KEPT2,
  KEPT3,
  KEPT4,
  Label,
  mem,
  type Register,
  SCRATCH0,
  VALUE,
} from '../machine/operands.js';
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
 * Emits what nextPage() of src/ring-buffer/writer.ts does, as a function: ARG0 is the writer. The carry flag is set if the ring
 * is full and must not be overwritten. VALUE, ARG3, ARG2, ARG4 and SCRATCH1 are lost.
 *
 * A signal handler may leave it by longjmp at any instruction. Whoever takes the writer over calls it again, and it goes on:
 * until the next page is chosen every step gives the same result twice, and from then on all that changes is computed before.
 */
export function emitNextPage(code: PortableAssembler): Label {
  code.align(16);
  const toDouble = code.label();
  emitToDouble(code);
  code.ret();
  /** Writes the counter, and as a double into the ring. */
  const publish = (counter: number, index: number): void => {
    code.mov(mem(KEPT0, counter), VALUE);
    code.call(toDouble);
    code.mov(mem(KEPT1, double(index)), VALUE);
  };

  code.align(16);
  const start = code.label();
  const saved = [KEPT0, FP, ARG5, SCRATCH0, KEPT1, KEPT2, KEPT3, KEPT4];
  const [retry, push, enter, entering, full, leave] = Array.from({ length: 6 }, () => new Label());
  for (const register of saved) code.push(register);
  code.mov(KEPT0, ARG0);
  code.mov(KEPT1, mem(KEPT0, WRITER.RING));
  code.cmp(mem(KEPT0, WRITER.MOVE), PAGE_MOVE.ENTERING, 32);
  code.jump('e', entering!);
  code.mov(mem(KEPT0, WRITER.MOVE), PAGE_MOVE.LEAVING, 32);
  // FP: the links of the page that is left; KEPT4: the page.
  code.mov(FP, mem(KEPT0, WRITER.PAGE), 32);
  emitLinks(code, FP, FP);
  code.mov(KEPT4, mem(KEPT0, WRITER.PAGE_START));
  emitPadPage(code);

  code.bind(retry!);
  code.mov(KEPT2, mem(FP, word(ring.LINK)), 32);
  code.mov(VALUE, KEPT2, 32);
  code.and(VALUE, ring.LINK_FLAGS, 32);
  code.cmp(VALUE, ring.LINK_UPDATE, 32);
  code.jump('e', push!);
  code.cmp(VALUE, ring.LINK_HEAD, 32);
  code.jump('ne', enter!);
  code.cmp(mem(KEPT1, word(ring.OVERWRITE)), 0, 32);
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
function emitLinks(code: PortableAssembler, to: Register, page: Register): void {
  if (to !== page) code.mov(to, page, 32);
  code.shift('shl', to, LINKS_SHIFT);
  code.lea(to, { base: to, index: KEPT1, scale: 1, disp: LINKS });
}

function emitPadPage(code: PortableAssembler): void {
  const noRest = new Label();
  const oneWord = new Label();
  const done = new Label();
  const setRealEnd = (value: Register | Immediate): void => code.mov(mem(FP, word(ring.REAL_END)), value, 32);
  code.mov(ARG4, mem(KEPT0, WRITER.POSITION));
  code.mov(ARG3, mem(KEPT0, WRITER.PAGE_END));
  code.mov(ARG2, ARG3);
  code.sub(ARG2, ARG4);
  code.jump('e', noRest);
  code.lea(VALUE, mem(ARG4, -PAGE_HEADER_BYTES));
  code.sub(VALUE, KEPT4);
  setRealEnd(VALUE);
  code.cmp(ARG2, 4);
  code.jump('e', oneWord);
  code.mov(mem(ARG4), PADDING_EVENT, 32);
  code.sub(ARG2, 4);
  code.mov(mem(ARG4, 4), ARG2, 32);
  code.sub(ARG3, KEPT4);
  code.sub(ARG3, PAGE_HEADER_BYTES);
  code.xchg(mem(KEPT4, COMMIT), ARG3, 32);
  code.jmp(done);
  code.bind(oneWord);
  code.mov(mem(ARG4), PADDING, 32);
  code.jmp(done);
  code.bind(noRest);
  setRealEnd(0);
  code.bind(done);
}

/** There is no next page. The rest of this one is filled, unless it is a single word. */
function emitStay(code: PortableAssembler): void {
  const done = new Label();
  code.mov(ARG3, mem(KEPT0, WRITER.PAGE_END));
  code.mov(ARG2, ARG3);
  code.sub(ARG2, mem(KEPT0, WRITER.POSITION));
  code.cmp(ARG2, 4);
  code.jump('be', done);
  code.mov(mem(KEPT0, WRITER.POSITION), ARG3);
  code.bind(done);
  code.mov(mem(KEPT0, WRITER.MOVE), PAGE_MOVE.NONE, 32);
}

/** Claims the oldest page, to which the link in KEPT2 leads; goes to `retry` if a reader took it first. */
function emitBeginPush(code: PortableAssembler, retry: Label): void {
  emitOldest(code);
  code.mov(VALUE, mem(KEPT3, word(ring.ENTRIES)), 32);
  code.add(VALUE, mem(KEPT0, WRITER.OVERRUN));
  code.mov(mem(KEPT0, WRITER.NEXT_OVERRUN), VALUE);
  code.imul(SCRATCH0, mem(KEPT0, WRITER.SUBBUF_BYTES));
  code.add(SCRATCH0, mem(KEPT0, WRITER.PAGES));
  code.mov(ARG3, mem(SCRATCH0, COMMIT), 32);
  code.mov(VALUE, mem(KEPT0, WRITER.BYTES_WRITTEN));
  code.sub(VALUE, ARG3);
  code.mov(mem(KEPT0, WRITER.NEXT_BYTES), VALUE);
  code.mov(VALUE, mem(KEPT0, WRITER.LOST));
  code.add(VALUE, 1);
  code.mov(mem(KEPT0, WRITER.NEXT_LOST), VALUE);
  code.mov(VALUE, KEPT2, 32);
  code.mov(ARG3, KEPT2, 32);
  code.and(ARG3, ~ring.LINK_FLAGS, 32);
  code.or(ARG3, ring.LINK_UPDATE, 32);
  code.lockCmpxchg(mem(FP, word(ring.LINK)), ARG3, 32);
  code.jump('ne', retry);
}

/** SCRATCH0: the page to which the link in KEPT2 leads; KEPT3: its links. */
function emitOldest(code: PortableAssembler): void {
  code.mov(SCRATCH0, KEPT2, 32);
  code.shift('shr', SCRATCH0, 2, 32);
  emitLinks(code, KEPT3, SCRATCH0);
}

/** Gives up the oldest page, which was claimed. */
function emitPushHead(code: PortableAssembler, publish: (counter: number, index: number) => void): void {
  emitOldest(code);
  for (const [next, counter, index] of [
    [WRITER.NEXT_OVERRUN, WRITER.OVERRUN, ring.OVERRUN],
    [WRITER.NEXT_BYTES, WRITER.BYTES_WRITTEN, ring.BYTES],
    [WRITER.NEXT_LOST, WRITER.LOST, ring.PAGES_LOST],
  ] as const) {
    code.mov(VALUE, mem(KEPT0, next));
    publish(counter, index);
  }
  code.mov(VALUE, mem(KEPT3, word(ring.LINK)), 32);
  code.and(VALUE, ~ring.LINK_FLAGS, 32);
  code.or(VALUE, ring.LINK_HEAD, 32);
  code.xchg(mem(KEPT3, word(ring.LINK)), VALUE, 32);
  code.mov(VALUE, KEPT2, 32);
  code.and(VALUE, ~ring.LINK_FLAGS, 32);
  code.xchg(mem(FP, word(ring.LINK)), VALUE, 32);
}

/** Closes the page, and computes what the writer becomes on the one to which the link in KEPT2 leads. */
function emitChoose(code: PortableAssembler): void {
  code.mov(VALUE, mem(KEPT0, WRITER.COUNT));
  code.mov(mem(FP, word(ring.ENTRIES)), VALUE, 32);
  code.add(VALUE, mem(KEPT0, WRITER.FIRST));
  code.mov(mem(KEPT0, WRITER.NEXT_FIRST), VALUE);
  code.mov(VALUE, mem(KEPT4, COMMIT), 32);
  code.add(VALUE, mem(KEPT0, WRITER.BYTES_WRITTEN));
  code.mov(mem(KEPT0, WRITER.NEXT_BYTES), VALUE);
  code.mov(VALUE, mem(KEPT0, WRITER.TOUCHED));
  code.add(VALUE, 1);
  code.mov(mem(KEPT0, WRITER.NEXT_TOUCHED), VALUE);
  code.mov(VALUE, mem(KEPT0, WRITER.SERIAL), 32);
  code.add(VALUE, 1, 32);
  code.mov(mem(KEPT0, WRITER.NEXT_SERIAL), VALUE, 32);
  code.shift('shr', KEPT2, 2, 32);
  code.mov(mem(KEPT0, WRITER.NEXT_PAGE), KEPT2, 32);
  code.mov(mem(KEPT0, WRITER.MOVE), PAGE_MOVE.ENTERING, 32);
}

/** Opens the page that was chosen. */
function emitEnterPage(code: PortableAssembler, publish: (counter: number, index: number) => void): void {
  code.mov(KEPT2, mem(KEPT0, WRITER.NEXT_PAGE), 32);
  emitLinks(code, KEPT3, KEPT2);
  code.mov(mem(KEPT0, WRITER.PAGE), KEPT2, 32);
  code.mov(KEPT4, KEPT2, 32);
  code.imul(KEPT4, mem(KEPT0, WRITER.SUBBUF_BYTES));
  code.add(KEPT4, mem(KEPT0, WRITER.PAGES));
  code.mov(mem(KEPT0, WRITER.PAGE_START), KEPT4);
  code.lea(VALUE, mem(KEPT4, PAGE_HEADER_BYTES));
  code.mov(mem(KEPT0, WRITER.POSITION), VALUE);
  code.mov(mem(KEPT0, WRITER.LIMIT), VALUE);
  code.mov(VALUE, KEPT4);
  code.add(VALUE, mem(KEPT0, WRITER.SUBBUF_BYTES));
  code.mov(mem(KEPT0, WRITER.PAGE_END), VALUE);
  code.mov(mem(KEPT0, WRITER.COUNT), 0);
  code.mov(VALUE, mem(KEPT0, WRITER.NEXT_SERIAL), 32);
  code.mov(mem(KEPT0, WRITER.SERIAL), VALUE, 32);
  code.xchg(mem(KEPT3, word(ring.SERIAL)), VALUE, 32);
  code.mov(mem(KEPT3, word(ring.REAL_END)), 0, 32);
  code.mov(VALUE, mem(KEPT0, WRITER.NEXT_FIRST));
  publish(WRITER.FIRST, ring.EVENTS);
  code.mov(mem(KEPT3, word(ring.FIRST_EVENT)), VALUE);
  code.mov(VALUE, mem(KEPT0, WRITER.NEXT_BYTES));
  publish(WRITER.BYTES_WRITTEN, ring.BYTES);
  code.mov(VALUE, mem(KEPT0, WRITER.NEXT_TOUCHED));
  publish(WRITER.TOUCHED, ring.PAGES_TOUCHED);
  code.xor(VALUE, VALUE, 32);
  code.xchg(mem(KEPT4, COMMIT), VALUE, 32);
  code.xchg(mem(KEPT1, word(ring.TAIL_PAGE)), KEPT2, 32);
  code.mov(mem(KEPT0, WRITER.MOVE), PAGE_MOVE.NONE, 32);
}

/** Wakes the readers that wait for full pages, if there are enough. */
function emitWake(code: PortableAssembler): void {
  const done = new Label();
  code.cmp(mem(KEPT1, word(ring.WAKE_PAGES)), 0, 32);
  code.jump('e', done);
  code.mov(VALUE, mem(KEPT1, double(ring.PAGES_READ)));
  emitFromDouble(code);
  code.mov(ARG3, mem(KEPT0, WRITER.TOUCHED));
  code.sub(ARG3, mem(KEPT0, WRITER.LOST));
  code.sub(ARG3, VALUE);
  code.add(ARG3, 1);
  code.movsxd(VALUE, mem(KEPT1, word(ring.WAKE_PAGES)));
  code.cmp(ARG3, VALUE);
  code.jump('l', done);
  code.lockArithmetic('add', mem(KEPT1, word(ring.WAKE_COUNT)), 1, 32);
  code.bind(done);
}

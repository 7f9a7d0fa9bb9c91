import { PAGE } from '../../base/page.js';
import type { PortableAssembler } from '../machine/assembler.js';
import { ARG0, ARG1, ARG2, ARG3, ARG4, ARG5, KEPT0, KEPT1, KEPT4, Label, mem, SCRATCH0, SP, VALUE } from '../machine/operands.js';
import { BLOCK } from './arena.js';

const PR_GET_NAME = 16;
/** Bytes of a task's name (TASK_COMM_LEN). */
const COMM_BYTES = 16;
const WORD = 8;
const IOVEC_BYTES = 2 * WORD;
/** Bytes of a text that are read at once. */
const CHUNK = 256;
/** Bytes of a record, without its header, at most: it must fit on a page. */
export const MAX_RECORD = 4000;

/** The parts of probes' code that stand once in each range of code memory: their addresses. */
export interface ProbeMemoryCode {
  /** ARG3 bytes at VALUE, to ARG2: VALUE becomes how many of them there were. */
  readonly read: number;
  /**
   * The text at VALUE, to ARG2, behind which MAX_RECORD bytes from KEPT1 on are free: VALUE becomes its length with its zero
   * byte; 0: a fault.
   */
  readonly readText: number;
  /** The name of the task, to ARG2: the same. */
  readonly comm: number;
}

/**
 * Emits what reads the program's memory, which may not be there. The thread's stack is read as it is; all else by
 * process_vm_readv, which fails where a load would end the program. ARG1 is the thread's block. VALUE, ARG3, ARG2, ARG4, ARG5,
 * SCRATCH1 are lost.
 * @param pid the process as it knows itself
 */
export function emitProbeMemory(code: PortableAssembler, pid: number): ProbeMemoryCode {
  code.align(16);
  const read = code.here;
  emitRead(code, pid);
  code.align(16);
  const readText = code.here;
  emitReadText(code, read);
  code.align(16);
  const comm = code.here;
  emitComm(code);
  return { read, readText, comm };
}

function emitRead(code: PortableAssembler, pid: number): void {
  const slow = new Label();
  const other = new Label();
  const some = new Label();
  code.lea(ARG4, { base: VALUE, index: ARG3, scale: 1, disp: 0 });
  code.mov(ARG5, SP);
  code.cmp(ARG5, mem(ARG1, BLOCK.READ_LOW));
  code.jump('b', slow);
  code.cmp(VALUE, ARG5);
  code.jump('b', slow);
  code.cmp(ARG4, mem(ARG1, BLOCK.READ_HIGH));
  code.jump('a', slow);
  code.cmp(ARG4, VALUE);
  code.jump('b', slow);
  code.cmp(ARG3, 8);
  code.jump('ne', other);
  code.mov(ARG4, mem(VALUE));
  code.mov(mem(ARG2), ARG4);
  code.mov(VALUE, ARG3);
  code.ret();
  code.bind(other);
  for (const register of [ARG1, ARG0, ARG3]) code.push(register);
  code.mov(ARG1, VALUE);
  code.mov(ARG0, ARG2);
  code.copy(8);
  for (const register of [VALUE, ARG0, ARG1]) code.pop(register);
  code.ret();

  code.bind(slow);
  for (const register of [ARG1, ARG0, SCRATCH0]) code.push(register);
  // struct iovec: here, there.
  code.lea(SP, mem(SP, -2 * IOVEC_BYTES));
  for (const [i, register] of [ARG2, ARG3, VALUE, ARG3].entries()) code.mov(mem(SP, i * WORD), register);
  code.movImmediate(ARG0, pid);
  code.mov(ARG1, SP);
  code.movImmediate(ARG2, 1);
  code.lea(ARG3, mem(SP, IOVEC_BYTES));
  code.movImmediate(ARG4, 1);
  code.xor(ARG5, ARG5, 32);
  code.systemCall('process_vm_readv');
  code.lea(SP, mem(SP, 2 * IOVEC_BYTES));
  for (const register of [SCRATCH0, ARG0, ARG1]) code.pop(register);
  code.test(VALUE, VALUE);
  code.jump('ns', some);
  code.xor(VALUE, VALUE, 32);
  code.bind(some);
  code.ret();
}

/** KEPT0: where the text goes on; KEPT4: where it goes on in the program. */
function emitReadText(code: PortableAssembler, read: number): void {
  const [again, short, fits, found, cut, leave] = Array.from({ length: 6 }, () => new Label());
  for (const register of [KEPT0, KEPT4, ARG0, ARG2]) code.push(register);
  code.mov(KEPT4, VALUE);
  code.mov(KEPT0, ARG2);
  code.bind(again!);
  // Up to the end of its page, and of the record.
  code.mov(VALUE, KEPT4);
  code.and(VALUE, PAGE - 1, 32);
  code.movImmediate(ARG3, PAGE);
  code.sub(ARG3, VALUE);
  code.cmp(ARG3, CHUNK);
  code.jump('be', short!);
  code.movImmediate(ARG3, CHUNK);
  code.bind(short!);
  code.lea(VALUE, mem(KEPT1, MAX_RECORD));
  code.sub(VALUE, KEPT0);
  code.jump('be', cut!);
  code.cmp(ARG3, VALUE);
  code.jump('be', fits!);
  code.mov(ARG3, VALUE);
  code.bind(fits!);
  code.mov(VALUE, KEPT4);
  code.mov(ARG2, KEPT0);
  code.call(read);
  code.test(VALUE, VALUE);
  code.jump('e', leave!);
  code.add(KEPT4, VALUE);
  code.mov(ARG3, VALUE);
  code.mov(ARG0, KEPT0);
  code.add(KEPT0, VALUE);
  code.findZero();
  code.jump('ne', again!);
  code.bind(found!);
  code.mov(VALUE, ARG0);
  code.sub(VALUE, mem(SP));
  code.bind(leave!);
  for (const register of [ARG2, ARG0, KEPT4, KEPT0]) code.pop(register);
  code.ret();

  // No room is left: the text ends here, if there is any of it.
  code.bind(cut!);
  code.mov(ARG0, KEPT0);
  code.xor(VALUE, VALUE, 32);
  code.cmp(ARG0, mem(SP));
  code.jump('be', leave!);
  code.mov(mem(ARG0, -1), 0, 8);
  code.jmp(found!);
}

function emitComm(code: PortableAssembler): void {
  for (const register of [ARG1, ARG0, ARG2]) code.push(register);
  code.movImmediate(ARG0, PR_GET_NAME);
  code.mov(ARG1, ARG2);
  code.systemCall('prctl');
  code.mov(ARG0, mem(SP));
  code.movImmediate(ARG3, COMM_BYTES);
  code.findZero();
  code.mov(VALUE, ARG0);
  code.sub(VALUE, mem(SP));
  for (const register of [ARG2, ARG0, ARG1]) code.pop(register);
  code.ret();
}

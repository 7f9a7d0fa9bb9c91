import type { Assembler } from '../x86-64/assembler.js';
import { executable } from '../x86-64/executable.js';
import { mem, R8, R9, R10, R12, R13, R14, RAX, RDI, RDX, RSI, RSP } from '../x86-64/operands.js';

const CALL = { write: 1, close: 3, getpid: 39, execve: 59, exit: 60, fcntl: 72, prctl: 157, getppid: 110, pipe2: 293 } as const;
const O_CLOEXEC = 0o2000000;
const O_ASYNC = 0o20000;
const F = { setDescriptorFlags: 2, setFlags: 4, setOwner: 8, setSignal: 10, duplicate: 1030 } as const;
const FD_CLOEXEC = 1;
const SIGSTOP = 19;
const PR_SET_PTRACER = 0x59616d61;
/** Descriptors from here on are above those of the pipes. */
const HIGH = 64;

/** The descriptor by which the launcher tells why it could not run the program. */
export const LAUNCHER_ERROR_FD = 3;
/** Its exit code then. */
export const LAUNCHER_FAILED = 127;

const WORD = 8;

/**
 * An executable that runs a program so that it stops (SIGSTOP) at its very first instruction, before its dynamic linker: with the arguments PATH
 * NAME ARGUMENTS... it runs the file PATH. If that fails, it writes the errno, 4 bytes, to LAUNCHER_ERROR_FD, which the program does not get.
 *
 * No ptrace is needed. A pipe whose other end closes sends its owner a signal that can be chosen (F_SETSIG), and both ends close when the
 * program begins. Which end is closed first differs between kernels: so there are two pipes, with their ends in both orders. Under yama 1 the
 * parent and its children may change the program.
 */
export const launcherFile = (): Uint8Array => executable(emitLauncher);

function emitLauncher(code: Assembler): void {
  code.lea(R12, mem(RSP, WORD));
  code.mov(RAX, mem(RSP));
  // Behind the arguments and their 0.
  code.lea(R13, { base: R12, index: RAX, scale: 8, disp: WORD });
  code.sub(RSP, 16);
  systemCall(code, CALL.getppid, []);
  code.mov(RSI, RAX);
  code.movImmediate(RDI, PR_SET_PTRACER);
  // Without yama this fails, and is not needed.
  systemCall(code, CALL.prctl, [undefined, undefined, 0, 0, 0]);
  systemCall(code, CALL.fcntl, [LAUNCHER_ERROR_FD, F.setDescriptorFlags, FD_CLOEXEC]);
  systemCall(code, CALL.getpid, []);
  code.mov(R14, RAX);
  for (const isReversed of [false, true]) emitPipe(code, isReversed);
  code.mov(RDI, mem(R12, WORD));
  code.lea(RSI, mem(R12, 2 * WORD));
  code.mov(RDX, R13);
  systemCall(code, CALL.execve, []);
  code.unary('neg', RAX, 32);
  code.mov(mem(RSP), RAX, 32);
  code.mov(RSI, RSP);
  systemCall(code, CALL.write, [LAUNCHER_ERROR_FD, undefined, 4]);
  systemCall(code, CALL.exit, [LAUNCHER_FAILED]);
}

/** A pipe that stops the process in r14 when it is closed. @param isReversed the reading end is above the writing end */
function emitPipe(code: Assembler, isReversed: boolean): void {
  code.mov(RDI, RSP);
  systemCall(code, CALL.pipe2, [undefined, O_CLOEXEC]);
  if (isReversed) {
    code.mov(RDI, mem(RSP), 32);
    systemCall(code, CALL.fcntl, [undefined, F.duplicate, HIGH]);
    code.mov(RDI, mem(RSP), 32);
    code.mov(mem(RSP), RAX, 32);
    systemCall(code, CALL.close, []);
  }
  const settings: readonly (readonly [command: number, value: number | undefined])[] = [
    [F.setOwner, undefined],
    [F.setSignal, SIGSTOP],
    [F.setFlags, O_ASYNC],
  ];
  for (const [command, value] of settings) {
    code.mov(RDI, mem(RSP), 32);
    if (value === undefined) code.mov(RDX, R14);
    systemCall(code, CALL.fcntl, [undefined, command, value]);
  }
}

const ARGUMENTS = [RDI, RSI, RDX, R10, R8, R9];

/** A system call; arguments that are undefined are in their registers already. */
function systemCall(code: Assembler, number: number, args: readonly (number | undefined)[]): void {
  for (const [i, value] of args.entries()) if (value !== undefined) code.movImmediate(ARGUMENTS[i]!, value);
  code.movImmediate(RAX, number);
  code.syscall();
}

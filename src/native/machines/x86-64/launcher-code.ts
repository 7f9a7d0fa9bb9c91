import { EXECUTABLE_TEXT } from '../../elf/executable.js';
import { mem } from '../../machine/operands.js';
import { FCNTL, LAUNCH } from '../../process/launch-numbers.js';
import { Assembler } from './assembler.js';
import { R8, R9, R10, R12, R13, R14, RAX, RDI, RDX, RSI, RSP } from './registers.js';

const CALL = { write: 1, close: 3, getpid: 39, execve: 59, exit: 60, fcntl: 72, prctl: 157, getppid: 110, pipe2: 293 } as const;
const WORD = 8;

/** The launcher for x86-64 (process/launcher.ts). */
export function launcherCode(): Uint8Array {
  const code = new Assembler(EXECUTABLE_TEXT);
  code.lea(R12, mem(RSP, WORD));
  code.mov(RAX, mem(RSP));
  // Behind the arguments and their 0.
  code.lea(R13, { base: R12, index: RAX, scale: 8, disp: WORD });
  code.sub(RSP, 16);
  systemCall(code, CALL.getppid, []);
  code.mov(RSI, RAX);
  code.movImmediate(RDI, LAUNCH.SET_PTRACER);
  // Without yama this fails, and is not needed.
  systemCall(code, CALL.prctl, [undefined, undefined, 0, 0, 0]);
  systemCall(code, CALL.fcntl, [LAUNCH.ERROR_FD, FCNTL.setDescriptorFlags, LAUNCH.DESCRIPTOR_CLOSES_ON_EXEC]);
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
  systemCall(code, CALL.write, [LAUNCH.ERROR_FD, undefined, 4]);
  systemCall(code, CALL.exit, [LAUNCH.FAILED]);
  return code.finish();
}

/** A pipe that stops the process in r14 when it is closed. @param isReversed the reading end is above the writing end */
function emitPipe(code: Assembler, isReversed: boolean): void {
  code.mov(RDI, RSP);
  systemCall(code, CALL.pipe2, [undefined, LAUNCH.CLOSE_ON_EXEC]);
  if (isReversed) {
    code.mov(RDI, mem(RSP), 32);
    systemCall(code, CALL.fcntl, [undefined, FCNTL.duplicate, LAUNCH.HIGH]);
    code.mov(RDI, mem(RSP), 32);
    code.mov(mem(RSP), RAX, 32);
    systemCall(code, CALL.close, []);
  }
  const settings: readonly (readonly [command: number, value: number | undefined])[] = [
    [FCNTL.setOwner, undefined],
    [FCNTL.setSignal, LAUNCH.SIGSTOP],
    [FCNTL.setFlags, LAUNCH.SIGNALS],
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

import { writeExecutable } from '../elf/executable.js';
import { processMachine } from '../machines/process-machine.js';
import { LAUNCH } from './launch-numbers.js';

/** The descriptor by which the launcher tells why it could not run the program. */
export const LAUNCHER_ERROR_FD = LAUNCH.ERROR_FD;
/** The launcher's exit code when it could not run the program. */
export const LAUNCHER_FAILED = LAUNCH.FAILED;

/**
 * An executable that runs a program so that it stops (SIGSTOP) at its very first instruction, before its dynamic linker: with the
 * arguments PATH NAME ARGUMENTS... it runs the file PATH. If that fails, it writes the errno, 4 bytes, to LAUNCHER_ERROR_FD,
 * which the program does not get.
 *
 * No ptrace is needed. A pipe whose other end closes sends its owner a signal that can be chosen (F_SETSIG), and both ends close
 * when the program begins. Which end is closed first differs between kernels: so there are two pipes, with their ends in both
 * orders. Under yama 1 the parent and its children may change the program.
 */
export function launcherFile(): Uint8Array {
  return writeExecutable(processMachine.name, processMachine.launcherCode());
}

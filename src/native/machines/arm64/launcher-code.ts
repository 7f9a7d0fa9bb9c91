import { FCNTL, LAUNCH } from '../../process/launch-numbers.js';
import { bytesOf } from './encode.js';
import { SP, SYSTEM_CALL } from './instructions.js';
import { addConstant, load, loadNumber, moveRegister, store } from './short-forms.js';

const CALL = {
  fcntl: 25,
  close: 57,
  pipe2: 59,
  write: 64,
  exit: 93,
  prctl: 167,
  getpid: 172,
  getppid: 173,
  execve: 221,
} as const;
const NUMBER = 8;
const WORD = 8;
const [ARGUMENTS, ENVIRONMENT, OWN] = [20, 21, 22];

/** add x21, x20, x0, lsl #3: past so many arguments. */
const PAST_ARGUMENTS = 0x8b000e95;
/** neg w0, w0 */
const NEGATE = 0x4b0003e0;
/** ldr w0, [sp]; str w0, [sp] */
const [FIRST_END, KEEP_FIRST_END] = [0xb94003e0, 0xb90003e0];

/** The launcher for arm64 (process/launcher.ts). */
export function launcherCode(): Uint8Array {
  const words: number[] = [];
  /** Arguments that are undefined are in their registers already. */
  const call = (number: number, ...args: readonly (number | undefined)[]): void => {
    for (const [i, value] of args.entries()) if (value !== undefined) words.push(...loadNumber(i, value));
    words.push(...loadNumber(NUMBER, number), SYSTEM_CALL);
  };
  words.push(load(0, SP), addConstant(ARGUMENTS, SP, WORD), PAST_ARGUMENTS);
  // Behind the arguments and their 0.
  words.push(addConstant(ENVIRONMENT, ENVIRONMENT, WORD), addConstant(SP, SP, -16));
  call(CALL.getppid);
  words.push(moveRegister(1, 0));
  // Without yama this fails, and is not needed.
  call(CALL.prctl, LAUNCH.SET_PTRACER, undefined, 0, 0, 0);
  call(CALL.fcntl, LAUNCH.ERROR_FD, FCNTL.setDescriptorFlags, LAUNCH.DESCRIPTOR_CLOSES_ON_EXEC);
  call(CALL.getpid);
  words.push(moveRegister(OWN, 0));
  for (const isReversed of [false, true]) {
    words.push(addConstant(0, SP, 0));
    call(CALL.pipe2, undefined, LAUNCH.CLOSE_ON_EXEC);
    if (isReversed) {
      words.push(FIRST_END);
      call(CALL.fcntl, undefined, FCNTL.duplicate, LAUNCH.HIGH);
      words.push(moveRegister(9, 0), FIRST_END, store(9, SP, WORD));
      call(CALL.close, undefined);
      words.push(load(0, SP, WORD), KEEP_FIRST_END);
    }
    words.push(FIRST_END, moveRegister(2, OWN));
    call(CALL.fcntl, undefined, FCNTL.setOwner, undefined);
    words.push(FIRST_END);
    call(CALL.fcntl, undefined, FCNTL.setSignal, LAUNCH.SIGSTOP);
    words.push(FIRST_END);
    call(CALL.fcntl, undefined, FCNTL.setFlags, LAUNCH.SIGNALS);
  }
  words.push(load(0, ARGUMENTS, WORD), addConstant(1, ARGUMENTS, 2 * WORD), moveRegister(2, ENVIRONMENT));
  call(CALL.execve);
  words.push(NEGATE, KEEP_FIRST_END, addConstant(1, SP, 0));
  call(CALL.write, LAUNCH.ERROR_FD, undefined, 4);
  call(CALL.exit, LAUNCH.FAILED);
  return bytesOf(words);
}

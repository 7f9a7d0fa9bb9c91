import { pause } from '../../base/pause.js';
import type { LocalProcess } from '../addon/local-process.js';
import { processMachine } from './process-machine.js';
import { threadState } from './tasks.js';

/** arm64's system call, its requests, and the general registers among the sets of them. */
const PTRACE = { NUMBER: 117, DETACH: 17, GETREGSET: 0x4204, SEIZE: 0x4206, GENERAL: 1 } as const;
/** Words: where registers are put, and how many bytes of them; x0 to x30, sp, pc, pstate. */
const VECTOR_WORDS = 2;
const REGISTERS = 34;
/** How often a thread is looked at, and the milliseconds between. */
const MOST_LOOKS = 10_000;
const REST = 0.2;
/** x0 to x30. */
const GENERAL = 31;
/** Which of them has the number of a system call. */
export const CALL_NUMBER = 8;

/** What a stopped thread has in x0 to x30; undefined: nobody can tell. */
export type RegistersOf = (tid: number) => readonly number[] | undefined;

/** What reads registers, on machines where some things are in no other place. */
export const registersBy = (local: LocalProcess): RegistersOf | undefined =>
  processMachine.hasLinkRegister ? readBy(local) : undefined;

/**
 * Reads registers of threads of arm64, as addresses: without the bits above, where return addresses may be signed. /proc does not
 * tell them, so a thread is seized for that. It must have been stopped by a signal, and stays so.
 */
const readBy =
  (local: LocalProcess): RegistersOf =>
  (tid) => {
    const words = new BigUint64Array(new SharedArrayBuffer((VECTOR_WORDS + REGISTERS) * 8));
    const address = local.addressOf(words);
    words.set([BigInt(address + VECTOR_WORDS * 8), BigInt(REGISTERS * 8)]);
    const ask = (request: number, what: number, data: number): bigint =>
      local.rawSystemCall(PTRACE.NUMBER, request, tid, what, data);
    if (ask(PTRACE.SEIZE, 0, 0) !== 0n) return undefined;
    const result = ask(PTRACE.GETREGSET, PTRACE.GENERAL, address);
    ask(PTRACE.DETACH, 0, 0);
    // It goes from one stop to the other, and runs nothing of its own meanwhile.
    for (let looks = 0; threadState(tid, tid) === 'R' && looks < MOST_LOOKS; looks++) pause(REST);
    if (result !== 0n) return undefined;
    return Array.from(words.subarray(VECTOR_WORDS, VECTOR_WORDS + GENERAL), (word) =>
      Number(BigInt.asUintN(processMachine.addressBits, word)),
    );
  };

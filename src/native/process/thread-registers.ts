import { pause } from '../../base/pause.js';
import type { LocalProcess } from '../addon/local-process.js';
import { processMachine } from '../machines/process-machine.js';
import type { RegisterSet } from './process-abi.js';
import { threadState } from './tasks.js';

/** Requests of ptrace(2), and the general registers among the sets of them. */
const PTRACE = { DETACH: 17, GETREGSET: 0x4204, SEIZE: 0x4206, GENERAL: 1 } as const;
/** Words: where registers are put, and how many bytes of them. */
const VECTOR_WORDS = 2;
/** How often a thread is looked at, and the milliseconds between. */
const MOST_LOOKS = 10_000;
const REST = 0.2;

/** What a stopped thread has in its general registers; undefined: nobody can tell. */
export type RegistersOf = (tid: number) => readonly number[] | undefined;

/** What reads registers, on machines where some things are in no other place. */
export const registersBy = (local: LocalProcess): RegistersOf | undefined =>
  processMachine.registers && readBy(local, processMachine.registers);

/**
 * Reads registers of threads as addresses: without the bits above, where return addresses may be signed. /proc does not tell
 * them, so a thread is seized for that. It must have been stopped by a signal, and stays so.
 */
const readBy =
  (local: LocalProcess, { ptrace, words: count, general }: RegisterSet): RegistersOf =>
  (tid) => {
    const words = new BigUint64Array(new SharedArrayBuffer((VECTOR_WORDS + count) * 8));
    const address = local.addressOf(words);
    words.set([BigInt(address + VECTOR_WORDS * 8), BigInt(count * 8)]);
    const ask = (request: number, what: number, data: number): bigint => local.rawSystemCall(ptrace, request, tid, what, data);
    if (ask(PTRACE.SEIZE, 0, 0) !== 0n) return undefined;
    const result = ask(PTRACE.GETREGSET, PTRACE.GENERAL, address);
    ask(PTRACE.DETACH, 0, 0);
    // It goes from one stop to the other, and runs nothing of its own meanwhile.
    for (let looks = 0; threadState(tid, tid) === 'R' && looks < MOST_LOOKS; looks++) pause(REST);
    if (result !== 0n) return undefined;
    return Array.from(words.subarray(VECTOR_WORDS, VECTOR_WORDS + general), (word) =>
      Number(BigInt.asUintN(processMachine.addressBits, word)),
    );
  };

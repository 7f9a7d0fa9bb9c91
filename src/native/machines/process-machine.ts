import type { ProcessAbi } from '../process/process-abi.js';
import { processAbi as arm64 } from './arm64/process-abi.js';
import { processAbi as x86 } from './x86-64/process-abi.js';

const LOCAL = [x86, arm64].find(({ arch }) => arch === process.arch);

/** Whether processes of this machine can be traced. */
export const isKnownMachine = LOCAL !== undefined;

/**
 * The machine that this process runs on, and those that it traces. Where there is no port to it, that of x86-64, and nothing is
 * traced.
 */
export const processMachine: ProcessAbi = LOCAL ?? x86;

import { PID_LIMIT } from './pid-list.js';

/** The number of async ids of a thread before they reach those of the next. */
const IDS_PER_CPU = 2 ** 26;

/**
 * The pid of an async context: in the main thread its async id, in the others with an offset so large that they do not meet
 * soon. Code in no context (async id 0) is the idle task, as on every cpu of a kernel.
 */
export const taskPid = (cpu: number, asyncId: number): number => (asyncId === 0 ? 0 : (asyncId + cpu * IDS_PER_CPU) % PID_LIMIT);

/** The cpu of the thread whose contexts have such pids. */
export const cpuOfTask = (pid: number): number => Math.floor(pid / IDS_PER_CPU);

import { PID_LIMIT } from '../core/pid-list.js';

/** Async ids of a thread before they reach those of the next. */
const IDS_PER_CPU = 2 ** 26;

/**
 * The pid of an async context: in the main thread its async id, in the others so far from it that they do not meet soon.
 * What runs in no context at all (async id 0) is the idle task, as on every cpu of a kernel.
 */
export const taskPid = (cpu: number, asyncId: number): number => (asyncId === 0 ? 0 : (asyncId + cpu * IDS_PER_CPU) % PID_LIMIT);

/** The cpu whose thread's contexts have such pids. */
export const cpuOfTask = (pid: number): number => Math.floor(pid / IDS_PER_CPU);

import { OPTION } from './format.js';
import type { TraceDatTables } from './trace-dat-file.js';

/** A process whose threads are CPUs of the recording. */
export interface ProcessInFile {
  readonly pid: number;
  readonly name: string;
  /** The CPUs that are its threads, its main thread's first. */
  readonly cpus: readonly number[];
}

/** A process of a recording that is being put together. */
export interface ProcessThreads {
  readonly pid: number;
  readonly name: string;
  /** How many CPUs it has. */
  readonly threads: number;
}

/** Gives processes their CPUs, with consecutive numbers. */
export function numberedThrough(processes: readonly ProcessThreads[]): readonly ProcessInFile[] {
  let first = 0;
  return processes.map(({ pid, name, threads }) => {
    const from = first;
    first += threads;
    return { pid, name, cpus: Array.from({ length: threads }, (_, i) => from + i) };
  });
}

/** The range of a process's text is not needed; its name has the CPUs. */
const RANGE = '0 ffffffffffffffff cpus:';

/**
 * The text of an option PROCMAPS (trace-cmd.dat.v7(5)): pid in hex, number of lines that follow, name; then a line for each
 * mapped text. fentry's has one line, whose name says which CPUs are the process's threads.
 */
export function processText({ pid, name, cpus }: ProcessInFile): string {
  return `${pid.toString(16)} 1 ${name.replace(/\s/g, '_')}\n${RANGE}${cpus.join(',')}\n`;
}

/** The processes that fentry recorded; none in files of other tools. */
export function recordedProcesses({ options }: TraceDatTables): readonly ProcessInFile[] {
  return (options.get(OPTION.PROCMAPS) ?? []).flatMap((data) => {
    const [, pid, name, cpus] = /^([\da-f]{1,8}) 1 (\S+)\n.* cpus:([\d,]+)\n/.exec(data.toString('utf8')) ?? [];
    if (pid === undefined || name === undefined || cpus === undefined) return [];
    return { pid: Number.parseInt(pid, 16), name, cpus: cpus.split(',').map(Number) };
  });
}

import { basename } from 'node:path';
import type { Program } from '../../client/program.js';

/** How many characters of a task's name the kernel keeps. */
const COMM_LENGTH = 15;

type Comms = readonly (readonly [pid: number, comm: string])[];

/** The name of a process in a recording of several: its script's, as short as a task's name. */
export const processName = ({ name, kind }: Program): string => (kind === 'own' ? basename(name) : name).slice(0, COMM_LENGTH);

/** The names of a process's tasks, where those that are called like its main thread (`node`) get the process's name. */
export function nameComms(comms: Comms, pid: number, name: string): Comms {
  const general = comms.find(([task]) => task === pid)?.[1];
  return /^(node|MainThread)$/.test(general ?? '') ? comms.map(([task, comm]) => [task, comm === general ? name : comm]) : comms;
}

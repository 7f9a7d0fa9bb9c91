import { readFileSync } from 'node:fs';
import { attempt } from './attempt.js';

/**
 * Places of fields in what `procStat` returns. Times in clock ticks; START: from the boot of the machine; MEMORY: bytes of
 * address space. START_STACK: an address, 0 if it is hidden.
 */
export const STAT = {
  STATE: 0,
  PARENT: 1,
  USER: 11,
  SYSTEM: 12,
  CHILDREN_USER: 13,
  CHILDREN_SYSTEM: 14,
  START: 19,
  MEMORY: 20,
  START_STACK: 25,
} as const;

/** Linux's USER_HZ: the clock ticks in which /proc counts times. */
export const TICKS_PER_SECOND = 100;

/**
 * The fields of /proc/PID/stat after the name, which may contain anything, also blanks and parentheses. Undefined if they cannot
 * be read.
 * @param folder `/proc/PID`, or the folder of a thread there
 */
export function procStat(folder: string): readonly string[] | undefined {
  const stat = attempt(() => readFileSync(`${folder}/stat`, 'utf8'));
  return stat ? stat.slice(stat.lastIndexOf(')') + 2).split(' ') : undefined;
}

import { readFileSync } from 'node:fs';
import { attempt } from '../base/attempt.js';
import { procStat, STAT } from '../base/proc-stat.js';
import { workingFolder } from '../base/working-folder.js';
import type { ApplicationTraits } from './applications.js';
import { programOf } from './program.js';

/** A process that can be traced. */
export interface TraceableProcess extends ApplicationTraits {
  /** The process's command line, with blanks between the arguments and without control characters. */
  readonly command: string;
  /** The process's working directory; '' if it cannot be seen. */
  readonly folder: string;
  readonly socketPath: string;
}

/** What /proc says about a process. */
export function describeProcess(pid: number, path: string): TraceableProcess {
  const args = argumentsOf(pid);
  const folder = workingFolder(pid);
  const program = programOf(args, folder);
  return {
    pid,
    command: printable(args.join(' ')),
    program: { ...program, name: printable(program.name) },
    folder: printable(folder),
    ancestors: ancestorsOf(pid),
    socketPath: path,
  };
}

/** The command line of a process; one empty word if it cannot be read. Programs that set a title leave zeros behind it. */
export const argumentsOf = (pid: number): readonly string[] =>
  (attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '').replace(/\0+$/, '').split('\0');

/** A program can put line feeds and escape sequences into its title. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');

/** The process's parent, the parent's parent and so on. */
export function ancestorsOf(pid: number): readonly number[] {
  const parent = Number(procStat(`/proc/${pid}`)?.[STAT.PARENT] ?? 0);
  return parent === 0 ? [] : [parent, ...ancestorsOf(parent)];
}

/** The environment that a process was started with. @throws what the system says, if it cannot be read */
export const environmentOf = (pid: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

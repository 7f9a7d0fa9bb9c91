import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Sandbox } from '../e2e/support/program.js';

/** A program that runs without fentry. */
export interface PlainProgram {
  readonly child: ChildProcess;
  readonly pid: number;
}

/** Options of Node: the inspector takes any port, so that tests can run side by side. */
const FLAGS = ['--inspect-port=0'];

/** Starts a program without fentry, and waits until it says `ready`. */
export async function startPlain(
  sandbox: Sandbox,
  source: string,
  name = 'program.cjs',
  flags: readonly string[] = FLAGS,
): Promise<PlainProgram> {
  const child = sandbox.spawn([...flags, sandbox.file(name, source)]);
  let printed = '';
  child.stdout?.setEncoding('utf8');
  while (!printed.includes('ready')) printed += String((await once(child.stdout!, 'data'))[0]);
  // An unread pipe would stop the program.
  child.stdout?.resume();
  child.stderr?.resume();
  return { child, pid: child.pid! };
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { attempt } from '../../src/base/attempt.js';
import type { TraceClient } from '../../src/client/trace-client.js';
import { ElfFile, SECTION_FLAG } from '../../src/native/elf/elf-file.js';
import { processMaps } from '../../src/native/process/process-maps.js';
import { ProcessMemory } from '../../src/native/process/process-memory.js';
import { threadState } from '../../src/native/process/tasks.js';
import { type Cleanup, compile, type RunningProgram, start } from '../../src/native/testing/programs.js';
import { Sandbox, until } from '../e2e/support/program.js';

const HOST = resolve('dist/native.cjs');

export { noCompiler, noTracing } from '../../src/native/testing/programs.js';

/** Why a compiler's build forms cannot be tested; false if they can. */
export const lacks = (compiler: string): string | false =>
  attempt(() => execFileSync(compiler, ['--version'], { stdio: 'ignore' })) === undefined ? `there is no ${compiler}` : false;

/** Why this process may not write the text of one that it has started; false if it may. */
export function textRefusal(): string | false {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  try {
    const { start } = processMaps(child.pid!).find(({ permissions }) => permissions === 'r-xp')!;
    const memory = new ProcessMemory(child.pid!);
    memory.write(start, memory.read(start, 1));
    memory.close();
    return false;
  } catch (error) {
    return `text of other processes cannot be written: ${(error as Error).message}`;
  } finally {
    child.kill('SIGKILL');
  }
}

/** A native program to which fentry is attached. */
export interface NativeMachine {
  readonly pid: number;
  readonly program: RunningProgram;
  readonly files: TraceClient;
  readonly sandbox: Sandbox;
  /** Sends a line to the program, and returns the next line that it prints. */
  ask(line?: string): Promise<string>;
}

/** Sends a line to a program, and returns the next line that it prints. */
export async function asked({ child, output }: RunningProgram, line: string): Promise<string> {
  const before = output().length;
  child.stdin!.write(`${line}\n`);
  await until(() => output().indexOf('\n', before) >= 0, `the program has answered ${line}`);
  return output().slice(before, output().indexOf('\n', before));
}

/** A program that prints `ready`, compiled and started. */
export const ready = (t: Cleanup, source: string, options: readonly string[] = [], compiler = 'gcc'): Promise<RunningProgram> =>
  startReady(t, compile(t, source, options, compiler));

/** Starts a program that prints `ready`. */
export async function startReady(t: Cleanup, file: string): Promise<RunningProgram> {
  const program = start(t, file);
  await until(() => program.output().startsWith('ready\n'), 'the program is ready');
  return program;
}

/** Attaches to a program with the command that users have. */
export async function attach(t: Cleanup, program: RunningProgram, sandbox = new Sandbox(t)): Promise<NativeMachine> {
  const { pid } = program;
  const attached = await sandbox.fentry('attach', '--native', String(pid));
  if (attached.code !== 0) throw new Error(attached.stderr);
  return { pid, program, sandbox, files: sandbox.client(pid), ask: (line = '') => asked(program, line) };
}

/** Starts a host as `fentry attach --native` does, without another process; its socket is the sandbox's. */
export function startHost(sandbox: Sandbox, pid: number): ChildProcess {
  const socket = join(sandbox.sockets, `${pid}.sock`);
  return spawn(process.execPath, [HOST, String(pid), socket], {
    env: sandbox.env(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Starts a host; resolves when it has attached. */
export async function hosted(sandbox: Sandbox, pid: number): Promise<ChildProcess> {
  const host = startHost(sandbox, pid);
  const [answer] = (await once(host, 'message')) as [{ readonly message?: string }];
  if (answer.message !== undefined) throw new Error(answer.message);
  return host;
}

/** A program in C, running and attached to. */
export const traced = async (
  t: Cleanup,
  source: string,
  options: readonly string[] = [],
  compiler = 'gcc',
): Promise<NativeMachine> => attach(t, await ready(t, source, options, compiler));

/** The text of a program's executable. */
export function textOf(pid: number): string {
  const range = processMaps(pid).find(({ path, permissions }) => path.endsWith('/program') && permissions === 'r-xp')!;
  const memory = new ProcessMemory(pid);
  const text = Buffer.from(memory.read(range.start, range.end - range.start));
  memory.close();
  // Behind the last section stands what was lent for system calls.
  return text.subarray(0, text.indexOf(Buffer.alloc(64))).toString('hex');
}

/**
 * The text of a program that waits for input, and what is mapped in it. Before the program waits, the C library maps room for the
 * input.
 */
export async function memoryOf(pid: number): Promise<readonly string[]> {
  await until(() => threadState(pid, pid) === 'S', 'the program waits');
  return [textOf(pid), readFileSync(`/proc/${pid}/maps`, 'latin1')];
}

/** Whether the text of a process is that of its executable's file. */
export function isAsInFile(pid: number): boolean {
  const path = `/proc/${pid}/exe`;
  const elf = new ElfFile(readFileSync(path), path);
  const base = processMaps(pid).find((range) => range.path.endsWith('/program'))!.start - elf.span[0];
  const memory = new ProcessMemory(pid);
  const sections = elf.sections.filter(({ flags, size }) => flags & SECTION_FLAG.execute && size > 0);
  const isSame = sections.every(({ address, size }) => elf.at(address, size)!.equals(memory.read(base + address, size)));
  memory.close();
  return isSame;
}

/** The process that traces another one. */
export const hostOf = (pid: number): number =>
  Number(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .find((name) => attempt(() => readFileSync(`/proc/${name}/cmdline`, 'latin1'))?.includes(`native.cjs\0${pid}\0`)),
  );

/** Records in the buffers, and those that were lost. */
export async function recorded(files: NativeMachine['files']): Promise<number> {
  const cpus = await files.list('per_cpu');
  const texts = await Promise.all(cpus.map(({ name }) => files.read(`per_cpu/${name}/stats`)));
  return texts
    .flatMap((text) => [...text.matchAll(/^(?:entries|overrun|dropped events|commit overrun): (\d+)$/gm)])
    .reduce((all, [, count]) => all + Number(count), 0);
}

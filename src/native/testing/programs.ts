import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attempt } from '../../base/attempt.js';
import { isKnownMachine } from '../machines/process-machine.js';

/** What a test gives back when it ends. */
export interface Cleanup {
  after(run: () => void | Promise<void>): void;
}

/** A process that runs, and its output so far. */
export interface RunningProgram {
  readonly pid: number;
  readonly child: ChildProcess;
  output(): string;
}

const noGcc =
  attempt(() => execFileSync('gcc', ['--version'], { stdio: 'ignore' })) === undefined ? ('there is no gcc' as const) : false;

/** Why programs in C cannot be tested here; false if they can. */
export const noTracing: string | false = isKnownMachine ? noGcc : 'machine code of this processor is not traced';

/** Why a program for x86-64 alone cannot be compiled and traced; false: it can be. */
export const noCompiler: string | false = process.arch === 'x64' ? noGcc : 'only machine code of x86-64 is traced like that';

/** A folder that is removed with the test. */
export function testFolder(t: Cleanup): string {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-native-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Compiles a C program with gcc, or another compiler, and returns its path. */
export function compile(t: Cleanup, source: string, options: readonly string[] = [], compiler = 'gcc'): string {
  const folder = testFolder(t);
  const file = join(folder, 'program.c');
  const program = join(folder, 'program');
  writeFileSync(file, source);
  execFileSync(compiler, ['-O1', '-pthread', ...options, '-o', program, file], { stdio: ['ignore', 'ignore', 'inherit'] });
  return program;
}

/** Starts a program, which is killed with the test. */
export function start(t: Cleanup, command: string, args: readonly string[] = []): RunningProgram {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  t.after(() => void child.kill('SIGKILL'));
  return { pid: child.pid!, child, output: () => output };
}

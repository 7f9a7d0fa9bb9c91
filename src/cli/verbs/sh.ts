import { createInterface } from 'node:readline/promises';
import { text as readText } from 'node:stream/consumers';
import { FileSession } from '../../client/file-session.js';
import { whileAwaiting } from '../../client/stopped-process.js';
import { PID_OPTION, parseOptions } from '../arguments.js';
import { print } from '../output.js';
import { TraceShell } from '../shell/shell.js';
import { targetOf } from '../target.js';
import type { Verb } from '../verb.js';

const OPTIONS = { ...PID_OPTION, command: { type: 'string', short: 'c' } } as const;
/** A line that is nothing but `cat trace_pipe`: it goes on until Ctrl-C. */
const STREAM = /^\s*cat\s+(\S*trace_pipe)\s*$/;

export const sh: Verb = {
  name: 'sh',
  synopsis: '[--pid PID] [-c COMMANDS]',
  summary: 'run a shell on the control files, without a mount',
  options: OPTIONS,
  help: `Without -c it reads commands from the terminal or from stdin. The shell is a bash inside of fentry (just-bash), with grep, head,
awk and other tools. Its other files are in memory, and it starts no programs. cat trace_pipe alone on a line goes on until
Ctrl-C; anywhere else, trace_pipe ends after what is there now.

Example: fentry sh -c 'echo function > current_tracer; cat trace | head'
`,
  async run(args) {
    const { values } = parseOptions(args, OPTIONS);
    const { pid, socketPath } = await targetOf(values);
    const ended = whileAwaiting(pid);
    const session = await FileSession.connect(socketPath);
    try {
      const shell = await TraceShell.open(session);
      if (values.command !== undefined) return await runLine(shell, values.command);
      return process.stdin.isTTY ? await interactive(shell) : await runLine(shell, await readText(process.stdin));
    } finally {
      session.close();
      ended();
    }
  },
};

async function runLine(shell: TraceShell, line: string): Promise<number> {
  const pipe = STREAM.exec(line)?.[1];
  const path = pipe === undefined ? undefined : shell.fileOf(pipe);
  if (path !== undefined) return follow(shell, path);
  const { stdout, stderr, exitCode } = await shell.run(line);
  print(stdout);
  process.stderr.write(stderr);
  return exitCode;
}

async function follow(shell: TraceShell, path: string): Promise<number> {
  const ctrlC = new AbortController();
  const stop = (): void => ctrlC.abort();
  process.once('SIGINT', stop);
  try {
    await shell.files.stream(path, (bytes) => void process.stdout.write(bytes), ctrlC.signal);
    return 0;
  } catch (error) {
    if (!ctrlC.signal.aborted) throw error;
    return 130;
  } finally {
    process.off('SIGINT', stop);
  }
}

async function interactive(shell: TraceShell): Promise<number> {
  let status = 0;
  for (;;) {
    // One reader for each line: while a command runs, Ctrl-C is for the command.
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const line = await new Promise<string | undefined>((resolve) => {
      terminal.once('close', () => resolve(undefined));
      terminal.once('SIGINT', () => resolve(''));
      void terminal.question(`fentry:${shell.cwd}# `).then(resolve, () => resolve(undefined));
    });
    terminal.close();
    if (line === undefined || /^\s*exit\b/.test(line)) break;
    if (line.trim() === '') print(line === '' ? '' : '\n');
    else status = await runLine(shell, line).catch(complain);
  }
  return status;
}

function complain(error: unknown): number {
  process.stderr.write(`${(error as Error).message}\n`);
  return 1;
}

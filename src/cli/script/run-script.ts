import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { complain, drained, print } from '../output.js';
import { isRefusal, ScriptSession } from './script-session.js';

/** A script, as a verb was given it. */
export interface AskedScript {
  readonly language: 'bpftrace' | 'stap';
  /** How errors name its file. */
  readonly file: string;
  readonly text: string;
  /** What its compiler is told: options and arguments, as the original command takes them. */
  readonly words: readonly string[];
}

/** How a script's output is printed, and what else ends it. */
export interface Printing {
  /** The file that gets its output; undefined: stdout. */
  readonly output: string | undefined;
  /** After so many seconds it is asked to end. */
  readonly seconds?: number | undefined;
  /** A promise: when it resolves, the script is asked to end. */
  readonly until?: Promise<unknown> | undefined;
}

/** What ends a script; the second time at once. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Milliseconds without output after which a script that a signal has ended is left to its process: that ends it as soon as it
 * can, and may be stopped.
 */
const END_PATIENCE = 2000;

/** The source that is written to the process: the first line has what no script says of itself. */
export const sourceOf = ({ language, file, words, text }: AskedScript): string =>
  `#!fentry ${JSON.stringify([language, file, ...words])}\n${text}`;

/** Runs a script in a process until it ends, prints what it prints, and returns the exit code. */
export async function runScript(script: AskedScript, socketPath: string, printing: Printing): Promise<number> {
  const session = await ScriptSession.open(socketPath, script.language);
  try {
    await session.start(sourceOf(script));
  } catch (error) {
    // What is wrong with it is in its messages then.
    if (!isRefusal(error)) {
      session.close();
      throw error;
    }
  }
  return (await printScript(session, printing)).hasFailed ? 1 : 0;
}

/** How a script has ended. */
export interface ScriptEnd {
  readonly hasFailed: boolean;
  /** The end of the program was its end. */
  readonly withProgram: boolean;
}

/** Prints what a script prints until it has ended, and ends the session. */
export async function printScript(session: ScriptSession, { output, seconds, until }: Printing): Promise<ScriptEnd> {
  let isAsked = false;
  let closing: NodeJS.Timeout | undefined;
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    session.close();
  };
  const stop = (): void => {
    if (isAsked) close();
    else void session.exit();
    isAsked = true;
    closing ??= setTimeout(close, END_PATIENCE);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  const timer = seconds === undefined ? undefined : setTimeout(() => void session.exit(), seconds * 1000);
  const out = output === undefined ? undefined : createWriteStream(output);
  const failed = new Promise<never>((_resolve, reject) => out?.on('error', reject));
  failed.catch(() => {});
  const decoder = new TextDecoder();
  try {
    const printed = Promise.all([
      session.follow('output', async (bytes) => {
        closing?.refresh();
        const isTaken = out?.write(bytes) ?? print(decoder.decode(bytes, { stream: true }));
        if (!isTaken) await Promise.race([drained(out ?? process.stdout), failed]);
      }),
      session.follow('messages', (bytes) => void process.stderr.write(bytes)),
    ] as const);
    void until?.then(() => session.exit());
    const [isWhole] = await Promise.race([printed, failed]);
    out?.end();
    if (out !== undefined) await Promise.race([once(out, 'close'), failed]);
    if (isWhole) return await endOfScript(session);
    complain(`${isClosed ? 'the process has not answered' : 'the process is gone'}: what the script prints at its end is lost`);
    return { hasFailed: true, withProgram: !isClosed };
  } finally {
    clearTimeout(timer);
    clearTimeout(closing);
    for (const signal of STOP_SIGNALS) process.off(signal, stop);
    session.close();
  }
}

async function endOfScript(session: ScriptSession): Promise<ScriptEnd> {
  const status = await session.read('status');
  return { hasFailed: /^state failed$/m.test(status), withProgram: status === '' || /^program ended$/m.test(status) };
}

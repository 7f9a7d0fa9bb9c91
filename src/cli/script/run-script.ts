import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { drained, print } from '../output.js';
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

/** Where and how long it runs. */
export interface ScriptRun {
  readonly socketPath: string;
  /** The file that gets its output; undefined: stdout. */
  readonly output: string | undefined;
  /** After so many seconds it is asked to end. */
  readonly seconds?: number | undefined;
  /** It is asked to end when this resolves. */
  readonly until?: Promise<unknown> | undefined;
}

/** What ends a script; the second time at once. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The source that is written to the process: the first line has what no script says of itself. */
const sourceOf = ({ language, file, words, text }: AskedScript): string =>
  `#!fentry ${JSON.stringify([language, file, ...words])}\n${text}`;

/** Runs a script in a process until it ends, prints what it prints, and returns the exit code. */
export async function runScript(script: AskedScript, { socketPath, output, seconds, until }: ScriptRun): Promise<number> {
  const session = await ScriptSession.open(socketPath, script.language);
  let signals = 0;
  const stop = (): void => {
    signals++;
    if (signals === 1) void session.exit();
    else session.close();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  const timer = seconds === undefined ? undefined : setTimeout(() => void session.exit(), seconds * 1000);
  const out = output === undefined ? undefined : createWriteStream(output);
  try {
    const isRefused = await begin(session, script);
    const printed = Promise.all([
      session.follow('output', (bytes) => put(bytes, out)),
      session.follow('messages', (bytes) => void process.stderr.write(bytes)),
    ]);
    void until?.then(() => session.exit());
    await printed;
    if (out !== undefined) {
      out.end();
      await once(out, 'close');
    }
    return isRefused || (await hasFailed(session)) ? 1 : 0;
  } finally {
    clearTimeout(timer);
    for (const signal of STOP_SIGNALS) process.off(signal, stop);
    session.close();
  }
}

/** Begins the script; returns whether it was refused. What is wrong with it is in its messages then. */
async function begin(session: ScriptSession, script: AskedScript): Promise<boolean> {
  try {
    await session.start(sourceOf(script));
    return false;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return true;
  }
}

async function put(bytes: Uint8Array, out: Writable | undefined): Promise<void> {
  if (out === undefined) print(Buffer.from(bytes).toString());
  else if (!out.write(bytes)) await drained(out);
}

const hasFailed = async (session: ScriptSession): Promise<boolean> =>
  /^state failed$/m.test(await session.read('status').catch(() => ''));

import type { AnswerValue } from '../answers/answer.js';
import { TraceError } from '../base/errno.js';
import { connectTo } from '../client/processes.js';
import type { TraceClient } from '../client/trace-client.js';
import { numberOption } from './arguments.js';
import { complain } from './output.js';
import { UsageError } from './verb.js';

/** A process that is to answer: with the client of its control files, if it runs with fentry. */
export interface AnsweredProcess {
  readonly pid: number;
  readonly client?: TraceClient;
}

/**
 * An answer: from the process's file of that name, or, of one that runs without fentry, from `unprepared`.
 * @throws TraceError as the file is refused, or `unprepared` throws
 */
export async function answerOf<Value extends AnswerValue>(
  { client, pid }: AnsweredProcess,
  name: string,
  unprepared: (pid: number) => Promise<Value>,
): Promise<Value> {
  return client === undefined ? unprepared(pid) : (JSON.parse(await client.read(`answers/${name}.json`)) as Value);
}

/**
 * The process that a verb names in a word or by --pid; without either the only application that runs with fentry.
 * @throws UsageError for several words, TraceError ENODEV if none is named and none runs with fentry
 */
export async function answeredProcess(words: readonly string[], option: string | undefined): Promise<AnsweredProcess> {
  const [word = option, ...others] = words;
  if (others.length > 0 || (words.length > 0 && option !== undefined)) throw new UsageError('name one process by its id');
  const pid = word === undefined ? undefined : numberOption('PID', word, 1);
  try {
    const client = await connectTo(pid, complain);
    return { pid: client.pid, client };
  } catch (error) {
    if (pid === undefined || !(error instanceof TraceError) || error.errno !== 'ENODEV') throw error;
    return { pid };
  }
}

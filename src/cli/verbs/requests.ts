import { existsSync } from 'node:fs';
import { DEFAULT_SECONDS, MOST_SECONDS, type RequestsAnswer } from '../../answers/requests/requests-answer.js';
import { requestsText } from '../../answers/requests/requests-text.js';
import { TraceError } from '../../base/errno.js';
import { visible } from '../../base/visible.js';
import type { TraceClient } from '../../client/trace-client.js';
import { ANSWER_HELP, ANSWER_OPTIONS, printAnswer } from '../answer-output.js';
import { answeredProcess } from '../answered-process.js';
import { numberOption, PID_OPTION, parseOptions } from '../arguments.js';
import { followedAnswer } from '../followed-answer.js';
import { isGone } from '../is-gone.js';
import { complain } from '../output.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  ...PID_OPTION,
  ...ANSWER_OPTIONS,
  delay: { type: 'string', short: 'd' },
  channel: { type: 'string' },
} as const;

export const requests: Verb = {
  name: 'requests',
  synopsis: '[-d SECONDS] [--channel NAME] [--all] [--json] [PID | FILE]',
  summary: 'say where the time of HTTP requests goes: the thread, each wait with its place, turns of others',
  options: OPTIONS,
  help: `Follows the requests of a running process for some seconds, or until Ctrl-C; then prints the routes and the slowest requests.
Meanwhile Node tells fentry of each async context, which costs the program time.
A process without fentry is attached to for that time, and detached from at the end.

FILE: a recording of the same events (docs/requests.md has the command) in place of a process.

  -d SECONDS      how long (${DEFAULT_SECONDS})
  --channel NAME  follow jobs instead: each from the message that begins it to the one that ends it. NAME is a tracing channel
                  of diagnostics_channel ('queue.job' for 'tracing:queue.job:start'), or two channels: BEGIN,END
${ANSWER_HELP.replaceAll(/^ {2}--(\w+) {2,}/gm, (_all, name: string) => `  --${name}`.padEnd(18))}
Examples: fentry requests -d 30 4711
          fentry requests --channel queue.job
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const { channel } = values;
    if (channel !== undefined) checkChannel(channel);
    const [word, more] = words;
    const isFile = word !== undefined && !/^\d+$/.test(word);
    if (isFile && more !== undefined) throw new UsageError(`requests reads one recording: '${more}' is a second one`);
    const answer = isFile ? await recorded(word, channel) : await live(words, values);
    printAnswer(answer, requestsText, values);
    return 0;
  },
};

function checkChannel(channel: string): void {
  const names = channel.split(',');
  if (names.length > 2 || names.includes('')) {
    throw new UsageError(`--channel takes a tracing channel, or two channels with a comma between them, not '${channel}'`);
  }
}

async function recorded(file: string, channel: string | undefined): Promise<RequestsAnswer> {
  if (!existsSync(file)) throw new TraceError('ENOENT', `there is no file ${file}`);
  // What reads recordings is large.
  const { recordedRequests } = await import('../../output/trace-dat/index.js');
  const { answer, warnings } = recordedRequests(file, channel);
  for (const warning of warnings) complain(visible(warning));
  return answer;
}

interface LiveOptions {
  readonly pid?: string;
  readonly delay?: string;
  readonly channel?: string;
}

async function live(words: readonly string[], { pid: option, delay, channel }: LiveOptions): Promise<RequestsAnswer> {
  const seconds = delay === undefined ? DEFAULT_SECONDS : numberOption('-d', delay, 1);
  if (seconds > MOST_SECONDS) throw new UsageError(`-d takes at most ${MOST_SECONDS} seconds, not '${delay}'`);
  const { client, pid } = await answeredProcess(words, option);
  const file = `${seconds}.json`;
  const path = channel === undefined ? `requests_seconds/${file}` : `requests_channels/${encodeURIComponent(channel)}/${file}`;
  const ask = (asked: TraceClient): Promise<RequestsAnswer> => follow(asked, `answers/${path}`, seconds);
  if (client !== undefined) return ask(client);
  // The inspector's client is large.
  const { whileAttached } = await import('../attach/while-attached.js');
  return whileAttached(pid, ask);
}

async function follow(client: TraceClient, path: string, seconds: number): Promise<RequestsAnswer> {
  const end = new AbortController();
  const stop = (): void => end.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const begun = (): void => complain(`follows process ${client.pid} for ${seconds} s; Ctrl-C ends that earlier`);
  try {
    return JSON.parse(await followedAnswer(client, path, end.signal, begun)) as RequestsAnswer;
  } catch (error) {
    if (!isGone(error)) throw error;
    throw new TraceError('ENODEV', `process ${client.pid} has ended before the answer was there`);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

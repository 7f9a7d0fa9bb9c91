import { requestsText } from '../../answers/requests/requests-text.js';
import { connectTo } from '../../client/processes.js';
import { ANSWER_HELP, ANSWER_OPTIONS, printAnswer } from '../answer-output.js';
import { numberOption, PID_OPTION, parseOptions } from '../arguments.js';
import { complain } from '../output.js';
import { liveRequests } from '../requests/live-requests.js';
import { recordedRequests } from '../requests/recorded-requests.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = { ...PID_OPTION, ...ANSWER_OPTIONS, delay: { type: 'string', short: 'd' } } as const;
const DEFAULT_SECONDS = 10;

export const requests: Verb = {
  name: 'requests',
  synopsis: '[--pid PID] [-d SECONDS] [--all] [--json] [FILE]',
  summary: 'say where the time of HTTP requests goes: the thread, each wait with its place, turns of others',
  options: OPTIONS,
  help: `Follows the requests of a running process for some seconds, or until Ctrl-C; then prints the routes and the slowest requests.
Meanwhile Node tells fentry of each async context, which costs the program time.

FILE: a recording of the same events (docs/requests.md has the command) in place of a process.

  -d SECONDS  how long (${DEFAULT_SECONDS})
${ANSWER_HELP}
Example: fentry requests --pid 4711 -d 30
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const [file, more] = words;
    if (more !== undefined) throw new UsageError(`requests reads one recording: '${more}' is a second one`);
    if (file !== undefined) {
      printAnswer(await recordedRequests(file), requestsText, values);
      return 0;
    }
    const seconds = values.delay === undefined ? DEFAULT_SECONDS : numberOption('-d', values.delay, 1);
    const client = await connectTo(values.pid === undefined ? undefined : numberOption('--pid', values.pid, 1), complain);
    const end = new AbortController();
    const stop = (): void => end.abort();
    process.once('SIGINT', stop).once('SIGTERM', stop);
    const timer = setTimeout(stop, seconds * 1000);
    try {
      printAnswer(await liveRequests(client, end.signal), requestsText, values);
    } finally {
      clearTimeout(timer);
      process.off('SIGINT', stop).off('SIGTERM', stop);
    }
    return 0;
  },
};

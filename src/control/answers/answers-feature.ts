import type { PortFeature } from '../../ftrace/tracers/features.js';
import type { Inspect } from '../../port/inspect.js';
import { type Feature, one } from '../tracefs/feature.js';
import { O_RDONLY, type TraceFile } from '../tracefs/node.js';
import { directory } from '../tracefs/path.js';
import { readOnly } from '../tracefs/text-file.js';
import { ANSWER_NAMES, type AnswerName, NATIVE_ANSWER_NAMES } from './answer-names.js';
import { askable } from './askable.js';
import type { FollowedProcess } from './followed-requests.js';
import { loadAnswers } from './load-answers.js';
import { memoryFiles } from './memory-files.js';
import { requestsFiles } from './requests-files.js';
import { slowFiles } from './slow-files.js';
import type { SlowTurns } from './slow-turns.js';

/** What answers need of the process. */
export interface AnsweringProcess extends FollowedProcess {
  readonly lacks: ReadonlySet<PortFeature>;
  readonly port: { readonly inspect?: Inspect | undefined };
}

/** A file whose content is asked for when it is opened. */
const answerFile = (name: AnswerName, isJson: boolean, { port }: AnsweringProcess, slow: () => SlowTurns): TraceFile => ({
  kind: 'file',
  mode: 0o440,
  async open(flags, caller) {
    const inspect = askable(port.inspect);
    const content = flags.read ? await loadAnswers().answerContent(name, { inspect, slow }, isJson) : '';
    return readOnly(() => content).open(flags.read ? O_RDONLY : flags, caller);
  },
});

/** The directory answers/. */
export const answersFeature: Feature<AnsweringProcess> = {
  name: 'answers',
  files(process) {
    let turns: SlowTurns | undefined;
    const slow = (): SlowTurns => (turns ??= new (loadAnswers().SlowTurns)(() => process.port.inspect));
    const filesOf = (names: readonly AnswerName[]): Readonly<Record<string, TraceFile>> =>
      Object.fromEntries(
        names.flatMap((name) => [
          [name, answerFile(name, false, process, slow)],
          [`${name}.json`, answerFile(name, true, process, slow)],
        ]),
      );
    if (process.lacks.has('script answers')) return { answers: directory(filesOf(NATIVE_ANSWER_NAMES)) };
    return {
      answers: directory({
        ...filesOf(ANSWER_NAMES),
        ...slowFiles(slow),
        ...requestsFiles(process),
        ...memoryFiles(() => process.port.inspect),
      }),
    };
  },
  help: (lacks) => (lacks.has('script answers') ? HELP : HELP + SCRIPT_HELP),
  parameters: [['slow_ms', one('answers/slow_ms')]],
};

const HELP = `
  answers/             - what the process does now; each file is asked for when it is opened, and NAME.json has the same as data
      bt               - the stack of each thread, and what a thread outside of JavaScript does; bt_locals: with all variables
`;
const SCRIPT_HELP = `\
      waiting          - the suspended async calls of each thread and what waits for them; the thread stands still for it.
                         waiting_locals: with variables; waiting_forced, waiting_locals_forced: also of a heap above 512 MB
      slow             - the turns of the event loop over slow_ms milliseconds since that was written; slow_pipes/MS tells of them as they come
      handles          - what keeps each thread alive: timers, servers, sockets, child processes ...; handles_forced: as above
      allocations      - the functions that allocate memory, and whose memory lives on: reading it takes 10 s, and
                         allocations_seconds/N, which no listing shows, takes N s
      requests         - where the time of the next HTTP requests goes: they are followed for 10 s from when it is opened, or
                         until something is written to it; requests_seconds/N: for N s; requests_channels/CHANNEL/N: jobs
      heap             - the objects that become more in 10 s, by constructor, and what holds them; heap_seconds/N: in N s. Each thread
                         stands still for two snapshots of its heap; heap_seconds/N_forced: also of a heap above 512 MB
`;

import { connectTo, traceableProcesses } from '../../client/processes.js';
import type { TraceClient } from '../../client/trace-client.js';
import { TRACE_OPTIONS } from '../../ftrace/options.js';
import { TRACER_NAMES } from '../../ftrace/tracers/tracers.js';
import { PROFILE_ORDERS } from '../../output/trace-dat/index.js';
import { MARK_NAMES } from '../../script/node-marks.js';
import { listedProbes } from '../probe/listed-probe.js';
import { CLOCK_WORDS } from '../record/start-parameters.js';
import type { Candidate, ValueSource } from './candidates.js';
import { listedPoints } from './listed-points.js';
import { SHELLS } from './scripts.js';

/** More would not help. */
const MOST_FUNCTIONS = 300;

type Values = (typed: string, pid: number | undefined) => Promise<readonly Candidate[]> | readonly Candidate[];

const plain = (words: readonly string[]): readonly Candidate[] => words.map((word) => ({ word, about: '' }));

/** Functions of the running process, `name` or `:mod:PACKAGE`. */
const functions: Values = async (typed, pid) => {
  const lines = (await (await connectTo(pid)).read('available_filter_functions')).split('\n').filter((line) => line !== '');
  const packages = new Set(lines.map((line) => /\[(.*)\]$/.exec(line)?.[1]).filter((name) => name !== undefined));
  const names = new Map(lines.map((line) => [line.split(/[ \t]/)[0]!, /\[(.*)\]$/.exec(line)?.[1] ?? '']));
  const found = [...names].filter(([name]) => name.startsWith(typed)).slice(0, MOST_FUNCTIONS);
  const modules = typed.startsWith(':') ? plain([...packages].map((name) => `:mod:${name}`)) : [];
  return [...modules, ...found.map(([word, about]) => ({ word, about }))];
};

/** Events of the running process, and their systems. */
const events: Values = async (_typed, pid) => {
  const lines = (await (await connectTo(pid)).read('available_events')).split('\n').filter((line) => line !== '');
  return plain([...new Set(lines.map((line) => line.split(':')[0]!)), ...lines, 'all']);
};

/** Probes of the running process. */
const probes: Values = async (_typed, pid) => {
  const listed = listedProbes(await (await connectTo(pid)).read('dynamic_events'));
  return plain([...new Set(listed.map(({ group, event }) => `${group}:${event}`))]);
};

const options: Values = (typed) =>
  TRACE_OPTIONS.map(({ name }) => ({ word: typed.startsWith('no') && !name.startsWith(typed) ? `no${name}` : name, about: '' }));

const files: Values = async (typed, pid) => {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  const client: TraceClient = await connectTo(pid);
  const entries = await client.list(folder.replace(/\/$/, ''));
  return entries.map(({ name, kind }) => ({ word: `${folder}${name}${kind === 'directory' ? '/' : ''}`, about: '' }));
};

const marks: Values = () => plain(MARK_NAMES);

/** The words before a probe's name in a script, and where the names come from. */
const PROBES: readonly (readonly [before: RegExp, names: Values])[] = [
  [/^(?:.*[\s,])?(?:kprobe|kretprobe|kfunc|kretfunc|k|kr|f|fr):/s, functions],
  [/^(?:.*[\s,])?(?:tracepoint|t):/s, events],
  [/^(?:.*[\s,])?(?:usdt|U):[^:\s]*:/s, marks],
];

/** A script of bpftrace, as far as the name of a probe is being typed. */
const script: Values = async (typed, pid) => {
  for (const [before, names] of PROBES) {
    const [start] = before.exec(typed) ?? [];
    if (start === undefined) continue;
    const found = await names(typed.slice(start.length), pid);
    return found.map(({ word, about }) => ({ word: `${start}${word}`, about }));
  }
  return plain(['BEGIN', 'END', 'kprobe:', 'kretprobe:', 'tracepoint:', 'usdt:node:', 'interval:s:', 'profile:hz:']);
};

/** Points of SystemTap's language, and the beginnings of those that take a name. */
const STAP_POINTS = [
  'begin',
  'end',
  'error',
  'kernel.function("',
  'kernel.statement("',
  'kernel.trace("',
  'module("',
  'process("',
  'process("node").mark("',
  'timer.s(',
  'timer.ms(',
  'timer.profile',
];

/** What stands before a name in a point of SystemTap's, and where the names come from. */
const STAP_NAMES: readonly (readonly [before: RegExp, names: Values])[] = [
  [/^(?:kernel|process|module\("[^"]*"\)|process\("[^"]*"\))\.function\("/, functions],
  [/^kernel\.trace\("/, events],
  [/^process\("[^"]*"\)(?:\.provider\("[^"]*"\))?\.mark\("/, marks],
];

/** A point of SystemTap's language; aliases as the process lists them. */
const point: Values = async (typed, pid) => {
  for (const [before, names] of STAP_NAMES) {
    const [start] = before.exec(typed) ?? [];
    if (start === undefined) continue;
    const found = await names(typed.slice(start.length), pid);
    return found.map(({ word, about }) => ({ word: `${start}${word}")`, about }));
  }
  const known = STAP_POINTS.filter((word) => word.startsWith(typed));
  if (typed === '' || known.length > 0 || !/^[\w.]+$/.test(typed)) return plain(STAP_POINTS);
  return plain(await listedPoints(`${typed}*?, ${typed}*.*?`, pid));
};

const VALUES: Readonly<Record<string, Values>> = {
  program: script,
  'stap list': point,
  'stap list-vars': point,
  tracer: () => plain(TRACER_NAMES),
  function: functions,
  notrace: functions,
  graph: functions,
  line: functions,
  vars: functions,
  add: functions,
  definition: functions,
  del: probes,
  event: events,
  option: options,
  clock: () => plain(CLOCK_WORDS),
  sort: () => plain(Object.keys(PROFILE_ORDERS)),
  pid: async () => (await traceableProcesses()).map(({ pid, program }) => ({ word: String(pid), about: program.name })),
  instance: async (_typed, pid) => plain((await (await connectTo(pid)).list('instances')).map(({ name }) => name)),
  file: files,
  shell: () => plain(SHELLS),
};

/** Options of the same name that mean something else. */
const ELSEWHERE: ReadonlySet<string> = new Set(['report option', 'stack stop', 'stap program']);

/** The tables of this command, and the answers of the running processes. */
export const VALUE_SOURCE: ValueSource = {
  async values(verb, option, typed, pid) {
    if (ELSEWHERE.has(`${verb} ${option}`)) return [];
    try {
      return (await (VALUES[`${verb} ${option}`] ?? VALUES[option])?.(typed, pid)) ?? [];
    } catch {
      // No process, or several: then nothing is known.
      return [];
    }
  },
};

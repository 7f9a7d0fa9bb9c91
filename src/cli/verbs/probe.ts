import { TraceError } from '../../base/errno.js';
import { compileGlob } from '../../base/glob.js';
import type { TraceClient } from '../../client/trace-client.js';
import { PID_OPTION, parseOptions } from '../arguments.js';
import { functionLines } from '../function-pattern.js';
import { print } from '../output.js';
import { type ListedProbe, listedProbes, probeRow } from '../probe/listed-probe.js';
import { parsePerfDefinition } from '../probe/perf-definition.js';
import { placeVariables, variablesText } from '../probe/place-variables.js';
import { fileOf, type ProbeLine, probeLine } from '../probe/probe-line.js';
import { targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  ...PID_OPTION,
  list: { type: 'boolean', short: 'l' },
  line: { type: 'string', short: 'L' },
  vars: { type: 'string', short: 'V' },
  externs: { type: 'boolean' },
  add: { type: 'string', short: 'a', multiple: true },
  definition: { type: 'string', short: 'D', multiple: true },
  'dry-run': { type: 'boolean', short: 'n' },
  force: { type: 'boolean', short: 'f' },
  del: { type: 'string', short: 'd', multiple: true },
  funcs: { type: 'boolean', short: 'F' },
  quiet: { type: 'boolean', short: 'q' },
} as const;

/** What the file of a place has; the error names what can be done. */
async function ofPlace(client: TraceClient, folder: 'lines' | 'vars', place: string): Promise<string> {
  try {
    return await client.read(`kprobes/${folder}/${fileOf(place)}`);
  } catch (error) {
    const isMissing = error instanceof TraceError && error.errno === 'ENOENT' && error.message.endsWith('no such file');
    if (!isMissing) throw error;
    throw new TraceError('ENOENT', `no function and no loaded source is ${place}; fentry probe -F lists the functions`);
  }
}

const probesOf = async (client: TraceClient): Promise<readonly ListedProbe[]> =>
  listedProbes(await client.read('dynamic_events'));

/** Whether a probe's event is what `[GROUP:]EVENT` means; both may be globs. */
function eventTest(pattern: string): (probe: ListedProbe) => boolean {
  const colon = pattern.search(/[:/]/);
  const isGroup = compileGlob(colon < 0 ? '*' : pattern.slice(0, colon)).test;
  const isEvent = compileGlob(pattern.slice(colon + 1)).test;
  return ({ group, event }) => isGroup(group) && isEvent(event);
}

async function list(client: TraceClient, [pattern = '*']: readonly string[]): Promise<void> {
  for (const one of (await probesOf(client)).filter(eventTest(pattern))) print(probeRow(one));
}

async function del(client: TraceClient, patterns: readonly string[], quiet: boolean): Promise<number> {
  let code = 0;
  for (const pattern of patterns) {
    const meant = (await probesOf(client)).filter(eventTest(pattern));
    const names = new Set(meant.map(({ group, event }) => `${group}/${event}`));
    if (names.size === 0) {
      print(`"${pattern}" is no event of a probe; fentry probe -l lists them\n`);
      code = 1;
    }
    for (const name of names) {
      await client.append('dynamic_events', `-:${name}`);
      if (!quiet) print(`Removed event: ${name.replace('/', ':')}\n`);
    }
  }
  return code;
}

interface Asked {
  readonly isDry: boolean;
  readonly force: boolean;
  readonly quiet: boolean;
}

async function add(client: TraceClient, definitions: readonly string[], { isDry, force, quiet }: Asked): Promise<void> {
  const before = await probesOf(client);
  const added: ProbeLine[] = [];
  const taken = (name: string): boolean => [...before, ...added].some(({ group, event }) => `${group}/${event}` === name);
  for (const definition of definitions) {
    const one = await probeLine(client, parsePerfDefinition(definition), taken, force);
    if (isDry) print(`${one.line}\n`);
    else await client.append('dynamic_events', one.line);
    added.push(one);
  }
  if (added.length > 0 && !isDry && !quiet) await tell(client, added);
}

async function tell(client: TraceClient, added: readonly ProbeLine[]): Promise<void> {
  const probes = await probesOf(client);
  print(`Added new event${added.length === 1 ? '' : 's'}:\n`);
  for (const { group, event } of added) {
    for (const one of probes) if (one.group === group && one.event === event) print(probeRow(one));
  }
  const { group, event } = added.at(-1)!;
  print(
    `\nIt is used like every other event, for instance:\n\n\tfentry record --pid ${client.pid} -e ${group}:${event} sleep 1\n\n`,
  );
}

export const probe: Verb = {
  name: 'probe',
  synopsis: '[--pid PID] [-a] DEFINITION | -l [EVENT] | -L PLACE | -V PLACE | -d EVENT | -F [PATTERN]',
  summary: 'put probes into a running process; show where they can stand, and what they can read',
  options: OPTIONS,
  help: `  -a, --add DEFINITION      add a probe: [[GROUP:]EVENT=]PLACE [ARG...]; PLACE is one of
                            FUNCTION, FUNCTION:LINE, FUNCTION+OFFSET, FUNCTION%return,
                            FUNCTION%settled, FILE:LINE,
                            the lines of a function counted from 0; FUNCTION@FILE if several have the name;
                            ARG is an argument of kprobe_events, $vars for all variables, $params for the parameters
  -D, --definition DEFINITION  only print the line of kprobe_events
  -n, --dry-run             with -a: the same
  -f, --force               with -a: if there is such an event, give the new one another name
  -l, --list [EVENT]        list the probes; EVENT is [GROUP:]EVENT, with globs
  -d, --del EVENT           remove probes; EVENT as in -l
  -L, --line PLACE          print source lines; those on which a probe can stand have numbers. PLACE is FUNCTION
                            or FILE, with a line, or lines as FIRST-LAST or FIRST+COUNT, behind a colon
  -V, --vars PLACE          print the variables that a probe there can read
  --externs                 with -V: those of the module, too
  -F, --funcs [PATTERN]     list the functions; PATTERN as in fentry list -f
  -q, --quiet               do not say what was done

Examples: fentry probe -L placeOrder; fentry probe -V placeOrder:4; fentry probe 'placeOrder:4 total order.id'
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const { line, vars, definition = [], del: removed = [], quiet = false, force = false } = values;
    const written = values.list || values.funcs || words.length === 0 ? [] : [words.join(' ')];
    const added = [...(values.add ?? []), ...written];
    const asked = [values.list, line, vars, removed.length > 0, values.funcs, added.length + definition.length > 0];
    const count = asked.filter((one) => one !== undefined && one !== false).length;
    if (count !== 1)
      throw new UsageError('choose one: -a adds, -l lists, -L shows lines, -V variables, -d removes, -F lists functions');
    const client = await targetOf(values);
    if (values.list) await list(client, words);
    else if (line !== undefined) print(await ofPlace(client, 'lines', line));
    else if (vars !== undefined)
      print(variablesText(vars, placeVariables(await ofPlace(client, 'vars', vars)), values.externs ?? false));
    else if (removed.length > 0) return del(client, removed, quiet);
    else if (values.funcs) {
      const [pattern] = words;
      for (const one of functionLines(await client.read('available_filter_functions'), pattern)) print(`${one}\n`);
    } else {
      await add(client, definition, { isDry: true, force, quiet });
      await add(client, added, { isDry: values['dry-run'] ?? false, force, quiet });
    }
    return 0;
  },
};

#!/usr/bin/env node
import { TraceError } from '../base/errno.js';
import { VERSION } from '../base/version.js';
import { visible } from '../base/visible.js';
import { wakeSilentProcesses } from '../client/silent-processes.js';
import { tellOfStoppedProcesses } from '../client/stopped-process.js';
import { type OptionSpecs, splitCommand } from './arguments.js';
import { nearest } from './nearest.js';
import { complain, endOnClosedStdout, print } from './output.js';
import { UsageError, type Verb } from './verb.js';

/** Verbs for which people wait, loaded without the others: all of them take as long to load as Node takes to start. */
const VERBS_ALONE: Readonly<Record<string, () => Promise<Verb>>> = {
  start: async () => (await import('./verbs/start.js')).start,
  stop: async () => (await import('./verbs/stop.js')).stop,
  show: async () => (await import('./verbs/show.js')).show,
  cat: async () => (await import('./verbs/cat.js')).cat,
  write: async () => (await import('./verbs/write.js')).write,
  append: async () => (await import('./verbs/write.js')).append,
  attach: async () => (await import('./verbs/attach.js')).attach,
  detach: async () => (await import('./verbs/detach.js')).detach,
  bt: async () => (await import('./verbs/bt.js')).bt,
};

const allVerbs = async (): Promise<readonly Verb[]> => (await import('./verbs.js')).VERBS;

async function verbNamed(name: string): Promise<Verb | undefined> {
  if (Object.hasOwn(VERBS_ALONE, name)) return VERBS_ALONE[name]!();
  return (await allVerbs()).find((one) => one.name === name);
}

const overview = (verbs: readonly Verb[]): string => {
  const width = Math.max(...verbs.map(({ name }) => name.length));
  const lines = verbs.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`);
  return `usage: fentry VERB [OPTIONS]\n\n${lines.join('')}\nfentry VERB --help says more.\n`;
};

const usage = ({ name, synopsis }: Verb): string => `usage: fentry ${name}${synopsis === '' ? '' : ` ${synopsis}`}\n`;

/** Characters of a usage line that a user reads below an error. */
const SHORT = 160;

/** What is printed below an error: the usage, if it is short. */
const hint = (verb: Verb): string => {
  const line = usage(verb);
  return line.length <= SHORT ? line : `fentry ${verb.name} --help lists the options.\n`;
};

/** `what works here: report, dump` */
const portableVerbs = (verbs: readonly Verb[]): string =>
  `what works here: ${verbs
    .filter(({ isPortable }) => isPortable)
    .map((verb) => verb.name)
    .join(', ')}`;

/** Verbs of trace-cmd and uftrace that have another name here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  profile: 'fentry report --profile',
  stream: 'fentry show -p',
  set: 'fentry start, fentry write',
  live: 'fentry record, then fentry report',
  graph: 'fentry report, fentry dump --flame-graph',
  replay: 'fentry report',
};

/** Options before the first word, and their values, are fentry's own. */
function asksForHelp(args: readonly string[], options: OptionSpecs): boolean {
  const { own } = splitCommand(args, options);
  return own.some((arg) => arg === '--help' || arg === '-h');
}

/** `fentry --pid 4711 cat trace`: --pid may also come before the verb. */
function verbFirst(args: readonly string[]): readonly string[] {
  const [first = '', second = '', verb, ...rest] = args;
  if (/^(--pid|-P)$/.test(first) && verb !== undefined) return [verb, first, second, ...rest];
  return /^(--pid=|-P\d)/.test(first) && second !== '' ? [second, first, ...args.slice(2)] : args;
}

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === 'help' && args.length > 0) return main([...args, '--help']);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    print(overview(await allVerbs()));
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-V' || name === 'version') {
    print(`fentry ${VERSION}\n`);
    return 0;
  }
  const verb = await verbNamed(name);
  if (verb === undefined) {
    const meant = nearest(
      name,
      (await allVerbs()).map((one) => one.name),
    );
    const other = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
    const meaning = other !== undefined ? `; here it is ${other}` : meant === undefined ? '' : `; did you mean '${meant}'?`;
    process.stderr.write(`fentry: there is no verb '${visible(name)}'${meaning}\nfentry --help lists them.\n`);
    return 2;
  }
  if (asksForHelp(args, verb.options)) {
    print(`${usage(verb)}\n${verb.summary}\n${verb.help === '' ? '' : `\n${verb.help}`}`);
    return 0;
  }
  if (process.platform !== 'linux' && verb.isPortable === undefined) {
    const portable = portableVerbs(await allVerbs());
    process.stderr.write(`fentry ${name}: fentry traces on Linux only, and this is ${process.platform}; ${portable}\n`);
    return 1;
  }
  try {
    return await verb.run(args);
  } catch (error) {
    process.stderr.write(`fentry ${name}: ${visible(messageOf(error))}\n`);
    if (!(error instanceof UsageError)) return 1;
    process.stderr.write(hint(verb));
    return 2;
  }
}

function messageOf(error: unknown): string {
  // The first line is the error, more are a list.
  if (error instanceof TraceError) return error.message.replace(/$/m, ` (${error.errno})`);
  if (error instanceof UsageError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  // The answer was cut off: its process has ended.
  if (code === 'ECONNRESET') return 'the process has ended meanwhile (ENODEV)';
  // An error of the system or of a file format is for the user; anything else is a bug in fentry.
  if (code !== undefined || (error as Error).name === 'TraceDatError') return message;
  return `internal error: ${(error as Error).stack ?? String(error)}`;
}

endOnClosedStdout();
tellOfStoppedProcesses(complain);
wakeSilentProcesses(async (pid) => (await import('./attach/wake-process.js')).wakeProcess(pid, complain));
process.exitCode = await main(verbFirst(process.argv.slice(2)));

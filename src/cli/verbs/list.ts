import { compileGlob } from '../../base/glob.js';
import { PID_OPTION, parseOptions } from '../arguments.js';
import { print } from '../output.js';
import { targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  ...PID_OPTION,
  functions: { type: 'boolean', short: 'f' },
  tracers: { type: 'boolean', short: 't' },
  options: { type: 'boolean', short: 'o' },
} as const;

/** What each letter lists, and the file it comes from. */
const LISTS = [
  ['functions', 'available_filter_functions'],
  ['tracers', 'available_tracers'],
  ['options', 'trace_options'],
] as const;

export const list: Verb = {
  name: 'list',
  synopsis: '[--pid PID] -f [PATTERN] | -t | -o',
  summary: 'list functions that can be traced, tracers, options',
  help: "  -f [PATTERN]    functions, with their package in brackets; PATTERN as in a shell\n  -t              tracers\n  -o              trace options\n\nExample: fentry list -f 'handle*'\n",
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const [first] = LISTS.filter(([name]) => values[name]);
    if (first === undefined) throw new UsageError('say what to list: -f functions, -t tracers, -o options');
    const text = await (await targetOf(values)).read(first[1]);
    const [pattern] = words;
    if (pattern === undefined) {
      print(text);
      return 0;
    }
    const { test } = compileGlob(pattern);
    const lines = text.split('\n').filter((line) => line !== '' && test(line.split(/[ \t]/)[0]!));
    for (const line of lines) print(`${line}\n`);
    return lines.length > 0 ? 0 : 1;
  },
};

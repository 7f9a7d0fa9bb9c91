import { parseOptions } from '../arguments.js';
import { runScript } from '../script/run-script.js';
import { runWithCommand } from '../script/run-with-command.js';
import { givenScript } from '../script/script-text.js';
import { targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  program: { type: 'string', short: 'e' },
  list: { type: 'boolean', short: 'l' },
  debug: { type: 'boolean', short: 'd' },
  verbose: { type: 'boolean', short: 'v' },
  pid: { type: 'string', short: 'p' },
  command: { type: 'string', short: 'c' },
  output: { type: 'string', short: 'o' },
} as const;

/** How bpftrace names a script that was an argument. */
const INLINE = 'stdin';

/** Limits that bpftrace takes from its environment. */
const LIMITS = ['BPFTRACE_STRLEN', 'BPFTRACE_MAP_KEYS_MAX'] as const;

const sizes = (): readonly string[] =>
  LIMITS.flatMap((name) => (process.env[name] === undefined ? [] : ['-D', `${name}=${process.env[name]}`]));

export const bpftrace: Verb = {
  name: 'bpftrace',
  synopsis: '[-p PID | -c COMMAND] [-o FILE] [-d] -e PROGRAM [ARG...] | FILE [ARG...] | -l [GLOB]',
  summary: 'run a script in the language of bpftrace in a running process',
  options: OPTIONS,
  help: `  -e, --program PROGRAM  the script; else it is read from FILE, - for stdin
  -l, --list [GLOB]      list the probes that match: 'kprobe:handle*', 'tracepoint:http:*'
  -p, --pid PID          in this process
  -c, --command COMMAND  in the first Node process of this command, from its first module on; its end is the script's
  -o, --output FILE      print into this file, not on stdout
  -v, --verbose          with -l: also what a handler can read there
  -d, --debug            print what was understood of the script, and do not run it

ARG is $1, $2, ... of the script. kprobe and kretprobe stand on functions of the program: kprobe:placeOrder, kprobe:handle*.
The script ends by exit(), by Ctrl-C, or with the process; its END runs then, and its maps are printed.

Examples: fentry bpftrace -e 'kprobe:placeOrder { @[func] = count(); }'
          fentry bpftrace -e 'kretprobe:area { @ = hist(retval); } interval:s:5 { exit(); }'
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const { program, list, debug, command, output } = values;
    const given = list ? { text: '', file: INLINE, args: words } : givenScript(program, words, INLINE);
    if (given === undefined)
      throw new UsageError("give a script: -e 'kprobe:handle { @ = count(); }', or a FILE; -l lists probes");
    const options = [...(list ? ['-l'] : []), ...(values.verbose ? ['-v'] : []), ...(debug ? ['-d'] : []), ...sizes(), '--'];
    const script = { language: 'bpftrace' as const, file: given.file, text: given.text, words: [...options, ...given.args] };
    if (command !== undefined) return runWithCommand(script, command, output);
    return runScript(script, (await targetOf(values)).socketPath, { output });
  },
};

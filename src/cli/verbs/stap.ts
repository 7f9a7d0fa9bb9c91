import { resolve } from 'node:path';
import { numberOption, parseOptions } from '../arguments.js';
import { runScript } from '../script/run-script.js';
import { runWithCommand } from '../script/run-with-command.js';
import { givenScript } from '../script/script-text.js';
import { targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  program: { type: 'string', short: 'e' },
  list: { type: 'string', short: 'l' },
  'list-vars': { type: 'string', short: 'L' },
  pass: { type: 'string', short: 'p' },
  pid: { type: 'string', short: 'x' },
  command: { type: 'string', short: 'c' },
  output: { type: 'string', short: 'o' },
  seconds: { type: 'string', short: 'T' },
  verbose: { type: 'boolean', short: 'v' },
  include: { type: 'string', short: 'I', multiple: true },
  define: { type: 'string', short: 'D', multiple: true },
  guru: { type: 'boolean', short: 'g' },
  global: { type: 'string', short: 'G', multiple: true },
  'no-warnings': { type: 'boolean', short: 'w' },
  unoptimized: { type: 'boolean', short: 'u' },
} as const;

/** How SystemTap names a script that was an argument. */
const INLINE = '<input>';

export const stap: Verb = {
  name: 'stap',
  synopsis:
    '[-x PID | -c COMMAND] [-o FILE] [-T SECONDS] [-v] [-I DIR] [-D NAME=VALUE] [-G NAME=VALUE] [-p PASS] -e SCRIPT [ARG...] | FILE [ARG...] | -l POINT | -L POINT',
  summary: 'run a script in the language of SystemTap in a running process',
  options: OPTIONS,
  help: `  -e, --program SCRIPT     the script; else it is read from FILE, - for stdin
  -l, --list POINT         list the points that match: 'kernel.function("handle*")', 'kernel.trace("http:*")'
  -L, --list-vars POINT    the same with the variables that a handler can read there
  -p, --pass PASS          end after this pass: 1 parses, 2 checks as well; then what was understood is printed
  -x, --pid PID            in this process, which target() names
  -c, --command COMMAND    in the first Node process of this command, from its first module on; its end is the script's
  -o, --output FILE        print into this file, not on stdout
  -T, --seconds SECONDS    end after so many seconds
  -v, --verbose            say what is done
  -I, --include DIR        look for tapsets in this folder, too
  -D, --define NAME=VALUE  set a limit: MAXACTION=10000
  -G, --global NAME=VALUE  set a global of the script
  -w, --no-warnings        say no warnings
  -u, --unoptimized        keep what the script computes for nothing
  -g, --guru               allow what needs it; embedded C and writes to variables are refused nevertheless

ARG is $1 or @1, $2 or @2, ... of the script. kernel.function("NAME") stands on functions of the program.
The script ends by exit(), by Ctrl-C, or with the process; its end probes run then.

Example: fentry stap -e 'probe kernel.function("placeOrder") { println(pp()) }'
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const {
      program,
      list,
      'list-vars': listVars,
      pass,
      output,
      seconds,
      verbose,
      guru,
      include = [],
      define = [],
      global = [],
    } = values;
    const listed = list ?? listVars;
    const given = listed === undefined ? givenScript(program, words, INLINE) : { text: '', file: INLINE, args: words };
    if (given === undefined) throw new UsageError("give a script: -e 'probe begin { println(1) exit() }', or a FILE");
    if (pass !== undefined && !/^[12]$/.test(pass)) throw new UsageError(`-p ${pass}: the passes are 1 and 2`);
    const options = [
      ...(list === undefined ? [] : ['-l', list]),
      ...(listVars === undefined ? [] : ['-L', listVars]),
      ...(pass === undefined ? [] : [`-p${pass}`]),
      ...(verbose ? ['-v'] : []),
      ...(guru ? ['-g'] : []),
      ...(values['no-warnings'] ? ['-w'] : []),
      ...(values.unoptimized ? ['-u'] : []),
      // The process has another working directory.
      ...include.flatMap((folder) => ['-I', resolve(folder)]),
      ...define.flatMap((one) => ['-D', one]),
      ...global.flatMap((one) => ['-G', one]),
    ];
    const script = { language: 'stap' as const, file: given.file, text: given.text, words: [...options, '--', ...given.args] };
    const end = seconds === undefined ? undefined : numberOption('-T', seconds, 1);
    if (values.command !== undefined) return runWithCommand(script, values.command, output);
    return runScript(script, (await targetOf(values)).socketPath, { output, seconds: end });
  },
};

import { numberOption, parseOptions } from '../arguments.js';
import { print } from '../output.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  pid: { type: 'string', short: 'P' },
  file: { type: 'string', short: 'f' },
  'no-objdump': { type: 'boolean' },
} as const;

/** `[libc.so.6]` or `libc.so.6`. */
const moduleOf = (word: string | undefined): string | undefined => word?.replace(/^\[(.*)\]$/, '$1');

export const disassemble: Verb = {
  name: 'disassemble',
  synopsis: '--pid PID | --file FILE [--no-objdump] FUNCTION [MODULE]',
  summary: 'print a native function as compiled, as NOP, and armed',
  options: OPTIONS,
  help: `The text of a function of C or C++: what of it is its site, and the site's bytes in each state. The process need not be
traced. With objdump (binutils) instructions have mnemonics; without it only sites, calls, jumps and returns have.

  -P, --pid PID      of a process that runs: what is there now, too
  -f, --file FILE    of an executable or a shared object (x86-64 or arm64)
  --no-objdump       do without it

MODULE is a shared object of the process, as after a function in available_filter_functions.

Example: fentry disassemble --pid 4711 malloc '[libc.so.6]'
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const [name, module, ...others] = words;
    if (name === undefined || others.length > 0) throw new UsageError('name one function, and its module where that matters');
    if ((values.pid === undefined) === (values.file === undefined))
      throw new UsageError('choose a process with --pid, or a file with --file');
    const { disassembleFunction, listedFile, listedProcess } = await import('../../arch/native/disassemble/listed-objects.js');
    const objects = values.file === undefined ? listedProcess(numberOption('--pid', values.pid!, 1)) : [listedFile(values.file)];
    print(disassembleFunction(objects, name, moduleOf(module), { useObjdump: !values['no-objdump'] }));
    return 0;
  },
};

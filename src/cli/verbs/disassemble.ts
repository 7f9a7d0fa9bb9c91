import type { ListedObject } from '../../arch/native/disassemble/listed-objects.js';
import { numberOption, parseOptions } from '../arguments.js';
import { print } from '../output.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  pid: { type: 'string', short: 'P' },
  file: { type: 'string', short: 'f' },
  gdb: { type: 'string' },
  source: { type: 'boolean', short: 'S' },
  'no-objdump': { type: 'boolean' },
} as const;

/** `[libc.so.6]` or `libc.so.6`. */
const moduleOf = (word: string | undefined): string | undefined => word?.replace(/^\[(.*)\]$/, '$1');

export const disassemble: Verb = {
  name: 'disassemble',
  synopsis: '--pid PID | --file FILE [--gdb ADDRESS] [-S] [--no-objdump] FUNCTION [MODULE]',
  summary: 'print a native function as compiled, as NOP, and armed',
  options: OPTIONS,
  help: `The text of a function of C or C++: what of it is its site, and the site's bytes in each state. The process need not be
traced. With objdump (binutils) instructions have mnemonics; without it only sites, calls, jumps and returns have.

  -P, --pid PID      of a process that runs: what is there now, too
  -f, --file FILE    of an executable, a shared object or a relocatable one (x86-64 or arm64), or of a kernel
                     (vmlinuz)
  --gdb ADDRESS      of the kernel FILE that runs behind a stub of GDB (qemu -gdb): HOST:PORT or a socket's path
  -S, --source       with the lines of the source (of code that was compiled with -g)
  --no-objdump       do without it

MODULE is a shared object of the process, as after a function in available_filter_functions.

Examples: fentry disassemble --pid 4711 malloc '[libc.so.6]'
          fentry disassemble --gdb :1234 --file /boot/vmlinuz-6.1.0-amd64 vfs_read
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const [name, module, ...others] = words;
    if (name === undefined || others.length > 0) throw new UsageError('name one function, and its module where that matters');
    if ((values.pid === undefined) === (values.file === undefined))
      throw new UsageError('choose a process with --pid, or a file with --file');
    if (values.gdb !== undefined && values.file === undefined)
      throw new UsageError('--gdb needs the file of the kernel with --file');
    const { disassembleFunction, listedFile, listedProcess } = await import('../../arch/native/disassemble/listed-objects.js');
    const show = async (objects: Iterable<ListedObject>): Promise<void> =>
      print(
        await disassembleFunction(objects, name, moduleOf(module), {
          useObjdump: !values['no-objdump'],
          withSource: values.source === true,
        }),
      );
    if (values.gdb !== undefined) {
      const { listedKernel } = await import('../../arch/native/disassemble/listed-kernel.js');
      const kernel = await listedKernel(values.gdb, values.file!);
      await show([kernel.object]).finally(() => kernel.close());
    } else
      await show(values.file === undefined ? listedProcess(numberOption('--pid', values.pid!, 1)) : [listedFile(values.file)]);
    return 0;
  },
};

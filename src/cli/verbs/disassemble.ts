import { TraceError } from '../../base/errno.js';
import { connectTo } from '../../client/processes.js';
import type { ListedObject } from '../../native/disassemble/listed-objects.js';
import type { V8SiteState } from '../../native/disassemble/v8-code.js';
import { numberOption, parseOptions } from '../arguments.js';
import { complain, print } from '../output.js';
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

/**
 * Whether a function has a site, and what it does, as the process says by its files; undefined: it has no fentry, or no such
 * function.
 */
async function stateOf(pid: number, name: string): Promise<V8SiteState | undefined> {
  const isMeant = (line: string): boolean => {
    const [symbol = ''] = line.split(' ', 1);
    return symbol === name || symbol.endsWith(`.${name}`);
  };
  try {
    const files = await connectTo(pid, complain);
    const lists = async (file: string): Promise<boolean> => (await files.read(file)).split('\n').some(isMeant);
    if (await lists('enabled_functions')) return 'armed';
    return (await lists('available_filter_functions')) ? 'idle' : undefined;
  } catch {
    return undefined;
  }
}

/** The listings of the code that V8 has made of functions of a name: V8's name is the last part of the symbol. */
async function v8Listings(pid: number, name: string, useObjdump: boolean): Promise<string[]> {
  const { v8CodeOf, v8Listing, v8Map } = await import('../../native/disassemble/v8-code.js');
  const found = v8CodeOf(v8Map(pid) ?? '', name.slice(name.lastIndexOf('.') + 1));
  const state = found.length === 0 ? undefined : await stateOf(pid, name);
  return found.map((code) => v8Listing(pid, code, state, useObjdump));
}

/** Says of a function that was not found where those of JavaScript are. */
async function withHint(error: unknown, pid: number | undefined): Promise<never> {
  const hasFentry = pid !== undefined && (await connectTo(pid, () => {}).catch(() => undefined)) !== undefined;
  if (!(error instanceof TraceError) || error.errno !== 'ENOENT' || !hasFentry) throw error;
  const hint =
    'of JavaScript there is machine code once V8 has made some, in a process that was started as node --perf-basic-prof';
  throw new TraceError('ENOENT', `${error.message}; ${hint}`);
}

export const disassemble: Verb = {
  name: 'disassemble',
  synopsis: '--pid PID | --file FILE [--gdb ADDRESS] [-S] [--no-objdump] FUNCTION [MODULE]',
  summary: 'print a native function as compiled, as NOP, and armed; or the code that V8 made of a function',
  options: OPTIONS,
  help: `The text of a function of C or C++: what of it is its site, and the site's bytes in each state. The process need not be
traced. With objdump (binutils) instructions have mnemonics; without it only sites, calls, jumps and returns have.

  -P, --pid PID      of a process that runs: what is there now, too. If it was started as node --perf-basic-prof, also
                     functions of JavaScript of which V8 has made machine code
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
    const { disassembleFunction, listedFile, listedProcess } = await import('../../native/disassemble/listed-objects.js');
    const show = async (objects: Iterable<ListedObject>): Promise<void> => {
      const options = { useObjdump: !values['no-objdump'], withSource: values.source === true };
      print(await disassembleFunction(objects, name, moduleOf(module), options));
    };
    const pid = values.pid === undefined ? undefined : numberOption('--pid', values.pid, 1);
    const made = pid === undefined || module !== undefined ? [] : await v8Listings(pid, name, !values['no-objdump']);
    if (made.length > 0) print(made.join('\n'));
    else if (values.gdb !== undefined) {
      const { listedKernel } = await import('../../native/disassemble/listed-kernel.js');
      const kernel = await listedKernel(values.gdb, values.file!);
      await show([kernel.object]).finally(() => kernel.close());
    } else await show(pid === undefined ? [listedFile(values.file!)] : listedProcess(pid)).catch((error) => withHint(error, pid));
    return 0;
  },
};

import * as arm64 from '../arm64/finders.js';
import { debugFile } from '../elf/build-id.js';
import { type ElfFile, type NativeMachine, openElf, SEGMENT } from '../elf/elf-file.js';
import { type ElfSymbol, functionSymbols } from '../elf/symbols.js';
import * as x86 from '../x86-64/finders.js';
import { demangled } from './demangle.js';
import type { NativeFunction, NativeText, ObjectMapping } from './native-text.js';
import { type CodeRange, type ObjectFunction, objectCode } from './object-functions.js';
import type { NativeSite } from './site.js';
import { functionKind, keepsReturn, untouchable } from './special-functions.js';
import { symbolName } from './symbol-name.js';

/** Why a function has no site, as in `functions_without_sites`. */
const NO_SITE = 'compiled without a site';
const IFUNC = 'only chooses the function that its name stands for, when the program is loaded';

/** Its return address cannot be replaced: a return probe cannot hear its end. */
const KEEPS_RETURN = 'it looks at its return address, or keeps it';
const NO_RETURN_SLOT = 'its return address cannot be found where its site is';

function unheardEnd(one: ObjectFunction, module: string, site: NativeSite | string): { readonly unheard?: string } {
  if (keepsReturn(one.name, module)) return { unheard: KEEPS_RETURN };
  return typeof site !== 'string' && site.returnSlot === 'copy' ? { unheard: NO_RETURN_SLOT } : {};
}

/** What finds the sites of functions on a machine. */
interface MachineSites {
  /** Those that the compiler left. */
  readonly SiteFinder: new (
    elf: ElfFile,
    symbols: readonly ElfSymbol[],
    bias: number,
  ) => { find(one: ObjectFunction): NativeSite | undefined };
  /** Those where a jump takes the place of instructions, or the reason why there can be none. */
  readonly JumpFinder: new (
    elf: ElfFile,
    ranges: readonly CodeRange[],
    bias: number,
  ) => { find(one: ObjectFunction): NativeSite | string };
}

const MACHINES: Readonly<Record<NativeMachine, MachineSites>> = { 'x86-64': x86, arm64 };

/** The functions of an object, from its file of debug symbols if that is installed and the object was stripped. */
export function symbolsOf(elf: ElfFile): ElfSymbol[] {
  const path = elf.section('.symtab') === undefined ? debugFile(elf) : undefined;
  return [...functionSymbols(path === undefined ? elf : openElf(path))];
}

/**
 * Links an object as it is mapped into a process: its functions with their sites, or the reasons why they have none. The
 * kernel does the same at boot, and when it loads a module (ftrace_process_locs of kernel/trace/ftrace.c).
 */
export function linkObject(elf: ElfFile, { base, module, firstFunction, jumps = false }: ObjectMapping): NativeText {
  const [from, to] = elf.span;
  const bias = base === undefined ? 0 : base - from;
  const symbols = symbolsOf(elf);
  const { functions, ranges } = objectCode(elf, symbols);
  const { SiteFinder, JumpFinder } = MACHINES[elf.machine];
  const compiled = new SiteFinder(elf, symbols, bias);
  const jump = jumps ? new JumpFinder(elf, ranges, bias) : undefined;
  const siteOf = (one: ObjectFunction): NativeSite | string =>
    one.isIfunc ? IFUNC : (untouchable(one.name) ?? compiled.find(one) ?? jump?.find(one) ?? NO_SITE);
  const names = demangled(functions.map(({ name }) => name));
  const linked = functions.map((one, i): NativeFunction => {
    const site = siteOf(one);
    return {
      start: one.start - from,
      end: one.end - from,
      line: 0,
      column: 0,
      name: symbolName(names[i]!),
      kind: functionKind(one.name),
      params: [],
      ...unheardEnd(one, module, site),
      ...(typeof site === 'string' ? { reason: site } : { site }),
    };
  });
  const { file, machine, segments } = elf;
  return {
    file,
    module,
    length: to - from,
    base: from + bias,
    bias,
    firstFunction,
    machine,
    functions: linked,
    unitAt(offset) {
      const one = segments.find(
        (segment) => segment.type === SEGMENT.load && offset >= segment.offset && offset < segment.offset + segment.fileSize,
      );
      return one && one.address + offset - one.offset - from;
    },
  };
}

import { readFileSync } from 'node:fs';
import { debugFile } from '../elf/build-id.js';
import { ElfFile, type NativeMachine } from '../elf/elf-file.js';
import { type ElfSymbol, functionSymbols } from '../elf/symbols.js';
import { SiteFinder } from '../x86-64/find-site.js';
import { JumpFinder } from '../x86-64/jump-finder.js';
import type { NativeFunction, NativeText, ObjectMapping } from './native-text.js';
import { type CodeRange, type ObjectFunction, objectCode } from './object-functions.js';
import type { NativeSite } from './site.js';
import { functionKind, untouchable } from './special-functions.js';
import { symbolName } from './symbol-name.js';

/** Why a function has no site, as in `functions_without_sites`. */
const NO_SITE = 'compiled without a site';
const IFUNC = 'only chooses the function that its name stands for, when the program is loaded';

/** Finds the sites of an object's functions: where the compiler left them, and where a jump can take the place of instructions. */
interface MachineSites {
  compiled(elf: ElfFile, symbols: readonly ElfSymbol[], bias: number): (one: ObjectFunction) => NativeSite | undefined;
  /** The site, or the reason why there can be none. */
  jumps(elf: ElfFile, ranges: readonly CodeRange[], bias: number): (one: ObjectFunction) => NativeSite | string;
}

const MACHINES: Readonly<Record<NativeMachine, MachineSites>> = {
  'x86-64': {
    compiled: (elf, symbols, bias) => {
      const finder = new SiteFinder(elf, symbols, bias);
      return (one) => finder.find(one);
    },
    jumps: (elf, ranges, bias) => {
      const finder = new JumpFinder(elf, ranges, bias);
      return (one) => finder.find(one);
    },
  },
  arm64: { compiled: () => () => undefined, jumps: () => () => NO_SITE },
};

/** The functions of an object, from its file of debug symbols if that is installed and the object was stripped. */
function symbolsOf(elf: ElfFile): ElfSymbol[] {
  const path = elf.section('.symtab') === undefined ? debugFile(elf) : undefined;
  return [...functionSymbols(path === undefined ? elf : new ElfFile(readFileSync(path), path))];
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
  const compiled = MACHINES[elf.machine].compiled(elf, symbols, bias);
  const jump = jumps ? MACHINES[elf.machine].jumps(elf, ranges, bias) : () => NO_SITE;
  const siteOf = (one: ObjectFunction): NativeSite | string =>
    one.isIfunc ? IFUNC : (untouchable(one.name) ?? compiled(one) ?? jump(one));
  const linked = functions.map((one): NativeFunction => {
    const site = siteOf(one);
    return {
      start: one.start - from,
      end: one.end - from,
      line: 0,
      column: 0,
      name: symbolName(one.name),
      kind: functionKind(one.name),
      params: [],
      ...(typeof site === 'string' ? { reason: site } : { site }),
    };
  });
  const { file, machine } = elf;
  return { file, module, length: to - from, base: from + bias, bias, firstFunction, machine, functions: linked };
}

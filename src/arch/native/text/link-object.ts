import { readFileSync } from 'node:fs';
import { debugFile } from '../elf/build-id.js';
import { ElfFile, type NativeMachine } from '../elf/elf-file.js';
import { type ElfSymbol, functionSymbols } from '../elf/symbols.js';
import { SiteFinder } from '../x86-64/find-site.js';
import type { NativeFunction, NativeText, ObjectMapping } from './native-text.js';
import { type ObjectFunction, objectFunctions } from './object-functions.js';
import type { NativeSite } from './site.js';
import { symbolName } from './symbol-name.js';

/** Why a function has no site, as in `functions_without_sites`. */
const NO_SITE = 'compiled without a site';
const IFUNC = 'only chooses the function that its name stands for, when the program is loaded';

/** What finds the sites of an object's functions. */
interface Finder {
  find(one: ObjectFunction): NativeSite | undefined;
}
const FINDERS: Readonly<Record<NativeMachine, (elf: ElfFile, symbols: readonly ElfSymbol[], bias: number) => Finder>> = {
  'x86-64': (elf, symbols, bias) => new SiteFinder(elf, symbols, bias),
  arm64: () => ({ find: () => undefined }),
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
export function linkObject(elf: ElfFile, { base, module, firstFunction }: ObjectMapping): NativeText {
  const [from, to] = elf.span;
  const bias = base === undefined ? 0 : base - from;
  const symbols = symbolsOf(elf);
  const finder = FINDERS[elf.machine](elf, symbols, bias);
  const functions = objectFunctions(elf, symbols).map((one): NativeFunction => {
    const site = one.isIfunc ? undefined : finder.find(one);
    return {
      start: one.start - from,
      end: one.end - from,
      line: 0,
      column: 0,
      name: symbolName(one.name),
      kind: 0,
      params: [],
      ...(site === undefined ? { reason: one.isIfunc ? IFUNC : NO_SITE } : { site }),
    };
  });
  return { file: elf.file, module, length: to - from, base: from + bias, bias, firstFunction, machine: elf.machine, functions };
}

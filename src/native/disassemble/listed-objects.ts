import { readFileSync, readlinkSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { hexAddress } from '../../base/address.js';
import { attempt } from '../../base/attempt.js';
import { TraceError } from '../../base/errno.js';
import { lastAtOrBefore } from '../../base/last-at-or-before.js';
import { lineRows } from '../dwarf/line-table.js';
import { type ElfFile, openElf } from '../elf/elf-file.js';
import { slotNames } from '../elf/relocations.js';
import { isKernel } from '../kernel/kernel-object.js';
import { objectFile } from '../kernel/object-file.js';
import { MACHINES } from '../machines/machines.js';
import { baseOf, mappedObjects, processMaps } from '../process/process-maps.js';
import { ProcessMemory } from '../process/process-memory.js';
import { linkObject } from '../text/link-object.js';
import type { NativeText } from '../text/native-text.js';
import { moduleName, symbolName } from '../text/symbol-name.js';
import { functionListing } from './function-listing.js';

/** An object whose functions are shown. */
export interface ListedObject {
  readonly elf: ElfFile;
  readonly text: NativeText;
  /** Reads what a process, or a kernel that runs, has at an address; absent: it is a file only. */
  readonly read?: (address: number, length: number) => Uint8Array | Promise<Uint8Array>;
}

/** Reads an object file, or a kernel's. @throws TraceError ENOEXEC for any other file */
export function listedFile(file: string): ListedObject {
  const elf = objectFile(file);
  return { elf, text: linkObject(elf, { module: '', firstFunction: 0, jumps: !isKernel(elf) }) };
}

/** The objects of a process, the executable first, each read when it is asked for. */
export function* listedProcess(pid: number): Generator<ListedObject> {
  const executable = attempt(() => readlinkSync(`/proc/${pid}/exe`));
  const objects = [...mappedObjects(processMaps(pid))].sort(
    (a, b) => Number(b.path === executable) - Number(a.path === executable),
  );
  const memory = new ProcessMemory(pid);
  try {
    for (const object of objects) {
      const { path } = object;
      const base = baseOf(object);
      const elf = attempt(() => openElf(`/proc/${pid}/root${path}`, path));
      if (elf === undefined || base === undefined) continue;
      const module = path === executable ? '' : moduleName(path);
      yield {
        elf,
        text: linkObject(elf, { base, module, firstFunction: 0, jumps: true }),
        read: (address, length) => memory.read(address, length),
      };
    }
  } finally {
    memory.close();
  }
}

/**
 * The listings of all functions of a name. Of several objects that have it the first counts, unless a module is named.
 *
 * @param module as in `malloc [libc.so.6]`; '': the executable's; undefined: any
 * @throws TraceError ENOENT if none has it; with the source, as sourceHeads()
 */
export async function disassembleFunction(
  objects: Iterable<ListedObject>,
  name: string,
  module?: string,
  { withSource, ...options }: { readonly useObjdump?: boolean; readonly withSource?: boolean } = {},
): Promise<string> {
  for (const { elf, text, read } of objects) {
    if (module !== undefined && text.module !== module) continue;
    const found = text.functions.filter((one) => one.name === name);
    if (found.length === 0) continue;
    const names = new AddressNames(elf, text);
    const listings: string[] = [];
    for (const one of found) {
      const [start, length] = [text.base + one.start, one.end - one.start];
      const compiled = Uint8Array.from(elf.at(start - text.bias, length)!);
      const now = await read?.(start, length);
      const lines = withSource ? sourceHeads(elf, start - text.bias, start - text.bias + length) : undefined;
      const heads = lines && new Map(Array.from(lines, ([address, head]) => [address + text.bias, head]));
      listings.push(
        functionListing({
          text,
          one,
          compiled,
          nameOf: (address) => names.nameOf(address),
          ...(now && { now }),
          ...(heads && { heads }),
          ...options,
        }),
      );
    }
    return listings.join('\n');
  }
  throw new TraceError('ENOENT', `there is no function ${name}${module === undefined ? '' : ` [${module}]`}`);
}

/**
 * The sites that a compiler left in an object, as recordmcount lists them in `__mcount_loc`: a line for each with its address
 * in the file, its place in its function, its bytes, and what it is.
 */
export function* siteLines({ text }: ListedObject): Generator<string> {
  for (const { name, start, end, site } of text.functions) {
    if (site === undefined || site.form === 'jump') continue;
    const offset = (site.address - text.base - start).toString(16);
    const bytes = MACHINES[text.machine].listing.shownBytes(site.compiled);
    const table = site.table === undefined ? '' : ` (${site.table})`;
    yield `${hexAddress(site.address)} ${name}+0x${offset}/0x${(end - start).toString(16)}\t${bytes}\t${site.form}${table}`;
  }
}

/**
 * The functions of an object that cannot be traced: a line for each with its address in the file, its name and length, and the
 * reason. The last line counts them, and those that have a site of the compiler, and those in which a jump fits.
 */
export function* lackLines({ text }: ListedObject): Generator<string> {
  let [compiled, jumps] = [0, 0];
  const { functions, base } = text;
  for (const { name, start, end, site, reason } of functions) {
    if (site !== undefined) {
      if (site.form === 'jump') jumps++;
      else compiled++;
      continue;
    }
    yield `${hexAddress(base + start)} ${name}/0x${(end - start).toString(16)}\t${reason}`;
  }
  const share = (count: number): string => `${count} (${((100 * count) / Math.max(1, functions.length)).toFixed(2)} %)`;
  const without = functions.length - compiled - jumps;
  yield `# ${functions.length} functions: ${share(compiled)} with a site of the compiler, ${share(jumps)} in which a jump fits, ${share(without)} with neither`;
}

/** Names of addresses in an object, as the kernel prints them: `sum`, `sum+0x4`; `free@plt` for a stub, `free` for its word. */
class AddressNames {
  readonly #text: NativeText;
  readonly #starts: Float64Array;
  readonly #others = new Map<number, string>();

  constructor(elf: ElfFile, text: NativeText) {
    this.#text = text;
    this.#starts = Float64Array.from(text.functions, ({ start }) => text.base + start);
    const slots = slotNames(elf);
    for (const [slot, name] of slots) this.#others.set(slot + text.bias, symbolName(name));
    const { stubNames } = MACHINES[elf.machine].sites;
    for (const [stub, name] of stubNames(elf, slots)) this.#others.set(stub + text.bias, `${symbolName(name)}@plt`);
  }

  nameOf(address: number): string | undefined {
    const one = this.#text.functions[lastAtOrBefore(this.#starts, address)];
    const offset = one === undefined ? 0 : address - this.#text.base - one.start;
    if (one === undefined || address >= this.#text.base + one.end) return this.#others.get(address);
    return offset === 0 ? one.name : `${one.name}+0x${offset.toString(16)}`;
  }
}

/**
 * What stands before instructions of a function: the line that they come from, `shop.c:42`, and its text where the file can be
 * read. By address in the object's file.
 * @throws TraceError as lineRows()
 */
export function sourceHeads(elf: ElfFile, from: number, to: number): ReadonlyMap<number, string> {
  const sources = new Map<string, readonly string[]>();
  const linesOf = (file: string): readonly string[] => {
    const known = sources.get(file) ?? ((isAbsolute(file) && attempt(() => readFileSync(file, 'utf8').split('\n'))) || []);
    sources.set(file, known);
    return known;
  };
  const heads = lineRows(elf, from, to).flatMap(({ address, file, line }) =>
    line === 0 ? [] : [[address, `${basename(file)}:${line}  ${linesOf(file)[line - 1] ?? ''}`.trimEnd()] as const],
  );
  return new Map(heads);
}

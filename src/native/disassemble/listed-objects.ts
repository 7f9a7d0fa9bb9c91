import { readlinkSync } from 'node:fs';
import { attempt } from '../../base/attempt.js';
import { TraceError } from '../../base/errno.js';
import { type ElfFile, openElf } from '../elf/elf-file.js';
import { isKernel } from '../kernel/kernel-object.js';
import { objectFile } from '../kernel/object-file.js';
import { baseOf, mappedObjects, processMaps } from '../process/process-maps.js';
import { ProcessMemory } from '../process/process-memory.js';
import { AddressNames } from '../text/address-names.js';
import { linkObject } from '../text/link-object.js';
import type { NativeText } from '../text/native-text.js';
import { moduleName } from '../text/symbol-name.js';
import { functionListing } from './function-listing.js';
import { sourceHeads } from './source-heads.js';

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

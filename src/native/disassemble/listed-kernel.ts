import { TraceError } from '../../base/errno.js';
import { buildId } from '../elf/debug-files.js';
import type { ElfFile } from '../elf/elf-file.js';
import { GdbMemory } from '../gdb/gdb-memory.js';
import { isKernel } from '../kernel/kernel-object.js';
import { objectFile } from '../kernel/object-file.js';
import { linkObject } from '../text/link-object.js';
import type { ListedObject } from './listed-objects.js';

/**
 * CONFIG_PHYSICAL_ALIGN and the room for CONFIG_RANDOMIZE_BASE, of x86-64: where a kernel may be instead of where its file says.
 */
const STEP = 2 ** 21;
const ROOM = 2 ** 30;

/** A kernel that runs, and what must be called when it has been looked at. */
export interface ListedKernel {
  readonly object: ListedObject;
  close(): Promise<void>;
}

/**
 * The kernel of a file that runs in a machine behind a stub of GDB. The machine stands still until `close`.
 *
 * @param where see `GdbMemory.connect`
 * @throws TraceError EINVAL if the file is no kernel, ESRCH if another one runs
 */
export async function listedKernel(where: string, file: string): Promise<ListedKernel> {
  const elf = objectFile(file);
  if (!isKernel(elf)) throw new TraceError('EINVAL', `${file} is not a kernel: name its vmlinuz or vmlinux`);
  const memory = await GdbMemory.connect(where);
  try {
    const offset = await kernelOffset(memory, elf);
    if (offset === undefined) {
      throw new TraceError(
        'ESRCH',
        `no cpu of ${where} has the kernel of ${file} mapped: another one runs, or none yet, or programs on all cpus`,
      );
    }
    const text = linkObject(elf, { base: elf.span[0] + offset, module: '', firstFunction: 0 });
    const read = async (address: number, length: number): Promise<Uint8Array> => {
      const bytes = await memory.read(address, length);
      if (bytes === undefined) throw new TraceError('EIO', 'the kernel has no longer memory there');
      return bytes;
    };
    return { object: { elf, text, read }, close: () => memory.close() };
  } catch (error) {
    await memory.close();
    throw error;
  }
}

/**
 * How far from its place in the file the kernel is: there its notes have the id of its build (others of them change with the
 * place).
 */
async function kernelOffset(memory: GdbMemory, elf: ElfFile): Promise<number | undefined> {
  const section = elf.section('.notes');
  const id = buildId(elf);
  if (section === undefined || id === undefined) return undefined;
  for (const cpu of await memory.cpus()) {
    await memory.useCpu(cpu);
    for (let offset = 0; offset < ROOM; offset += STEP) {
      const notes = await memory.read(section.address + offset, section.size);
      if (notes !== undefined && Buffer.from(notes.buffer).includes(id, 0, 'hex')) return offset;
    }
  }
  return undefined;
}

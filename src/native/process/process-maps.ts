import { readFileSync } from 'node:fs';
import { parseAddress } from '../../base/address.js';
import { TraceError } from '../../base/errno.js';

/** One line of /proc/PID/maps: addresses with the same permissions and the same file. */
export interface MappedRange {
  readonly start: number;
  /** The address behind its last byte. */
  readonly end: number;
  /** Permissions as maps shows them: `r-xp`. */
  readonly permissions: string;
  /** Byte of the file that is mapped at `start`. */
  readonly offset: number;
  /** Device and inode of the file; `00:00 0` for anonymous memory. */
  readonly file: string;
  /** The file's path, a name like `[stack]`, or ''. */
  readonly path: string;
}

const LINE = /^([\da-f]+)-([\da-f]+) (\S+) ([\da-f]+) (\S+ \d+) *(.*)$/;

/** The ranges of a text of /proc/PID/maps, in the order of their addresses. */
export const parseMaps = (text: string): readonly MappedRange[] =>
  text.split('\n').flatMap((line) => {
    const [, start, end, permissions, offset, file, path] = LINE.exec(line) ?? [];
    if (start === undefined) return [];
    return {
      start: parseAddress(start),
      end: parseAddress(end!),
      permissions: permissions!,
      offset: Number.parseInt(offset!, 16),
      file: file!,
      path: path!,
    };
  });

/** The ranges of a living process. @throws TraceError ESRCH: it has ended */
export function processMaps(pid: number): readonly MappedRange[] {
  try {
    return parseMaps(readFileSync(`/proc/${pid}/maps`, 'latin1'));
  } catch (error) {
    const hasEnded = ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
    throw hasEnded ? new TraceError('ESRCH', `process ${pid} has ended`) : error;
  }
}

/** Whether the processor may run what is mapped there. */
export const isExecutable = ({ permissions }: MappedRange): boolean => permissions[2] === 'x';

/** An object file as it is loaded: its ranges, the lowest address first. */
export interface MappedObject {
  readonly path: string;
  readonly ranges: readonly MappedRange[];
}

/** Where the beginning of an object's file is mapped that its text belongs to. */
export function baseOf({ ranges }: MappedObject): number | undefined {
  const text = ranges.find(isExecutable)!;
  return ranges.findLast(({ offset, start }) => offset === 0 && start <= text.start)?.start;
}

/**
 * The objects that have text, by their lowest addresses. A part of a file that is mapped once more by itself belongs to none: V8
 * maps its builtins again beside the code of each isolate, gigabytes from the executable.
 */
export function mappedObjects(ranges: readonly MappedRange[]): readonly MappedObject[] {
  const objects: MappedRange[][] = [];
  const last = new Map<string, MappedRange[]>();
  for (const range of ranges) {
    if (!range.path.startsWith('/')) continue;
    const known = last.get(range.file);
    if (range.offset === 0 && known?.some(({ offset }) => offset > 0) !== false) {
      const begun = [range];
      last.set(range.file, begun);
      objects.push(begun);
    } else if (known !== undefined && range.offset >= known.at(-1)!.offset) known.push(range);
  }
  return objects.filter((own) => own.some(isExecutable)).map((own) => ({ path: own[0]!.path, ranges: own }));
}

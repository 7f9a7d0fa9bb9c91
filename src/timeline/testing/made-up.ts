import { NONE } from '../call-row.js';
import { CALL_FLAGS } from '../columns-format.js';
import { ColumnsWriter, type WrittenCall } from '../columns-writer.js';
import { ColumnsReader } from '../read-columns.js';
import type { TimelineRecording } from '../timeline-recording.js';

/** A call in a test: `name start-end`, deeper by its indentation of two blanks. */
const CALL = /^( *)(\S+) (\d+)-(\d+)(?: (.*))?$/;
/** What may stand behind a call; a number is what the parts of a coroutine's call have in common. */
const FLAGS = { resumed: 1, suspended: 2, unfinished: 4 } as const;

interface Written {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  readonly flags: number;
  readonly words: string;
}

/** The bytes of a recording whose tracks have these calls, which are written as a person writes a graph. */
export function madeUpBytes(tracks: Readonly<Record<string, string>>): readonly Uint8Array<ArrayBuffer>[] {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const writer = new ColumnsWriter((bytes) => pieces.push(bytes.slice()), { name: 'made-up.dat' });
  const functions: string[] = [];
  const numberOf = (name: string): number => {
    if (!functions.includes(name)) {
      functions.push(name);
      writer.defineFunction({
        name,
        package: '',
        file: `/app/${name}.js`,
        line: 1,
        column: 1,
        where: `${name}.js:1`,
        isOwn: true,
      });
    }
    return functions.indexOf(name);
  };
  for (const [track, [name, text]] of Object.entries(tracks).entries()) {
    writer.defineTrack({ name, tid: track, pid: 1, process: 'node' });
    const calls = text
      .split('\n')
      .flatMap((line): readonly Written[] => {
        const [, indent, called, start, end, words = ''] = CALL.exec(line) ?? [];
        if (called === undefined) return [];
        const flags = words.split(' ').reduce((all, word) => all | (FLAGS[word as keyof typeof FLAGS] ?? 0), 0);
        return [{ name: called, start: Number(start), end: Number(end), depth: indent!.length / 2, flags, words }];
      })
      .map((call, at, all): WrittenCall => {
        let inside = 0;
        for (let next = at + 1; next < all.length && all[next]!.depth > call.depth; next++)
          if (all[next]!.depth === call.depth + 1) inside += all[next]!.end - all[next]!.start;
        const duration = call.end - call.start;
        const { depth, start, name: called } = call;
        const isInner = all.some((one) => one.name === called && one.depth < depth && one.start <= start && one.end >= call.end);
        const activation = Number(/\d+/.exec(call.words)?.[0] ?? NONE);
        const flags = call.flags | (isInner ? CALL_FLAGS.inner : 0);
        return {
          track,
          func: numberOf(call.name),
          depth,
          start,
          duration,
          inside,
          call: duration,
          flags,
          args: '',
          result: '',
          activation,
        };
      });
    const ended = [...calls].sort((a, b) => a.start + a.duration - b.start - b.duration || b.depth - a.depth);
    for (const call of ended) writer.call(call);
  }
  writer.end({ application: '/app', warnings: [], hits: [] });
  return pieces;
}

/** A recording whose tracks have these calls. */
export function madeUp(tracks: Readonly<Record<string, string>>): TimelineRecording {
  const reader = new ColumnsReader();
  for (const piece of madeUpBytes(tracks)) reader.push(piece);
  return reader.finish();
}

import { fileURLToPath } from 'node:url';
import { decodedMappings, originalPositionFor, type TraceMap } from '@jridgewell/trace-mapping';
import type { AuthorsPlace, TextPart } from '../../ftrace/text.js';

const pathOf = (file: string): string => (file.startsWith('file:') ? fileURLToPath(file) : file);

/** Whether a path is that of a file, or the end of its path. */
export const isPathOf = (path: string, file: string): boolean =>
  file === path || file.endsWith(path.startsWith('/') ? path : `/${path}`);

/** The parts of a compiled text that come from a line (from 1) of a file; undefined: the text has nothing of this file. Pure. */
export function partsOfLine(map: TraceMap, path: string, line: number): readonly TextPart[] | undefined {
  const source = map.resolvedSources.findIndex((file) => file !== null && isPathOf(path, pathOf(file)));
  if (source < 0) return undefined;
  return decodedMappings(map).flatMap((segments, index) =>
    segments.flatMap((segment, i): TextPart[] => {
      if (segment.length === 1 || segment[1] !== source || segment[2] !== line - 1) return [];
      const next = segments[i + 1];
      const to = next === undefined ? { line: index + 2, column: 0 } : { line: index + 1, column: next[0] };
      return [{ from: { line: index + 1, column: segment[0] }, to }];
    }),
  );
}

/** The original source of a file as the map has it; else its path on the disk. Undefined: the text has nothing of this file. */
export function authorsSource(map: TraceMap, path: string): { readonly text?: string; readonly file: string } | undefined {
  const source = map.resolvedSources.findIndex((file) => file !== null && isPathOf(path, pathOf(file)));
  if (source < 0) return undefined;
  const text = map.sourcesContent?.[source] ?? undefined;
  return { file: pathOf(map.resolvedSources[source]!), ...(text !== undefined && { text }) };
}

/** The place in the author's file of a place in a compiled text (line from 1, column from 0). */
export function authorsPlace(map: TraceMap, line: number, column: number): AuthorsPlace | undefined {
  const place = originalPositionFor(map, { line, column });
  return place.source === null ? undefined : { file: pathOf(place.source), line: place.line };
}

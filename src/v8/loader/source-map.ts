import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  decodedMappings,
  FlattenMap,
  type InvalidOriginalMapping,
  type OriginalMapping,
  originalPositionFor,
  type TraceMap,
  traceSegment,
} from '@jridgewell/trace-mapping';
import { attempt } from '../../base/attempt.js';
import { readFileSync, statSync } from '../../base/untraced-fs.js';
import type { AuthorsPlace, TextPart } from '../../ftrace/text.js';
import { symbolPart } from '../instrument/symbol-text.js';
import type { JsFunction, JsText } from '../js-text.js';

/** The place and the name of a function in the original source. */
export interface OriginalFunction {
  /** Path, or the name in the map if it is not a path. */
  readonly file: string;
  /** 1-based, as columns are. */
  readonly line: number;
  readonly column: number;
  /** The symbol with the original name, if the map has a different name. */
  readonly name?: string;
}

export type Read = (path: string) => string;

/** The largest map or text that is read, in bytes. Names from a larger one would take too long. */
export const LONGEST_MAP = 32 * 1024 * 1024;

/** Only files: reading a pipe or a device might never end. */
export const readText: Read = (path) => {
  const stat = statSync(path);
  if (!stat.isFile() || stat.size > LONGEST_MAP) throw new RangeError(`${path} is no source map`);
  return readFileSync(path, 'utf8');
};

/** The map from a text to its original sources. */
export interface SourceMap {
  readonly map: TraceMap;
  /** The text, if the file still has it. */
  readonly code: string | undefined;
  /** Lines of the source. */
  readonly lines: readonly string[] | undefined;
}

/** A URL that names no file of this machine stays as it is. */
const pathOf = (file: string): string => (file.startsWith('file:') ? (attempt(() => fileURLToPath(file)) ?? file) : file);

/** No text of V8 is longer, in UTF-16 units. */
const LONGEST_TEXT = 2 ** 29;
const isWithin = (number: number | null, least: number): boolean =>
  number !== null && Number.isInteger(number) && number >= least && number <= LONGEST_TEXT;

/** Whether a place that a map says can be one: a map may have any numbers, and none of the sources that it names. */
const isPlace = (place: OriginalMapping | InvalidOriginalMapping): place is OriginalMapping & { readonly source: string } =>
  typeof place.source === 'string' && isWithin(place.line, 1) && isWithin(place.column, 0);

/** Bundlers write maps in sections too (Turbopack: one for each module of a chunk). */
const flatMap = (text: string, path: string): TraceMap => {
  const map = FlattenMap(text, path) as TraceMap;
  const files = map.resolvedSources as (string | null)[];
  // The library makes a text of whatever stands for a name.
  for (const [i, source] of (map.sources as unknown[]).entries()) {
    if (source !== null && typeof source !== 'string') files[i] = null;
  }
  return map;
};

const readMap = (url: string, path: string, read: Read): TraceMap | undefined => {
  if (url.length > LONGEST_MAP) return undefined;
  const inline = /^data:[^,]*?(;base64)?,/.exec(url);
  if (inline) {
    const [head, base64] = inline;
    const data = url.slice(head.length);
    return flatMap(base64 ? Buffer.from(data, 'base64').toString('utf8') : decodeURIComponent(data), path);
  }
  const isFile = url.startsWith('file:');
  if (!isFile && /^[a-z][a-z\d+.-]+:/i.test(url)) return undefined;
  const mapPath = isFile ? fileURLToPath(url) : resolve(dirname(path), decodeURIComponent(url));
  return mapAt(mapPath, read) ?? mapOfBuild(path, url, read);
};

const mapAt = (path: string, read: Read): TraceMap | undefined => {
  const text = attempt(() => read(path));
  return text === undefined ? undefined : flatMap(text, path);
};

const COPY = '/standalone/';

/**
 * The file that a build has copied to `path`; undefined if its name does not look like a copy. `output: 'standalone'` of Next.js
 * copies `.next/server/page.js` to `.next/standalone/APP/.next/server/page.js`, and leaves the map behind.
 */
const copiedFrom = (path: string): string | undefined => {
  const at = path.lastIndexOf(COPY);
  if (at <= 0) return undefined;
  const build = path.slice(0, at);
  const copy = path.slice(at + COPY.length - 1);
  const folder = `/${basename(build)}/`;
  const inside = copy.indexOf(folder);
  return inside < 0 ? undefined : build + copy.slice(inside + folder.length - 1);
};

/** The map that stayed in the folder of the build, if the text is still the one that was built there. */
const mapOfBuild = (path: string, url: string, read: Read): TraceMap | undefined => {
  const built = copiedFrom(path);
  if (built === undefined || url.startsWith('file:')) return undefined;
  const text = attempt(() => read(built));
  if (text === undefined || text !== read(path)) return undefined;
  return mapAt(resolve(dirname(built), decodeURIComponent(url)), read);
};

/** What must be known of a text to find its map. */
export type MappedText = Pick<JsText, 'file' | 'length' | 'sourceMappingURL'>;

/**
 * The map of a bundled or compiled text: for the control thread, when the text's symbols are needed. A map that is missing,
 * broken or on another machine is ignored.
 */
export const readSourceMap = (text: MappedText, read: Read = readText): SourceMap | undefined => {
  if (!text.sourceMappingURL) return undefined;
  try {
    const path = pathOf(text.file);
    const map = readMap(text.sourceMappingURL, path, read);
    const code = map && codeOf(text, path, read);
    return map && { map, code, lines: code?.split('\n') };
  } catch {
    return undefined;
  }
};

const codeOf = (text: MappedText, path: string, read: Read): string | undefined => {
  const code = attempt(() => read(path));
  return code?.length === text.length ? code : undefined;
};

/** What may be between a function's start and its own name. */
const OWN_NAME = /^((?:(?:async|static|get|set|function)\b\s*)*\*?\s*)([\w$]+)\s*\(/;
/** The name of an anonymous function from its assignment. */
const GIVEN_NAME = /([\w$]+)\s*[=:]\s*\(*$/;

/** How far to look for a name, in UTF-16 units. */
const REACH = 200;

/** 0-based column of the function's identifier. */
const nameColumn = (line: string, start: number): number | undefined => {
  const own = OWN_NAME.exec(line.slice(start, start + REACH));
  if (own && own[2] !== 'function' && own[2] !== 'async') return start + own[1]!.length;
  const given = GIVEN_NAME.exec(line.slice(Math.max(0, start - REACH), start));
  return given ? Math.max(0, start - REACH) + given.index : undefined;
};

/** The original name of the function's identifier, if the map has it. */
const nameOf = ({ map, lines }: SourceMap, { line, column }: JsFunction): string | undefined => {
  const code = lines?.[line - 1];
  const at = code === undefined ? undefined : nameColumn(code, column - 1);
  if (at === undefined) return undefined;
  return originalWord(map, line, at);
};

/**
 * The original name of the identifier at a place of the text (1-based line, 0-based column), in the form of a symbol; undefined
 * if the map has none at exactly this place.
 */
export const originalWord = (map: TraceMap, line: number, column: number): string | undefined => {
  const segment = traceSegment(map, line - 1, column);
  const word = segment?.length === 5 && segment[0] === column ? map.names[segment[4]] : undefined;
  return word !== undefined && IDENTIFIER.test(word) ? symbolPart(word.replace('#', '')) : undefined;
};

const IDENTIFIER = /^#?[\p{L}_$][\p{L}\p{N}\p{M}_$]*$/u;

/** The function in the original source; undefined if the map has nothing about it. */
export const originalFunction = (source: SourceMap, one: JsFunction): OriginalFunction | undefined => {
  const place = originalPositionFor(source.map, { line: one.line, column: one.column - 1 });
  if (!isPlace(place)) return undefined;
  const name = nameOf(source, one);
  const last = one.name.slice(one.name.lastIndexOf('.') + 1);
  const renamed = name !== undefined && name !== last;
  return {
    file: pathOf(place.source),
    line: place.line,
    column: place.column + 1,
    ...(renamed && { name: one.name.slice(0, one.name.length - last.length) + name }),
  };
};

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
  return isPlace(place) ? { file: pathOf(place.source), line: place.line } : undefined;
}

/** The place in the author's source of a place in the text, with the column (from 0). */
export function authorsPosition(
  map: TraceMap,
  line: number,
  column: number,
): (AuthorsPlace & { readonly column: number }) | undefined {
  const place = originalPositionFor(map, { line, column });
  return isPlace(place) ? { file: pathOf(place.source), line: place.line, column: place.column } : undefined;
}

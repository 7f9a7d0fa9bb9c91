import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { originalPositionFor, TraceMap, traceSegment } from '@jridgewell/trace-mapping';
import type { LinkedText, TextFunction } from '../../arch.js';

/** Where a function stands in the source that its author wrote, and what it is called there. */
export interface OriginalFunction {
  /** Path, or the name that the map gives where it is none. */
  readonly file: string;
  /** 1-based, as columns are. */
  readonly line: number;
  readonly column: number;
  /** The symbol with the author's name in it, where the map knows a name that differs. */
  readonly name?: string;
}

type Read = (path: string) => string;

const readText: Read = (path) => readFileSync(path, 'utf8');

/** What leads from a text to its author's sources. */
export interface SourceMap {
  readonly map: TraceMap;
  /** The text's lines, where the file still holds the text. */
  readonly lines: readonly string[] | undefined;
}

const pathOf = (file: string): string => (file.startsWith('file:') ? fileURLToPath(file) : file);

const readMap = (url: string, path: string, read: Read): TraceMap | undefined => {
  const inline = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url);
  if (inline) {
    const [, base64, data = ''] = inline;
    return new TraceMap(base64 ? Buffer.from(data, 'base64').toString('utf8') : decodeURIComponent(data), path);
  }
  const isFile = url.startsWith('file:');
  if (!isFile && /^[a-z][a-z\d+.-]+:/i.test(url)) return undefined;
  const mapPath = isFile ? fileURLToPath(url) : resolve(dirname(path), decodeURIComponent(url));
  return new TraceMap(read(mapPath), mapPath);
};

/**
 * The map of a bundled or compiled text: for the control thread, when somebody asks for the text's symbols. A map that is
 * missing, broken or elsewhere than on this machine is as none.
 */
export const readSourceMap = (text: LinkedText, read: Read = readText): SourceMap | undefined => {
  if (!text.sourceMappingURL) return undefined;
  try {
    const path = pathOf(text.file);
    const map = readMap(text.sourceMappingURL, path, read);
    return map && { map, lines: linesOf(text, path, read) };
  } catch {
    return undefined;
  }
};

const linesOf = (text: LinkedText, path: string, read: Read): string[] | undefined => {
  try {
    const source = read(path);
    return source.length === text.length ? source.split('\n') : undefined;
  } catch {
    return undefined;
  }
};

/** What may stand between a function's start and its own name. */
const OWN_NAME = /^((?:(?:async|static|get|set|function)\b\s*)*\*?\s*)([\w$]+)\s*\(/;
/** The name that a function without one is given by what it is assigned to. */
const GIVEN_NAME = /([\w$]+)\s*[=:]\s*\(*$/;

/** How far a name is looked for, in UTF-16 units. */
const REACH = 200;

/** 0-based column of the identifier that the function is called by. */
const nameColumn = (line: string, start: number): number | undefined => {
  const own = OWN_NAME.exec(line.slice(start, start + REACH));
  if (own && own[2] !== 'function' && own[2] !== 'async') return start + own[1]!.length;
  const given = GIVEN_NAME.exec(line.slice(Math.max(0, start - REACH), start));
  return given ? Math.max(0, start - REACH) + given.index : undefined;
};

/** The author's word for the identifier that the function is called by, where the map knows it. */
const nameOf = ({ map, lines }: SourceMap, { line, column }: TextFunction): string | undefined => {
  const code = lines?.[line - 1];
  const at = code === undefined ? undefined : nameColumn(code, column - 1);
  if (at === undefined) return undefined;
  const segment = traceSegment(map, line - 1, at);
  return segment?.length === 5 && segment[0] === at ? map.names[segment[4]] : undefined;
};

const IDENTIFIER = /^[\w$#\u0080-\uffff]+$/;

/** The function as its author wrote it; undefined where the map says nothing of it. */
export const originalFunction = (source: SourceMap, one: TextFunction): OriginalFunction | undefined => {
  const place = originalPositionFor(source.map, { line: one.line, column: one.column - 1 });
  if (place.source === null) return undefined;
  const name = nameOf(source, one);
  const last = one.name.slice(one.name.lastIndexOf('.') + 1);
  const renamed = name !== undefined && name !== last && IDENTIFIER.test(name);
  return {
    file: pathOf(place.source),
    line: place.line,
    column: place.column + 1,
    ...(renamed && { name: one.name.slice(0, one.name.length - last.length) + name }),
  };
};

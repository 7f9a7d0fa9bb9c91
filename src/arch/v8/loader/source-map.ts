import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodedMappings, originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
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

/**
 * Maps of bundled and compiled texts, read when somebody asks for a text's symbols: for the control thread, which has the
 * time. A map that is missing or broken is as none.
 */
export const readSourceMap = ({ file, sourceMappingURL }: LinkedText, read: Read = readText): TraceMap | undefined => {
  if (sourceMappingURL === undefined || sourceMappingURL === '') return undefined;
  try {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    const inline = /^data:[^,]*?(;base64)?,(.*)$/s.exec(sourceMappingURL);
    if (inline) {
      const [, base64, data = ''] = inline;
      return new TraceMap(base64 ? Buffer.from(data, 'base64').toString('utf8') : decodeURIComponent(data), path);
    }
    if (/^[a-z][a-z\d+.-]+:/i.test(sourceMappingURL) && !sourceMappingURL.startsWith('file:')) return undefined;
    const mapPath = sourceMappingURL.startsWith('file:')
      ? fileURLToPath(sourceMappingURL)
      : resolve(dirname(path), decodeURIComponent(sourceMappingURL));
    return new TraceMap(read(mapPath), mapPath);
  } catch {
    return undefined;
  }
};

/** `async function* ` is the longest that stands between a function's start and its name. */
const BEFORE_NAME = 'async function* '.length;

/** The author's word for the identifier that a function's text begins with. */
const nameIn = (map: TraceMap, { line, column }: TextFunction): string | undefined => {
  const first = column - 1;
  for (const [at, , , , name] of decodedMappings(map)[line - 1] ?? []) {
    if (at < first) continue;
    if (at > first + BEFORE_NAME) return undefined;
    if (name !== undefined) return map.names[name];
  }
  return undefined;
};

/** A symbol whose last part is another word: `a.b` with `close` is `a.close`. */
const withLastPart = (symbol: string, word: string): string => symbol.slice(0, symbol.lastIndexOf('.') + 1) + word;

const KINDS_WITH_NAME: ReadonlySet<TextFunction['kind']> = new Set([
  'function',
  'method',
  'async',
  'generator',
  'async-generator',
]);

/** The function as its author wrote it; undefined where the map says nothing of it. */
export const originalFunction = (map: TraceMap, one: TextFunction): OriginalFunction | undefined => {
  const { source, line, column } = originalPositionFor(map, { line: one.line, column: one.column - 1 });
  if (source === null) return undefined;
  const file = source.startsWith('file:') ? fileURLToPath(source) : source;
  const name = KINDS_WITH_NAME.has(one.kind) ? nameIn(map, one) : undefined;
  const renamed = name !== undefined && /^[\w$#\u0080-\uffff]+$/.test(name) && !one.name.endsWith(name);
  return { file, line, column: column + 1, ...(renamed && { name: withLastPart(one.name, name) }) };
};

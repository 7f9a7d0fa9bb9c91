import { sourceContentFor, traceSegment } from '@jridgewell/trace-mapping';
import { symbolPart } from '../instrument/symbol-text.js';
import type { JsFunction } from '../js-text.js';
import type { SourceMap } from './source-map.js';

/** A declaration that begins where a function begins in the author's source. */
const DECLARED = /^(?:export\s+(?:default\s+)?)?(?:async\s+)?function\b\s*\*?\s*([\p{L}_$][\p{L}\p{N}\p{M}_$]*)/u;
/** A variable, with its type in TypeScript, to which the function is assigned that stands behind it. */
const ASSIGNED = /\b(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}\p{M}_$]*)\s*(?::[^=]*)?=\s*\(*$/u;

/**
 * The names that functions without one have in the author's source: a minifier puts a function that is used once into the place
 * of its use, where it needs no name.
 */
export class DeclaredNames {
  readonly #source: SourceMap;
  readonly #lines = new Map<string, readonly string[]>();

  constructor(source: SourceMap) {
    this.#source = source;
  }

  /** Undefined if the map has no place for exactly the function's start, or not the source. */
  of({ line, column }: JsFunction): string | undefined {
    const { map } = this.#source;
    const segment = traceSegment(map, line - 1, column - 1);
    if (segment === null || segment.length === 1 || segment[0] !== column - 1) return undefined;
    const text = this.#linesOf(map.sources[segment[1]] ?? '')[segment[2]] ?? '';
    const found = DECLARED.exec(text.slice(segment[3])) ?? ASSIGNED.exec(text.slice(0, segment[3]));
    return found === null ? undefined : symbolPart(found[1]!);
  }

  #linesOf(file: string): readonly string[] {
    const known = this.#lines.get(file);
    if (known !== undefined) return known;
    const lines = (sourceContentFor(this.#source.map, file) ?? '').split('\n');
    this.#lines.set(file, lines);
    return lines;
  }
}

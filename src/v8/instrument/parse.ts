import { createRequire } from 'node:module';
import type { Node, Program } from 'acorn';
import type { SourceType } from './acorn-parser.js';

export type { SourceType } from './acorn-parser.js';

type AcornParser = typeof import('./acorn-parser.js');

let acorn: AcornParser | undefined;

/**
 * The syntax tree of `source`, by acorn. Loading that takes as long as reading many small texts, and most programs have only
 * texts that wasm-parser.ts reads.
 * @throws SyntaxError, and RangeError on a source nested too deep
 */
export function parse(source: string, type: SourceType): Program {
  acorn ??= createRequire(import.meta.url)('./acorn.cjs') as AcornParser;
  return acorn.parse(source, type);
}

/** A node as the walk sees it: any of its fields by name. */
// biome-ignore lint/suspicious/noExplicitAny: the tables name fields as strings
export type AnyNode = Node & { [field: string]: any };

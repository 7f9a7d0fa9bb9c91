import { readFileSync } from '../../base/untraced-fs.js';
import { Source } from '../parser/kinds.js';
import type { AnyNode, SourceType } from './parse.js';
import type { Parser } from './parser-exports.js';
import { SyntaxTree } from './tree.js';

/** How the parser knows the ways of reading a source; others are acorn's alone. */
const TYPES: Readonly<Partial<Record<SourceType, Source>>> = {
  script: Source.Script,
  commonjs: Source.Commonjs,
  module: Source.Module,
};

/** Bytes of memory that are kept for the next text; where one took more, the next one begins afresh. */
const KEPT_BYTES = 1 << 20;

interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** Taken before the program may put its own in its place; absent where V8 makes no machine code. */
const { WebAssembly } = globalThis as unknown as { WebAssembly?: WebAssemblyApi };

/** Undefined before the first text; null where there is no parser. */
let module: object | null | undefined;
let parser: Parser | undefined;

function start(): Parser | undefined {
  if (module === undefined) {
    module = null;
    if (WebAssembly !== undefined) module = new WebAssembly.Module(readFileSync(new URL('./parser.wasm', import.meta.url)));
  }
  return module === null ? undefined : (new WebAssembly!.Instance(module).exports as Parser);
}

/**
 * The syntax tree of a source by the parser in WebAssembly (parser/), which is fast from its first call: undefined where there is
 * none, and for a source that it leaves to acorn. The tree is valid until the next call.
 * @param isWhole whether the tree has all nodes; else expressions and statements may be left out that have no sites
 */
export function parseFast(source: string, type: SourceType, isWhole = false): AnyNode | undefined {
  const number = TYPES[type];
  if (number === undefined) return undefined;
  try {
    parser ??= start();
    if (parser === undefined) return undefined;
    const { memory, reserve, parse } = parser;
    const base = reserve(source.length);
    Buffer.from(memory.buffer).write(source, base, source.length * 2, 'utf16le');
    const program = parse(number, isWhole);
    return new SyntaxTree(source, parser, base).node(program) ?? undefined;
  } catch {
    // A text that it refuses, one that is nested too deeply for the stack, or no memory.
    return undefined;
  } finally {
    if (parser !== undefined && parser.memory.buffer.byteLength > KEPT_BYTES) parser = undefined;
  }
}

import { sourceContentFor, traceSegment } from '@jridgewell/trace-mapping';
import { SafeMap } from '../../base/safe-map.js';
import type { AuthorsFunction, AuthorsFunctions } from '../../ftrace/text.js';
import { joinSymbol, symbolPart } from '../instrument/symbol-text.js';
import { isModuleCode, type JsFunction, type JsText } from '../js-text.js';
import { bodyName } from './link-event.js';
import { OwnerWords } from './owner-words.js';
import { packageNameOf } from './package-name.js';
import { type OriginalFunction, originalFunction, type Read, readSourceMap, type SourceMap } from './source-map.js';

/** A declaration that begins where a function begins in the author's source. */
const DECLARED = /^(?:export\s+(?:default\s+)?)?(?:async\s+)?function\b\s*\*?\s*([\p{L}_$][\p{L}\p{N}\p{M}_$]*)/u;
/** A variable, with its type in TypeScript, to which the function is assigned that stands behind it. */
const ASSIGNED = /\b(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}\p{M}_$]*)\s*(?::[^=]*)?=\s*\(*$/u;

/**
 * The names that functions without one have in the author's source: a minifier puts a function that is used once into the place
 * of its use, where it needs no name.
 */
class DeclaredNames {
  readonly #source: SourceMap;
  readonly #lines = new SafeMap<string, readonly string[]>();

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

/**
 * The original names and places of the functions of a bundled or compiled text; [] if there is no usable map. Parses the map:
 * for the control thread, when a name is first needed.
 */
export const originalFunctions = (text: JsText, read?: Read): AuthorsFunctions => {
  if (text.sourceMappingURL === undefined) return [];
  try {
    const source = readSourceMap(text, read);
    return source === undefined ? [] : withColumns(named(text, source));
  } catch {
    return [];
  }
};

const ANONYMOUS = /@\d+(?:\.\d+)?$/;
/** Characters that no package name has, so that a map cannot break the lines of tracefs. */
const NOT_A_PACKAGE = /[^\w$.@/~-]/;

const named = (text: JsText, source: SourceMap): AuthorsFunctions => {
  const words = new OwnerWords(source, text.functions);
  const declared = new DeclaredNames(source);
  const around: { readonly one: JsFunction; readonly name: string; readonly isInlined: boolean }[] = [];
  return text.functions.map((one) => {
    while (around.length > 0 && around.at(-1)!.one.end <= one.start) around.pop();
    const original = originalFunction(source, one);
    if (isModuleCode(one.kind)) return original && bodyOf(source, original, text.module, one.name);
    const isAnonymous = ANONYMOUS.test(one.name);
    const own = isAnonymous ? declared.of(one) : undefined;
    // What a compiler has made of one function has its name once: the outermost.
    const isInlined = own !== undefined && !around.some(({ name }) => name === own);
    const last = isInlined ? own : isAnonymous ? calledName(words, one.name, one) : (original?.name ?? one.name);
    const isInside = ({ one: { name } }: { one: JsFunction }) => last.startsWith(`${name}.`) || last.startsWith(`${name}/`);
    const outer = around.findLast(isInside);
    const named = outer === undefined ? '' : outer.one.name;
    const holder = isAnonymous && !isInlined ? around.findLast((each) => each === outer || each.isInlined) : outer;
    const name =
      holder === undefined ? ownedName(words, last, one) : joinSymbol(holder.name, last.slice(named.length).replace(/^\./, ''));
    const lined = original === undefined ? name : name.replace(ANONYMOUS, `@${original.line}`);
    around.push({ one, name: lined, isInlined });
    if (original === undefined) return undefined;
    const module = packageNameOf(original.file);
    return {
      ...original,
      file: original.file.replace(/\p{Cc}/gu, '_'),
      name: lined,
      module: module === '' || NOT_A_PACKAGE.test(module) ? text.module : module,
    };
  });
};

/** The code outside of functions: it has its file's name, and that of the author's file if it was compiled from one alone. */
function bodyOf(source: SourceMap, original: OriginalFunction, module: string, name: string): AuthorsFunction {
  const file = original.file.replace(/\p{Cc}/gu, '_');
  return { ...original, file, name: source.map.sources.length === 1 ? bodyName(file) : name, module };
}

/** What a member of `exports` is called after no more than elsewhere. */
const EXPORTS = /^(?:module\.)?exports\.(?=.)/;

const ownedName = (words: OwnerWords, name: string, one: JsFunction): string => {
  const [first] = /^[\w$]+(?=[.@/])/.exec(name) ?? [];
  const original = first === undefined ? undefined : words.owner(first, one);
  return original === undefined ? name : (original + name.slice(first!.length)).replace(EXPORTS, '');
};

const calledName = (words: OwnerWords, name: string, one: JsFunction): string => {
  const [part] = /[\w$]+(?=@[\d.]+$)/.exec(name) ?? [];
  const original = part === undefined ? undefined : words.callee(part, one);
  if (original === undefined) return name;
  const at = name.lastIndexOf('@');
  return name.slice(0, at - part!.length) + original + name.slice(at);
};

/** If one line of a file has several anonymous functions of the same name, their columns distinguish them. */
const withColumns = (functions: AuthorsFunctions): AuthorsFunctions => {
  const counts = new SafeMap<string, number>();
  const key = ({ file, name }: AuthorsFunction): string => `${file}\n${name}`;
  for (const one of functions) if (one !== undefined) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1);
  return functions.map((one) =>
    one !== undefined && ANONYMOUS.test(one.name) && counts.get(key(one))! > 1
      ? { ...one, name: `${one.name}.${one.column}` }
      : one,
  );
};

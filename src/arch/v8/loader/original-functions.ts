import type { LinkedText, TextFunction } from '../../arch.js';
import { packageNameOf } from './package-name.js';
import { type OriginalFunction, originalFunction, originalWord, type Read, readSourceMap, type SourceMap } from './source-map.js';

/** A function of a text as its author knows it: what tracefs says of it in place of what the text says. */
export interface AuthorsFunction extends OriginalFunction {
  readonly name: string;
  /** npm package of the author's file, '' for the application's own. */
  readonly module: string;
}

/** For each function of a text the author's; undefined for one that the map says nothing of. */
export type AuthorsFunctions = readonly (AuthorsFunction | undefined)[];

/**
 * The author's names and places of a bundled or compiled text's functions, [] when there is no map that can be used.
 * Parses the map: for the control thread, once somebody asks for a name.
 */
export const originalFunctions = (text: LinkedText, read?: Read): AuthorsFunctions => {
  if (text.sourceMappingURL === undefined) return [];
  try {
    const source = readSourceMap(text, read);
    return source === undefined ? [] : withColumns(named(text, source));
  } catch {
    return [];
  }
};

const ANONYMOUS = /@\d+(?:\.\d+)?$/;
/** What no name of a package holds, so that a map cannot break tracefs's lines. */
const NOT_A_PACKAGE = /[^\w$.@/~-]/;

const named = (text: LinkedText, source: SourceMap): AuthorsFunctions => {
  const owner = ownerNames(source);
  const around: { readonly one: TextFunction; readonly name: string }[] = [];
  return text.functions.map((one) => {
    while (around.length > 0 && around.at(-1)!.one.end <= one.start) around.pop();
    const original = originalFunction(source, one);
    const last = original?.name ?? one.name;
    const outer = around.findLast(({ one: { name } }) => last.startsWith(`${name}.`) || last.startsWith(`${name}/`));
    const name = outer === undefined ? owner(last, one) : outer.name + last.slice(outer.one.name.length);
    const lined = original === undefined ? name : name.replace(ANONYMOUS, `@${original.line}`);
    around.push({ one, name: lined });
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

/** Where the class or variable may begin that a symbol's first part names. */
const DECLARATION = /(?<![\w$.])(?:class\s+([\w$]+)|([\w$]+)\s*=(?![=>]))/g;

/** Gives a symbol the author's word for its first part: the class or variable that it is a member of. */
const ownerNames = ({ map, code, lines }: SourceMap): ((name: string, one: TextFunction) => string) => {
  if (code === undefined || lines === undefined) return (name) => name;
  let declared: Map<string, string> | undefined;
  let at = 0;
  let line = 1;
  let lineStart = 0;
  const declarations = code.matchAll(DECLARATION);
  let next = declarations.next();
  /** Functions come in the order of their starts: what is declared before each is taken in on the way. */
  const readTo = (end: number): Map<string, string> => {
    declared ??= new Map();
    for (; !next.done && next.value.index < end; next = declarations.next()) {
      const [found, ofClass, ofVariable] = next.value;
      const word = (ofClass ?? ofVariable) as string;
      at = next.value.index + (ofClass === undefined ? 0 : found.length - ofClass.length);
      while (lineStart + lines[line - 1]!.length < at) lineStart += lines[line++ - 1]!.length + 1;
      const original = originalWord(map, line, at - lineStart);
      if (original === undefined) declared.delete(word);
      else declared.set(word, original);
    }
    return declared;
  };
  return (name, { start }) => {
    const [first] = /^[\w$]+(?=[.@/])/.exec(name) ?? [];
    const original = first === undefined ? undefined : readTo(start).get(first);
    return original === undefined ? name : original + name.slice(first!.length);
  };
};

/** Where one line of a file has several anonymous functions of the same name, their columns tell them apart. */
const withColumns = (functions: AuthorsFunctions): AuthorsFunctions => {
  const counts = new Map<string, number>();
  const key = ({ file, name }: AuthorsFunction): string => `${file}\n${name}`;
  for (const one of functions) if (one !== undefined) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1);
  return functions.map((one) =>
    one !== undefined && ANONYMOUS.test(one.name) && counts.get(key(one))! > 1
      ? { ...one, name: `${one.name}.${one.column}` }
      : one,
  );
};

import type { Problem, Span } from './problem.js';

export interface Macro {
  readonly name: string;
  readonly body: string;
}

/** A source whose preprocessor lines are blank, and what they said. All offsets are those of the source. */
export interface Preprocessed {
  readonly text: string;
  readonly macros: ReadonlyMap<string, Macro>;
  readonly includes: readonly string[];
  readonly problems: readonly Problem[];
}

/** What bpftrace itself defines. BTF says that kernel structs need no header. */
const DEFINED = ['BPFTRACE_HAVE_BTF'];

interface Condition {
  /** Whether the lines count. */
  isTaken: boolean;
  /** One of its branches had been taken, or it stands in one that is not. */
  isDone: boolean;
  hadElse: boolean;
  readonly at: Span;
}

/**
 * Takes the preprocessor's lines out of a source: `#!`, `#include`, `#define` of names without parameters, and conditions on
 * whether a name is defined. What is left out becomes blanks, so that all offsets stay.
 */
export function preprocess(source: string): Preprocessed {
  const macros = new Map<string, Macro>();
  const includes: string[] = [];
  const problems: Problem[] = [];
  const conditions: Condition[] = [];
  const kept: string[] = [];
  const isDefined = (name: string): boolean => macros.has(name) || DEFINED.includes(name);
  let inComment = false;
  let offset = 0;

  const conditionOf = (word: string, rest: string, at: Span): boolean => {
    const name = rest.trim();
    if (word === 'ifdef') return isDefined(name);
    if (word === 'ifndef') return !isDefined(name);
    const [, not, asked] = /^(!?)\s*defined\s*\(?\s*(\w+)\s*\)?$/.exec(name) ?? [];
    if (asked !== undefined) return isDefined(asked) === (not === '');
    if (/^\d+$/.test(name)) return Number(name) !== 0;
    problems.push({ at, message: `#${word} ${name}: only defined(NAME), !defined(NAME) and a number can be asked here` });
    return false;
  };

  const directive = (word: string, rest: string, at: Span): void => {
    const isTaken = conditions.every((condition) => condition.isTaken);
    const last = conditions.at(-1);
    if (word === 'if' || word === 'ifdef' || word === 'ifndef') {
      const isTrue = isTaken && conditionOf(word, rest, at);
      conditions.push({ isTaken: isTrue, isDone: isTrue || !isTaken, hadElse: false, at });
    } else if (word === 'else' || word === 'elif') {
      if (last === undefined || last.hadElse) {
        problems.push({ at, message: `#${word} without #if` });
        return;
      }
      last.hadElse = word === 'else';
      last.isTaken = !last.isDone && (word === 'else' || conditionOf('if', rest, at));
      last.isDone ||= last.isTaken;
    } else if (word === 'endif') {
      if (conditions.pop() === undefined) problems.push({ at, message: '#endif without #if' });
    } else if (!isTaken) return;
    else if (word === 'include') includes.push(rest.trim());
    else if (word === 'undef') macros.delete(rest.trim());
    else if (word === 'define') {
      const [, name, body] = /^\s*([A-Za-z_]\w*)(?:\s+(.*))?$/s.exec(rest) ?? [];
      if (name !== undefined) macros.set(name, { name, body: (body ?? '').replace(/\\\n/g, ' ') });
    } else if (word === 'error') problems.push({ at, message: rest.trim() });
  };

  while (offset < source.length) {
    let end = lineEnd(source, offset);
    const [, word] = inComment ? [] : (/^[ \t]*#[ \t]*(\w+|!)/.exec(source.slice(offset, end)) ?? []);
    if (word !== undefined) {
      while (word !== '!' && source[end - 1] === '\\' && end < source.length) end = lineEnd(source, end + 1);
      const line = source.slice(offset, end);
      if (word !== '!') directive(word, line.slice(line.indexOf(word) + word.length), { from: offset, to: end });
      kept.push(blank(line));
    } else {
      const line = source.slice(offset, end);
      inComment = endsInComment(line, inComment);
      kept.push(conditions.every((condition) => condition.isTaken) ? line : blank(line));
    }
    if (end < source.length) kept.push('\n');
    offset = end + 1;
  }
  for (const { at } of conditions) problems.push({ at, message: 'unterminated #if' });
  return { text: kept.join(''), macros, includes, problems };
}

const lineEnd = (source: string, from: number): number => {
  const end = source.indexOf('\n', from);
  return end === -1 ? source.length : end;
};

const blank = (line: string): string => line.replace(/[^\n]/g, ' ');

/** Whether a comment is open behind a line. */
function endsInComment(line: string, isOpen: boolean): boolean {
  let open = isOpen;
  for (const [part] of line.matchAll(/"(?:\\.|[^"\\])*"?|\/\/|\/\*|\*\//g)) {
    if (open) open = part !== '*/';
    else if (part === '//') return false;
    else open = part === '/*';
  }
  return open;
}

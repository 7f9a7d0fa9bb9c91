import { SafeMap } from '../../base/safe-map.js';
import { caughtPatterns } from './caught.js';
import { entryPatterns } from './entry.js';
import { PIECES, pieceNames } from './pieces.js';
import { prefixOf } from './prefix.js';
import { statementPattern } from './statement.js';

/** Inserted pieces of one kind. */
interface Snippet {
  /** What each begins with. */
  readonly head: string;
  /** A regular expression's source that matches each. */
  readonly source: string;
}

/**
 * Units of the longest text that is searched for each head: few pieces stand in a short one, and V8 compiles an expression for
 * all of them for milliseconds.
 */
const SHORT = 4096;
const snippetsOf = new SafeMap<string, readonly Snippet[]>();
const patterns = new SafeMap<string, RegExp>();

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** The snippets of a prefix. Longer ones come first, because some begin like others. */
function snippets(prefix: string): readonly Snippet[] {
  const escaped = escapePattern(prefix);
  const entries = Object.entries(entryPatterns(escaped)).map(([start, source]) => ({ head: start + prefix, source }));
  const caught = Object.entries(caughtPatterns(escaped, escapePattern)).map(([start, source]) => ({
    head: start.split('P').join(prefix),
    source,
  }));
  const statement = { head: `{typeof ${prefix}l`, source: statementPattern(escaped) };
  const fixed = pieceNames()
    .filter((name) => PIECES[name] !== '')
    .sort((a, b) => PIECES[b].length - PIECES[a].length)
    .map((name) => {
      const parts = PIECES[name].split('P').join(prefix).split(/[KJ]/);
      return { head: parts[0] as string, source: parts.map(escapePattern).join('\\d+') };
    });
  return [...entries, statement, ...caught, ...fixed];
}

/** Matches each inserted piece with `prefix` in a text. */
function patternFor(text: string, prefix: string): RegExp {
  let known = snippetsOf.get(prefix);
  if (known === undefined) snippetsOf.set(prefix, (known = snippets(prefix)));
  let sources = '';
  for (let i = 0; i < known.length; i++) {
    const { head, source } = known[i] as Snippet;
    if (text.length > SHORT || text.includes(head)) sources += `${source}|`;
  }
  let pattern = patterns.get(sources);
  if (pattern === undefined) patterns.set(sources, (pattern = new RegExp(`${sources}(?!)`, 'g')));
  return pattern;
}

/**
 * The original of an instrumented text: of a file, or of any piece of one that begins and ends where a function or a class
 * does, as `Function.prototype.toString` gives it. A text without sites is returned unchanged.
 */
export function restore(text: string): string {
  const prefix = prefixOf(text);
  return prefix === undefined ? text : text.replace(patternFor(text, prefix), '');
}

import { ENTRY_GROUPS, entryPattern } from './entry.js';
import { PIECES, pieceNames } from './pieces.js';
import { prefixOf } from './prefix.js';
import { statementPattern } from './statement.js';

const patterns = new Map<string, RegExp>();

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Matches each inserted piece with `prefix`. Longer ones come first, because some begin like others. */
function snippets(prefix: string): RegExp {
  const known = patterns.get(prefix);
  if (known) return known;
  const fixed = pieceNames()
    .filter((name) => name !== 'entry' && name !== 'statement')
    .sort((a, b) => PIECES[b].length - PIECES[a].length)
    .map((name) => escapePattern(PIECES[name].split('P').join(prefix)).replace(/[KJ]/g, '\\d+'));
  const escaped = escapePattern(prefix);
  const composed = [entryPattern(escaped), statementPattern(escaped, ENTRY_GROUPS + 1)];
  const pattern = new RegExp([...composed, ...fixed].join('|'), 'g');
  patterns.set(prefix, pattern);
  return pattern;
}

/**
 * The original of an instrumented text: of a file, or of any piece of one that begins and ends where a function or a class
 * does, as `Function.prototype.toString` gives it. A text without sites is returned unchanged.
 */
export function restore(text: string): string {
  const prefix = prefixOf(text);
  return prefix === undefined ? text : text.replace(snippets(prefix), '');
}

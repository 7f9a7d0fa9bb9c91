import type { Access, StapExpression, StapPlace, TargetExpression } from './syntax-tree.js';
import { isOperator } from './token.js';
import type { TokenCursor } from './token-cursor.js';

type Shown = TargetExpression['shown'];
type ParseIndex = (cursor: TokenCursor) => StapExpression;

/** `->name`, `[index]`, and `$` or `$$` at the end. */
export function parseAccesses(
  cursor: TokenCursor,
  parseIndex: ParseIndex,
  before?: Shown,
): { accesses: Access[]; shown?: Shown } {
  const accesses: Access[] = [];
  let shown = before;
  for (;;) {
    const token = cursor.peek();
    if (token?.kind === 'identifier' && shown === undefined && /^\$\$?$/.test(token.text)) {
      cursor.swallow();
      shown = shownBy(token.text);
      continue;
    }
    if (!isOperator(token, '->') && !isOperator(token, '[')) return { accesses, ...(shown !== undefined && { shown }) };
    if (shown !== undefined) throw cursor.saw('-> and [ are not accepted for a pretty-printing variable');
    cursor.swallow();
    cursor.checkDepth(accesses.length);
    if (token.text === '->') {
      const { text } = cursor.expectName(true);
      const name = withoutShown(text);
      accesses.push({ kind: 'member', name, place: token.place });
      shown = name === text ? undefined : shownBy(text.slice(name.length));
    } else {
      accesses.push({ kind: 'element', index: parseIndex(cursor), place: token.place });
      cursor.expect(']');
    }
  }
}

/** What follows a `$name`. */
export function parseTarget(cursor: TokenCursor, written: string, place: StapPlace, parseIndex: ParseIndex): TargetExpression {
  const text = written.slice(1);
  const name = /^\$*$/.test(text) ? text : withoutShown(text);
  const before = name === text ? undefined : shownBy(text.slice(name.length));
  const { accesses, shown } = parseAccesses(cursor, parseIndex, before);
  return { kind: 'target', name, isVar: false, accesses, ...(shown !== undefined && { shown }), isAddress: false, place };
}

/** `&` of an expression. */
export function withAddress(of: StapExpression, place: StapPlace): StapExpression {
  if (of.kind === 'target' || of.kind === 'cast' || of.kind === 'member') return { ...of, isAddress: true, place };
  return { kind: 'unary', operator: '&', of, place };
}

function withoutShown(name: string): string {
  return name.replace(/(?<=[^$])\$\$?$/, '');
}
function shownBy(marks: string): Shown {
  return marks === '$' ? 'flat' : 'deep';
}

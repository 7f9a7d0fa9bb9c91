import type { ScriptExpression } from '../../program.js';
import { type BoundExpression, buildAs } from './bound.js';
import { fault, refuse, type ScriptToken, SemanticError, type SemanticFault } from './semantic-error.js';
import { type CellType, TypeCell } from './type-cell.js';

/** Says where the type of a cell was found; nothing if no token has told it. */
export const firstInferred = ({ known, witness }: TypeCell): readonly SemanticFault[] =>
  witness === undefined ? [] : [{ message: `type was first inferred here (${known})`, ...witness }];

/** The types that this expression must have; @throws SemanticError if it has another */
export function expect(bound: BoundExpression, wanted: CellType): BoundExpression {
  const { cell, token } = bound;
  if (cell.be(wanted, token)) return bound;
  const first = firstInferred(cell);
  if (first.length === 0 || !token.token.startsWith('identifier')) {
    return refuse('type expected', [wanted, cell.known ?? ''], token);
  }
  throw new SemanticError(fault('type mismatch', [wanted], token), ...first);
}

/** Two must have one type. @throws SemanticError as SystemTap words it */
export function agree(
  kept: TypeCell,
  given: TypeCell,
  token: ScriptToken,
  mismatch = (type: string): SemanticFault => fault('type mismatch', [type], token),
): void {
  if (kept.join(given, token)) return;
  throw new SemanticError(mismatch(given.known ?? ''), ...firstInferred(kept));
}

/** The type of what is a number in any case. */
export const LONG = TypeCell.of('long');

/** An expression that is a number. */
export const longOf = (token: ScriptToken, build: () => ScriptExpression): BoundExpression => ({ cell: LONG, token, build });

/** An expression that is a text. */
export const stringOf = (token: ScriptToken, build: () => ScriptExpression): BoundExpression => ({
  cell: TypeCell.of('string'),
  token,
  build,
});

/** An expression that is what a variable of the program holds. */
export const programValueOf = (token: ScriptToken, build: () => ScriptExpression): BoundExpression => ({
  cell: TypeCell.of('value'),
  token,
  build,
});

/** Builds an expression as a number. */
export const asLong = (bound: BoundExpression): ScriptExpression => buildAs(bound, 'long');

/** Builds an expression as a text. */
export const asString = (bound: BoundExpression): ScriptExpression => buildAs(bound, 'string');

import { BUILTINS, type BuiltinName, type BuiltinRow } from '../../builtins.js';
import type { ScriptExpression } from '../../program.js';
import { INTRINSICS } from '../intrinsics.js';
import type { CallExpression } from '../syntax-tree.js';
import type { BodyScope } from './body-scope.js';
import { type BoundExpression, buildAs, typeOf } from './bound.js';
import { placeOf, tokenOfExpression } from './expression-token.js';
import { refuse } from './semantic-error.js';
import { type CellType, TypeCell } from './type-cell.js';
import { expect } from './type-rules.js';

/** The runtime's function of this name that takes so many arguments. */
function intrinsicOf(name: string, args: number): BuiltinName | undefined {
  const builtin = Object.hasOwn(INTRINSICS, name) ? INTRINSICS[name] : undefined;
  if (builtin === undefined) return undefined;
  const row: BuiltinRow = BUILTINS[builtin];
  const most = row.params.length + (row.optional?.length ?? 0);
  return args >= row.params.length && args <= most ? builtin : undefined;
}

function bindIntrinsic(builtin: BuiltinName, expression: CallExpression, scope: BodyScope): BoundExpression {
  const token = tokenOfExpression(expression);
  const row: BuiltinRow = BUILTINS[builtin];
  const types = [...row.params, ...(row.optional ?? [])];
  const bound = expression.args.map((arg, i) => {
    const one = scope.bind(arg);
    const wanted = types[i] as CellType;
    return wanted === 'value' ? one : expect(one, wanted);
  });
  const cell = row.returns === undefined ? new TypeCell() : TypeCell.of(row.returns as CellType);
  const build = (): ScriptExpression => ({
    op: 'builtin',
    name: builtin,
    args: bound.map((one, i) => buildAs(one, types[i] as CellType)),
    place: placeOf(token),
  });
  return { cell, token, build };
}

/** Binds a call of a function of the script, or of the runtime. */
export function bindCall(expression: CallExpression, scope: BodyScope): BoundExpression {
  const { name, args } = expression;
  const token = tokenOfExpression(expression);
  const intrinsic = intrinsicOf(name, args.length);
  const called = scope.functionOf(name, args.length, token, intrinsic !== undefined);
  if (called === undefined) return bindIntrinsic(intrinsic!, expression, scope);
  const bound = args.map((arg, i) => {
    const one = scope.bind(arg);
    const parameter = called.parameters[i]!;
    if (!parameter.cell.join(one.cell, one.token)) {
      refuse('type expected', [one.cell.known ?? '', parameter.cell.known ?? ''], one.token);
    }
    return { one, parameter };
  });
  const build = (): ScriptExpression => ({
    op: 'call',
    index: called.index,
    args: bound.map(({ one, parameter }) => buildAs(one, typeOf(parameter.cell))),
  });
  return { cell: called.returns, token, build };
}

import type { AssignTarget, ScriptExpression } from '../../program.js';
import type { IndexExpression, StapExpression, SymbolExpression } from '../syntax-tree.js';
import type { BodyScope } from './body-scope.js';
import { type BoundExpression, buildAs, typeOf } from './bound.js';
import { identifier, placeOf, tokenOfExpression } from './expression-token.js';
import { fault, refuse, type ScriptToken, SemanticError } from './semantic-error.js';
import type { TypeCell } from './type-cell.js';
import { agree } from './type-rules.js';

/** Something that can be assigned to. */
interface BoundTarget {
  readonly cell: TypeCell;
  readonly token: ScriptToken;
  build(): AssignTarget;
}

/** @throws SemanticError for what is no variable */
export function bindTarget(target: StapExpression, at: ScriptToken, scope: BodyScope, isRead: boolean): BoundTarget {
  const token = tokenOfExpression(target);
  if (target.kind === 'target') return refuse('read only', [`$${target.name}`], token);
  if (target.kind === 'symbol') {
    const local = scope.localOrGlobal(target.name, token);
    if ('slot' in local) {
      local.isAssigned = true;
      if (isRead) local.isRead = true;
      return { cell: local.cell, token, build: () => ({ op: 'local', slot: local.slot }) };
    }
    local.useWith(0, token);
    local.isWritten = true;
    if (isRead) local.isRead = true;
    return { cell: local.cell, token, build: () => ({ op: 'global', id: local.id }) };
  }
  if (target.kind === 'index' && target.of.kind === 'symbol') {
    const { global, keys } = bindElement(target, target.of, scope);
    global.isWritten = true;
    scope.checkChange(global, token);
    if (isRead) global.isRead = true;
    return {
      cell: global.cell,
      token,
      build: () => ({ op: 'element', id: global.id, keys: keys(), place: placeOf(token) }),
    };
  }
  throw new SemanticError(fault('lvalue', [], at), { message: '', ...token });
}

/** An array with its keys. `*` is refused. */
export function bindElement({ keys }: IndexExpression, of: SymbolExpression, scope: BodyScope) {
  const token = identifier(of.name, of);
  const global = scope.arrayOf(of.name, keys.length, token);
  const cells = global.useWith(keys.length, token);
  const bound = keys.map((key, i) => {
    if (key === undefined) return refuse('not here', ['* stands for a key in delete, in and foreach only'], token);
    return bindKey(key, cells[i]!, scope, i);
  });
  const build = (): ScriptExpression[] => bound.map((key, i) => buildAs(key, typeOf(cells[i]!)));
  return { global, keys: build, token };
}

/** A key of an array, of which `cell` is the type. */
export function bindKey(key: StapExpression, cell: TypeCell, scope: BodyScope, place = 0): BoundExpression {
  const bound = scope.bind(key);
  agree(cell, bound.cell, bound.token, (type) => fault('index type', [type, place], bound.token));
  return bound;
}

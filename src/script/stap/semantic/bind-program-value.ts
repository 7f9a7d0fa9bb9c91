import type { Fetch } from '../../../probes/probe-definition.js';
import type { ScriptExpression } from '../../program.js';
import type { Access, TargetExpression } from '../syntax-tree.js';
import { PLAIN_TEXT } from './bind-print.js';
import type { BodyScope } from './body-scope.js';
import { type BoundExpression, typeOf } from './bound.js';
import { tokenOfExpression } from './expression-token.js';
import { refuse, type ScriptToken, similarTo } from './semantic-error.js';
import { longOf, programValueOf, stringOf } from './type-rules.js';

/** The fields and elements that follow a name of the program. */
function bindAccesses(base: Fetch, accesses: readonly Access[], scope: BodyScope, token: ScriptToken): BoundExpression {
  let fetch = base;
  let i = 0;
  // What is known when the script is compiled is a part of the fetch.
  for (; i < accesses.length; i++) {
    const access = accesses[i]!;
    const index = access.kind === 'element' && access.index.kind === 'long' ? String(access.index.value) : undefined;
    const key = access.kind === 'element' && access.index.kind === 'string' ? access.index.value : index;
    const name = access.kind === 'member' ? access.name : key;
    if (name === undefined) break;
    fetch = { kind: 'member', of: fetch, name };
  }
  const memberOf = bindKeys(accesses.slice(i), scope);
  return programValueOf(token, () => memberOf({ op: 'fetch', index: scope.fetch(fetch) }));
}

/** Properties whose names the script computes: makes an expression for that of a value. */
function bindKeys(accesses: readonly Access[], scope: BodyScope): (of: ScriptExpression) => ScriptExpression {
  const keys = accesses.map((access) => {
    if (access.kind === 'member') return (): ScriptExpression => ({ op: 'string', value: access.name });
    const index = scope.bind(access.index);
    return (): ScriptExpression => (typeOf(index.cell) === 'string' ? index.build() : { op: 'to string', of: index.build() });
  });
  return (value) => keys.reduce<ScriptExpression>((of, key) => ({ op: 'member', of, key: key() }), value);
}

/** `$$parms` and its like: what the texts are made of. */
const ALL_VARIABLES: Readonly<Record<string, 'parameters' | 'return' | 'none'>> = {
  $parms: 'parameters',
  $vars: 'parameters',
  $locals: 'none',
  $return: 'return',
};

/** @throws SemanticError where the point has no such variable */
export function bindTargetVariable(expression: TargetExpression, scope: BodyScope): BoundExpression {
  const { name, accesses, shown, isAddress, isVar } = expression;
  const token = tokenOfExpression(expression);
  const { variables } = scope;
  if (variables === undefined) return refuse('no target', [], token);
  if (isAddress) return refuse('not here', ['a variable of the program has no address here: use its value'], token);
  const all = ALL_VARIABLES[name];
  if (all !== undefined) return bindAll(all, scope, token);
  if (isVar) return bindModuleVariable(expression, scope, token);
  const [first] = accesses;
  if (!variables.isInFunction && Object.keys(variables.types).length === 0) return refuse('no target', [], token);
  const field = first?.kind === 'member' ? variables.fetch(name, first.name) : undefined;
  // Fields of events are integers and texts, but for those that stand for structs of the kernel.
  const isNone = field === undefined && first?.kind === 'member' && variables.typeOf !== undefined;
  const fetch = isNone ? undefined : (field ?? variables.fetch(name));
  if (fetch === undefined) {
    return refuse('no such target', [`$${name}`, similarTo(name, Object.keys(variables.types), ' (alternatives: ')], token);
  }
  const rest = field === undefined ? accesses : accesses.slice(1);
  const value = bindAccesses(fetch, rest, scope, token);
  const member = field === undefined ? undefined : (first as { readonly name: string }).name;
  const type = rest.length > 0 || shown !== undefined ? undefined : variables.typeOf?.(name, member);
  if (type === 'long') return longOf(token, () => ({ op: 'to long', of: value.build() }));
  if (type === 'string') return stringOf(token, () => ({ op: 'to string', of: value.build() }));
  if (shown === undefined) return value;
  return stringOf(token, () => ({ op: 'show', of: value.build(), isDeep: shown === 'deep' }));
}

function bindModuleVariable({ name, accesses }: TargetExpression, scope: BodyScope, token: ScriptToken): BoundExpression {
  const at = name.indexOf('@');
  return bindAccesses({ kind: 'symbol', name: at < 0 ? name : name.slice(0, at) }, accesses, scope, token);
}

function bindAll(all: 'parameters' | 'return' | 'none', scope: BodyScope, token: ScriptToken): BoundExpression {
  const { variables } = scope;
  if (all === 'parameters' && variables!.isInFunction) return stringOf(token, () => ({ op: 'parameters' }));
  const names = all === 'return' ? ['return'] : all === 'none' ? [] : Object.keys(variables!.types);
  const shown = names.flatMap((name) => {
    const fetch = variables!.fetch(name);
    return fetch === undefined ? [] : [{ name, fetch }];
  });
  return stringOf(token, () => ({
    op: 'sprintf',
    format: shown.flatMap(({ name }, i) => [`${i === 0 ? '' : ' '}${name}=`, PLAIN_TEXT]),
    args: shown.map(({ fetch }) => ({ op: 'show', of: { op: 'fetch', index: scope.fetch(fetch) }, isDeep: false })),
  }));
}

/** Binds the properties that follow an expression. */
export function bindMember(
  of: BoundExpression,
  accesses: readonly Access[],
  shown: 'flat' | 'deep' | undefined,
  token: ScriptToken,
  scope: BodyScope,
): BoundExpression {
  const memberOf = bindKeys(accesses, scope);
  const build = (): ScriptExpression => memberOf(of.build());
  if (shown !== undefined) return stringOf(token, () => ({ op: 'show', of: build(), isDeep: shown === 'deep' }));
  return accesses.length === 0 ? { ...of, token } : programValueOf(token, build);
}

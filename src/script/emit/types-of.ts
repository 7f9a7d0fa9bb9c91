import { BUILTINS, type BuiltinRow } from '../builtins.js';
import type { ScriptExpression, ScriptHandler, ScriptProgram } from '../program.js';
import type { ScriptType } from '../script-type.js';

/** Where an expression stands: the types of its locals, and what its handler saves. */
export interface TypeScope {
  readonly program: ScriptProgram;
  readonly locals: readonly ScriptType[];
  readonly saves: ScriptHandler['saves'];
}

type TypeOf = {
  readonly [K in ScriptExpression['op']]: (expression: Extract<ScriptExpression, { op: K }>, scope: TypeScope) => ScriptType;
};

const long = (): ScriptType => 'long';
const string = (): ScriptType => 'string';

const TYPES: TypeOf = {
  long,
  string,
  local: ({ slot }, { locals }) => locals[slot]!,
  global: ({ id }, { program }) => program.globals[id]!.type,
  element: ({ id }, { program }) => program.globals[id]!.type,
  assign: ({ target }, scope) => typeOf(target, scope),
  update: ({ target }, scope) => typeOf(target, scope),
  has: long,
  parameters: string,
  'add sample': ({ value }, scope) => typeOf(value, scope),
  extract: long,
  bucket: long,
  'histogram text': string,
  '-': long,
  '~': long,
  '!': long,
  binary: long,
  compare: long,
  '&&': long,
  '||': long,
  choose: ({ yes }, scope) => typeOf(yes, scope),
  join: string,
  match: long,
  call: ({ index }, { program }) => program.functions[index]!.returns ?? 'long',
  builtin: ({ name }) => (BUILTINS[name] as BuiltinRow).returns ?? 'long',
  fetch: () => 'value',
  saved: ({ index }, scope) => typeOf(scope.saves[index]!, scope),
  'to long': long,
  'to string': string,
  show: string,
  member: () => 'value',
  sprintf: string,
  tuple: ({ elements }, scope) => ({
    tuple: elements.map((element) => typeOf(element, scope)).filter((type) => type !== 'stats'),
  }),
  'tuple element': ({ of, index }, scope) => {
    const type = typeOf(of, scope);
    return typeof type === 'object' ? type.tuple[index]! : 'value';
  },
};

/** The type of an expression. */
export const typeOf = <K extends ScriptExpression['op']>(
  expression: Extract<ScriptExpression, { op: K }>,
  scope: TypeScope,
): ScriptType => TYPES[expression.op as K](expression, scope);

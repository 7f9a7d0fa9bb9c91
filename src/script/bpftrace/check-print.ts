import type { Conversion, PrintFormat, ScriptExpression, ScriptStatement } from '../program.js';
import { type BpfType, isText, kindName, storedAs, typeName } from './bpf-type.js';
import { type CallNode, hasCount, literalOf, refuse, textLiteralOf, type VOID_CALLS } from './check-call.js';
import { checkExpression, targetOf } from './check-expression.js';
import { builtin } from './check-names.js';
import { parseFormat, type Wanted } from './print-format.js';
import type { HandlerScope } from './scopes.js';
import type { BpfExpression, MapNode } from './syntax-tree.js';
import { longOf, type Typed, textOf, toLong, toText } from './typed.js';

type VoidName = (typeof VOID_CALLS)[number];
type VoidCall = (node: CallNode, scope: HandlerScope) => readonly ScriptStatement[];

/** Checks a call that stands alone: what it does. undefined: it gives a value. */
export function checkVoidCall(node: BpfExpression, scope: HandlerScope): readonly ScriptStatement[] | undefined {
  if (node.node !== 'call' || !Object.hasOwn(VOIDS, node.name)) return undefined;
  return VOIDS[node.name as VoidName](node, scope);
}

const VOIDS: Readonly<Record<VoidName, VoidCall>> = {
  printf: (node, scope) => printf(node, scope),
  print: (node, scope) => print(node, scope),
  clear: (node, scope) => onMap(node, scope, (id) => ({ do: 'delete', id })),
  zero: (node, scope) => onMap(node, scope, (id) => ({ do: 'zero', id })),
  delete: (node, scope) => deleteElement(node, scope),
  time: (node, scope) => time(node, scope),
  join: (node, scope) => join(node, scope),
  exit: (node, scope) => exit(node, scope),
};

const PLAIN = { flags: '' } as const;
const print$ = (format: PrintFormat, args: readonly ScriptExpression[]): ScriptStatement => ({ do: 'print', format, args });

function printf(node: CallNode, scope: HandlerScope): readonly ScriptStatement[] {
  const { args } = node;
  if (args.length === 0) {
    refuse(node, scope, 'printf() requires at least one argument (0 provided)');
    return [];
  }
  const text = textLiteralOf(node, args[0]!, scope);
  const values = args.slice(1).map((arg) => checkExpression(arg, scope));
  if (text === undefined) return [];
  const parts = parseFormat(text);
  const wanted = parts.filter((part) => typeof part !== 'string');
  if (wanted.length !== values.length) {
    const how = values.length < wanted.length ? 'Not enough' : 'Too many';
    const counts = `(${values.length} supplied, ${wanted.length} expected)`;
    refuse(node, scope, `printf: ${how} arguments for format string ${counts}`);
    return [];
  }
  const codes: ScriptExpression[] = [];
  const format: (string | Conversion)[] = [];
  let index = 0;
  for (const part of parts) {
    if (typeof part === 'string') format.push(part);
    else {
      const code = argumentFor(part, values[index++]!, node, scope);
      format.push(part.conversion ?? part.text);
      if (part.conversion !== undefined) codes.push(code ?? longOf(0));
    }
  }
  return [print$(format, codes)];
}

/** An argument as its conversion shows it; undefined: it does not fit. */
function argumentFor(wanted: Wanted, value: Typed, node: CallNode, scope: HandlerScope): ScriptExpression | undefined {
  const { type, code } = value;
  if (type.kind === 'none') return undefined;
  if (wanted.takes === 'integer' && type.kind === 'value') return toLong(value);
  if (wanted.takes === 'integer' && type.kind === 'integer') {
    const { size = 8, isSigned = true } = wanted;
    return type.wasValue === true || size === 8 ? code : { op: 'to long', of: code, size, isSigned };
  }
  if (wanted.takes === 'string' && (type.kind === 'value' || isText(type))) return toText(value);
  if (wanted.takes === 'buffer' && type.kind === 'text' && type.name === 'buffer') return bytesShown(code, wanted.letter);
  const given = isText(type) ? 'string' : kindName(type);
  refuse(node, scope, `printf: %${wanted.letter} specifier expects a value of type ${wanted.takes} (${given} supplied)`);
  return undefined;
}

const MODES = ['r', 'rx', 'rh'];

/** The bytes of buf() in the way that `%r`, `%rx` or `%rh` asks for. */
function bytesShown(code: ScriptExpression, letter: string): ScriptExpression {
  if (code.op !== 'builtin' || code.name !== 'bytesText') return code;
  return { ...code, args: [...code.args.slice(0, 2), longOf(MODES.indexOf(letter))] };
}

function print(node: CallNode, scope: HandlerScope): readonly ScriptStatement[] {
  const [first, ...rest] = node.args;
  if (first === undefined) {
    refuse(node, scope, 'print() requires at least one argument (0 provided)');
    return [];
  }
  if (first.node === 'map') return printMap(node, first, rest, scope);
  if (rest.length > 0) {
    refuse(node, scope, `Non-map print() only takes 1 argument, ${node.args.length} found`);
    return [];
  }
  const value = checkExpression(first, scope);
  if (value.type.kind === 'none') return [];
  return printValue(value, scope);
}

/** A value, and the end of the line. */
function printValue(value: Typed, scope: HandlerScope): readonly ScriptStatement[] {
  const { type } = value;
  if (type.kind !== 'tuple') {
    const { format, args } = shownAs(value);
    return [print$([...format, '\n'], args)];
  }
  const slot = scope.addLocal(storedAs(type));
  const target = { op: 'local', slot } as const;
  const { format, args } = shownAs({ type, code: target });
  const assign: ScriptStatement = { do: 'expression', expression: { op: 'assign', target, value: value.code } };
  return [assign, print$([...format, '\n'], args)];
}

interface Shown {
  readonly format: PrintFormat;
  readonly args: readonly ScriptExpression[];
}

/** How print() shows a value. */
function shownAs(value: Typed): Shown {
  const { type, code } = value;
  if (type.kind === 'integer') return { format: [{ letter: type.isSigned ? 'd' : 'u', ...PLAIN }], args: [code] };
  if (type.kind !== 'tuple') return { format: [{ letter: 's', ...PLAIN }], args: [toText(value)] };
  const parts = type.elements.map((element, index) => shownAs({ type: element, code: { op: 'tuple element', of: code, index } }));
  const format = parts.flatMap((part, i) => (i === 0 ? part.format : [', ', ...part.format]));
  return { format: ['(', ...format, ')'], args: parts.flatMap((part) => part.args) };
}

function printMap(node: CallNode, map: MapNode, rest: readonly BpfExpression[], scope: HandlerScope): readonly ScriptStatement[] {
  const { script } = scope;
  if (map.keys !== undefined) {
    refuse(node, scope, 'The map passed to print() should not be indexed by a key');
    return [];
  }
  if (rest.length > 2) {
    refuse(node, scope, `print() takes up to 3 arguments (${node.args.length} provided)`);
    return [];
  }
  const state = script.map(map);
  if (state.type.kind === 'none') {
    script.late(map.at, `Undefined map: ${map.name}`);
    return [];
  }
  const [top, div] = rest.map((arg) => literalOf(node, arg, scope));
  if (rest.length > 0 && script.isLast && state.type.kind === 'aggregate' && state.type.name === 'stats') {
    script.warn(node.at, "print()'s top and div arguments are ignored when used on stats() maps.");
  }
  return [{ do: 'print map', id: state.id, ...(top ? { top: longOf(top) } : {}), ...(div ? { div: longOf(div) } : {}) }];
}

/** clear() and zero(): a map as a whole. */
function onMap(node: CallNode, scope: HandlerScope, make: (id: number) => ScriptStatement): readonly ScriptStatement[] {
  if (!hasCount(node, 1, 1, scope)) return [];
  const [map] = node.args;
  if (map!.node !== 'map') {
    refuse(node, scope, `${node.name}() expects a map to be provided`);
    return [];
  }
  if (map.keys !== undefined) {
    refuse(node, scope, `The map passed to ${node.name}() should not be indexed by a key`);
    return [];
  }
  const state = scope.script.map(map);
  if (state.type.kind === 'none') scope.script.late(map.at, `Undefined map: ${map.name}`);
  return [make(state.id)];
}

function deleteElement(node: CallNode, scope: HandlerScope): readonly ScriptStatement[] {
  if (!hasCount(node, 1, 1, scope)) return [];
  const [map] = node.args;
  if (map!.node !== 'map') {
    refuse(node, scope, 'delete() expects a map to be provided');
    return [];
  }
  const { map: state, target } = targetOf(map, scope);
  if (state.type.kind === 'none') scope.script.late(map.at, `Undefined map: ${map.name}`);
  return [{ do: 'delete', id: state.id, ...(target.op === 'element' ? { keys: target.keys } : {}) }];
}

function time(node: CallNode, scope: HandlerScope): readonly ScriptStatement[] {
  if (node.args.length > 1) {
    refuse(node, scope, `time() takes up to one argument (${node.args.length} provided)`);
    return [];
  }
  const format = node.args[0] === undefined ? '%H:%M:%S\n' : textLiteralOf(node, node.args[0], scope);
  if (format === undefined) return [];
  const now = builtin('wallNsecs', node.at, scope);
  return [print$([{ letter: 's', ...PLAIN }], [builtin('strftime', node.at, scope, [textOf(format), now])])];
}

function join(node: CallNode, scope: HandlerScope): readonly ScriptStatement[] {
  if (!hasCount(node, 1, 2, scope)) return [];
  const [list, between] = node.args;
  const value = checkExpression(list!, scope);
  const separator = between === undefined ? ' ' : textLiteralOf(node, between, scope);
  if (value.type.kind === 'none' || separator === undefined) return [];
  if (value.type.kind !== 'value' && value.type.kind !== 'string' && value.type.kind !== 'integer') {
    refuse(node, scope, `join() only supports int and pointer arguments (${typeName(value.type)} provided)`);
    return [];
  }
  const text = isJoined(value.type) ? builtin('joinElements', node.at, scope, [value.code, textOf(separator)]) : toText(value);
  return [print$([{ letter: 's', ...PLAIN }, '\n'], [text])];
}

const isJoined = ({ kind }: BpfType): boolean => kind === 'value';

/** The handler ends here, too. */
function exit(node: CallNode, scope: HandlerScope): readonly ScriptStatement[] {
  if (!hasCount(node, 0, 0, scope)) return [];
  return [{ do: 'expression', expression: builtin('exit', node.at, scope) }, { do: 'next' }];
}

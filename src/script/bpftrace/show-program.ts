import type { PrintFormat, ScriptExpression, ScriptHandler, ScriptProgram, ScriptStatement } from '../program.js';
import type { ScriptType } from '../script-type.js';

/** A typed program as text, for `-d`: its maps with their types, and what each handler does. */
export function showProgram({ globals, handlers }: ScriptProgram): string {
  const maps = globals.map(({ name, keys, type, stats }) => {
    const shown = keys.length === 0 ? '' : `[${keys.map(showType).join(', ')}]`;
    const kind = stats === undefined ? showType(type) : (stats.shows ?? `histogram ${JSON.stringify(stats.histogram)}`);
    return `map ${name}${shown}: ${kind}\n`;
  });
  const names = globals.map(({ name }) => name);
  return [...maps, ...handlers.map((handler) => showHandler(handler, names))].join('');
}

const showType = (type: ScriptType): string => (typeof type === 'string' ? type : `(${type.tuple.map(showType).join(', ')})`);

function showHandler(handler: ScriptHandler, maps: readonly string[]): string {
  const { name, fetches, saves, condition, locals, body } = handler;
  const show = (expression: ScriptExpression): string => showExpression(expression, maps);
  const lines = [
    name,
    ...fetches.map((fetch, i) => ` fetch ${i}: ${JSON.stringify(fetch)}`),
    ...saves.map((save, i) => ` saved ${i}: ${show(save)}`),
    ...locals.map((type, i) => ` local ${i}: ${showType(type)}`),
    ...(condition === undefined ? [] : [` if ${show(condition)}`]),
    ...body.flatMap((statement) => showStatement(statement, maps)),
  ];
  return `${lines.join('\n')}\n`;
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => ` ${line}`);

function showStatement(statement: ScriptStatement, maps: readonly string[]): readonly string[] {
  const block = (statements: readonly ScriptStatement[]): readonly string[] =>
    indented(statements.flatMap((one) => showStatement(one, maps)));
  const show = (expression: ScriptExpression): string => showExpression(expression, maps);
  switch (statement.do) {
    case 'expression':
      return [` ${show(statement.expression)}`];
    case 'print':
      return [` print ${[showFormat(statement.format), ...statement.args.map(show)].join(', ')}`];
    case 'if': {
      const { condition, yes, no } = statement;
      return [` if ${show(condition)}`, ...block(yes), ...(no.length === 0 ? [] : [' else', ...block(no)])];
    }
    case 'while': {
      const { condition, body, step } = statement;
      return [` while ${show(condition)}${step === undefined ? '' : `; ${show(step)}`}`, ...block(body)];
    }
    case 'delete':
    case 'zero':
    case 'print map':
      return [` ${showAction(statement, maps)}`];
    default:
      return [` ${statement.do}`];
  }
}

function showAction(
  statement: Extract<ScriptStatement, { do: 'delete' | 'zero' | 'print map' }>,
  maps: readonly string[],
): string {
  const show = (expression: ScriptExpression | undefined): string =>
    expression === undefined ? '*' : showExpression(expression, maps);
  const map = maps[statement.id]!;
  if (statement.do === 'zero') return `zero ${map}`;
  if (statement.do === 'delete')
    return `delete ${map}${statement.keys === undefined ? '' : `[${statement.keys.map(show).join(', ')}]`}`;
  const { top, div } = statement;
  return `print ${map}${top === undefined ? '' : `, top ${show(top)}`}${div === undefined ? '' : `, div ${show(div)}`}`;
}

const showFormat = (format: PrintFormat): string =>
  JSON.stringify(format.map((part) => (typeof part === 'string' ? part : `{${Object.values(part).join(' ').trim()}}`)).join(''));

/** An expression as text: what it is, and its parts in parentheses. */
function showExpression(expression: ScriptExpression, maps: readonly string[]): string {
  const show = (one: ScriptExpression): string => showExpression(one, maps);
  const keyed = (id: number, keys: readonly ScriptExpression[]): string =>
    maps[id]! + (keys.length === 0 ? '' : `[${keys.map(show).join(', ')}]`);
  switch (expression.op) {
    case 'long':
      return String(expression.value);
    case 'string':
      return JSON.stringify(expression.value);
    case 'local':
      return `local${expression.slot}`;
    case 'global':
      return maps[expression.id]!;
    case 'element':
      return keyed(expression.id, expression.keys);
    case 'fetch':
    case 'saved':
      return `${expression.op}${expression.index}`;
    case 'assign':
      return `(${show(expression.target)} = ${show(expression.value)})`;
    case 'update':
      return `(${show(expression.target)} ${expression.operator}= ${show(expression.value)}${expression.isPost ? ', before' : ''})`;
    case 'add sample':
      return `${keyed(expression.id, expression.keys)} <<< ${show(expression.value)}`;
    case 'binary':
    case 'compare':
      return `(${show(expression.left)} ${expression.operator}${signOf(expression)} ${show(expression.right)})`;
    case '&&':
    case '||':
    case 'join':
      return `(${show(expression.left)} ${expression.op === 'join' ? '.' : expression.op} ${show(expression.right)})`;
    case 'choose':
      return `(${show(expression.condition)} ? ${show(expression.yes)} : ${show(expression.no)})`;
    case 'builtin':
      return `${expression.name}(${expression.args.map(show).join(', ')})`;
    case 'to long':
      return `long${expression.size === undefined ? '' : (expression.isSigned ? '' : 'u') + expression.size}(${show(expression.of)})`;
    case 'to string':
      return `string(${show(expression.of)})`;
    case 'member':
      return `${show(expression.of)}[${show(expression.key)}]`;
    case 'tuple':
      return `(${expression.elements.map(show).join(', ')})`;
    case 'tuple element':
      return `${show(expression.of)}.${expression.index}`;
    case '-':
    case '~':
    case '!':
      return `${expression.op}${show(expression.of)}`;
    default:
      return expression.op;
  }
}

const signOf = (expression: Extract<ScriptExpression, { op: 'binary' | 'compare' }>): string => {
  if (expression.isUnsigned) return 'u';
  return expression.op === 'compare' && expression.of === 'string' ? 's' : '';
};

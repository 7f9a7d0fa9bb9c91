import { fromBytes } from './source-text.js';
import type {
  Access,
  EmbeddedCode,
  GlobalDefinition,
  LongLiteral,
  ProbeAlias,
  ProbePoint,
  StapExpression,
  StapFile,
  Statement,
  StringLiteral,
} from './syntax-tree.js';

/** A file's tree as text, as `stap -p1` prints it: operands in parentheses, a loop of each kind as `for`. */
export function treeText(file: StapFile): string {
  return [
    '# parse tree dump\n',
    `# file ${file.path}\n`,
    ...file.embedded.map(codeText),
    ...file.globals.map((global) => `${globalText(global)}\n`),
    ...file.aliases.map((alias) => `probe ${aliasText(alias)}${statementText(alias.body)}\n`),
    ...file.probes.map(({ points, body }) => `probe ${points.map(pointText).join(',')}${statementText(body)}\n`),
    ...file.functions.map(({ name, parameters, body }) => {
      const names = parameters.map(({ text }) => text).join(', ');
      return `function ${name.text} (${names})\n${body.kind === 'embedded' ? codeText(body) : statementText(body)}\n`;
    }),
    '\n',
  ].join('');
}

const codeText = ({ text }: EmbeddedCode): string => `%{${fromBytes(text)}%}`;

function globalText({ name, wraps, size, initial }: GlobalDefinition): string {
  const array = `${wraps ? '%' : ''}${size === undefined ? '' : `[${size}]`}`;
  return `global ${name.text}${array}${initial === undefined ? '' : ` = ${literalText(initial)}`}`;
}

function aliasText({ names, kind, points }: ProbeAlias): string {
  const sign = kind === 'prologue' ? ' = ' : ' += ';
  return `${names.map((name) => `${pointText(name)}${sign}`).join('')}${points.map(pointText).join(', ')}`;
}

function pointText({ components, isOptional, isSufficient, condition }: ProbePoint): string {
  const parts = components.map(({ name, argument }) => (argument === undefined ? name : `${name}(${literalText(argument)})`));
  const mark = isOptional ? '?' : isSufficient ? '!' : '';
  return `${parts.join('.')}${mark}${condition === undefined ? '' : ` if (${expressionText(condition)})`}`;
}

const literalText = (literal: LongLiteral | StringLiteral): string =>
  literal.kind === 'long' ? String(literal.value) : `"${fromBytes(literal.written)}"`;

type Texts<Node extends { readonly kind: string }> = {
  readonly [Kind in Node['kind']]: (node: Extract<Node, { readonly kind: Kind }>) => string;
};

const STATEMENTS: Omit<Texts<Statement>, 'break' | 'continue' | 'next'> = {
  block: ({ statements }) => `{\n${statements.map((one) => `${statementText(one)};\n`).join('')}}`,
  embedded: ({ text }) => `%{ ${fromBytes(text)} %}`,
  empty: () => ';',
  expression: ({ expression }) => expressionText(expression),
  if: ({ condition, yes, no }) =>
    `if (${expressionText(condition)}) ${statementText(yes)}\n${no === undefined ? '' : `else ${statementText(no)}\n`}`,
  while: ({ condition, body }) => `for (; ${expressionText(condition)}; ) ${statementText(body)}`,
  for: ({ init, condition, step, body }) => {
    const [first, last] = [init, step].map((one) => (one === undefined ? '' : expressionText(one)));
    return `for (${first}; ${condition === undefined ? '1' : expressionText(condition)}; ${last}) ${statementText(body)}`;
  },
  foreach: ({ value, keys, over, slice, order, limit, body }) => {
    const sign = order === undefined ? '' : order.isDescending ? '-' : '+';
    const names = keys.map(({ name }, index) => `${name}${order?.by === index + 1 ? sign : ''}`);
    const head = `${value === undefined ? '' : `${value.name} = `}[${names.join(', ')}]`;
    const by = order?.by === 0 ? `${order.extract === undefined ? '' : ` @${order.extract}`}${sign}` : '';
    const most = limit === undefined ? '' : ` limit ${expressionText(limit)}`;
    return `foreach (${head} in ${expressionText(over)}${slice === undefined ? '' : keysText(slice)}${by}${most}) ${statementText(body)}`;
  },
  return: ({ value }) => (value === undefined ? 'return' : `return ${expressionText(value)}`),
  delete: ({ target }) => `delete ${expressionText(target)}`,
  try: ({ body, caught, handler }) => {
    const name = caught === undefined ? '' : ` (${caught.name})`;
    return `try {\n${statementText(body)}\n} catch${name} {\n${statementText(handler)}\n}\n`;
  },
};

function statementText(statement: Statement): string {
  if (statement.kind === 'break' || statement.kind === 'continue' || statement.kind === 'next') return statement.kind;
  return (STATEMENTS[statement.kind] as (node: Statement) => string)(statement);
}

const EXPRESSIONS: Texts<StapExpression> = {
  long: literalText,
  string: literalText,
  symbol: ({ name }) => name,
  index: ({ of, keys }) => `${expressionText(of)}${keysText(keys)}`,
  call: ({ name, args }) => `${name}(${args.map(expressionText).join(', ')})`,
  unary: ({ operator, of }) => `${operator}(${expressionText(of)})`,
  binary: ({ operator, left, right }) => `(${expressionText(left)}) ${operator} (${expressionText(right)})`,
  ternary: ({ condition, yes, no }) => `(${expressionText(condition)})?(${expressionText(yes)}):(${expressionText(no)})`,
  assign: ({ operator, target, value }) => `(${expressionText(target)}) ${operator} (${expressionText(value)})`,
  step: ({ operator, isPost, target }) =>
    isPost ? `(${expressionText(target)})${operator}` : `${operator}(${expressionText(target)})`,
  in: ({ keys, over }) => `${keysText(keys)} in ${expressionText(over)}`,
  match: ({ of, isNegated, pattern }) => `(${expressionText(of)}) ${isNegated ? '!~' : '=~'} ${literalText(pattern)}`,
  target: (node) => {
    const name = node.isVar ? `@var("${node.name}"${moduleText(node.module)})` : `$${node.name}`;
    return `${node.isAddress ? '&' : ''}${name}${accessesText(node)}`;
  },
  cast: (node) => {
    const { of, type, module, isAddress } = node;
    return `${isAddress ? '&' : ''}@cast(${expressionText(of)}, "${type}"${moduleText(module)})${accessesText(node)}`;
  },
  member: (node) => `${node.isAddress ? '&' : ''}(${expressionText(node.of)})${accessesText(node)}`,
  defined: ({ of }) => `@defined(${expressionText(of)})`,
  entry: ({ of }) => `@entry(${expressionText(of)})`,
  probewrite: ({ of }) => `@probewrite(${expressionText(of)})`,
  perf: ({ counter }) => `@perf("${counter}")`,
  stat: ({ extract, of, bits }) => `@${extract}(${expressionText(of)}${bits === undefined ? '' : `, ${bits}`})`,
  histogram: ({ of, shape }) => {
    const parameters = shape.kind === 'linear' ? shape.parameters.map((one) => `, ${one}`).join('') : '';
    return `@hist_${shape.kind}(${expressionText(of)}${parameters})`;
  },
  print: ({ name, text, withFormat, args }) => {
    const first = text === undefined ? [] : [literalText(text)];
    // stap escapes what a format has once more, but for quotes.
    const all = [...(withFormat ? first.map((one) => one.replace(/\\\\|\\(?!")/g, '$&$&')) : first), ...args.map(expressionText)];
    return `${name}(${all.join(', ')})`;
  },
  memory: ({ operator, args }) => `${operator}(${args.map(expressionText).join(', ')})`,
  'embedded expression': ({ text }) => `%{ ${fromBytes(text)} %}`,
};

function expressionText(expression: StapExpression): string {
  return (EXPRESSIONS[expression.kind] as (node: StapExpression) => string)(expression);
}

const keysText = (keys: readonly (StapExpression | undefined)[]): string =>
  `[${keys.map((key) => (key === undefined ? '*' : expressionText(key))).join(', ')}]`;

const moduleText = (module: string | undefined): string => (module === undefined ? '' : `, "${module}"`);

function accessesText({ accesses, shown }: { readonly accesses: readonly Access[]; readonly shown?: 'flat' | 'deep' }): string {
  const parts = accesses.map((one) => (one.kind === 'member' ? `->${one.name}` : `[${expressionText(one.index)}]`));
  return `${parts.join('')}${shown === undefined ? '' : shown === 'flat' ? '->$' : '->$$'}`;
}

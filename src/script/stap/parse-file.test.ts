import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OFFERED_FACTS } from './conditions.js';
import { type ParsedFile, parseStapFile, syntaxErrorText } from './parse-file.js';
import type { StapExpression, Statement } from './syntax-tree.js';

const parse = (text: string, args: readonly string[] = []): ParsedFile =>
  parseStapFile('<input>', text, { facts: OFFERED_FACTS, args });
const refusal = (text: string, args: readonly string[] = []): string => syntaxErrorText(parse(text, args), '<input>');

/** The statements of `probe begin { text }`. */
function statements(text: string, args: readonly string[] = []): readonly Statement[] {
  const parsed = parse(`probe begin { ${text} }`, args);
  assert.ok(parsed.file, syntaxErrorText(parsed, '<input>'));
  return parsed.file.probes[0]!.body.statements;
}

/** An expression with parentheses that say how it was read. */
function shape(node: StapExpression | undefined): string {
  if (node === undefined) return '*';
  switch (node.kind) {
    case 'long':
      return String(node.value);
    case 'string':
      return JSON.stringify(node.value);
    case 'symbol':
      return node.name;
    case 'binary':
    case 'assign': {
      const [left, right] = node.kind === 'binary' ? [node.left, node.right] : [node.target, node.value];
      return `(${shape(left)} ${node.operator} ${shape(right)})`;
    }
    case 'unary':
      return `(${node.operator}${shape(node.of)})`;
    case 'step':
      return node.isPost ? `(${shape(node.target)}${node.operator})` : `(${node.operator}${shape(node.target)})`;
    case 'ternary':
      return `(${shape(node.condition)} ? ${shape(node.yes)} : ${shape(node.no)})`;
    case 'in':
      return `([${node.keys.map(shape).join(', ')}] in ${shape(node.over)})`;
    case 'index':
      return `${shape(node.of)}[${node.keys.map(shape).join(', ')}]`;
    case 'call':
      return `${node.name}(${node.args.map(shape).join(', ')})`;
    case 'match':
      return `(${shape(node.of)} ${node.isNegated ? '!~' : '=~'} ${shape(node.pattern)})`;
    case 'target':
    case 'member': {
      const of = node.kind === 'target' ? `$${node.name}` : shape(node.of);
      const accesses = node.accesses.map((one) => (one.kind === 'member' ? `->${one.name}` : `[${shape(one.index)}]`));
      return `${node.isAddress ? '&' : ''}${of}${accesses.join('')}${node.shown === undefined ? '' : ` ${node.shown}`}`;
    }
    default:
      return node.kind;
  }
}
function shapes(text: string, args: readonly string[] = []): string[] {
  return statements(text, args).map((one) => (one.kind === 'expression' ? shape(one.expression) : one.kind));
}

test('operators bind as those of stap', () => {
  const read: Readonly<Record<string, string>> = {
    '1 + 2 . 3 << 4 < 5 & 6 ^ 7 | 8 && 9 || 10 ? 11 : 12':
      '((((((((((1 + 2) . 3) << 4) < 5) & 6) ^ 7) | 8) && 9) || 10) ? 11 : 12)',
    'x = a = b <<< c': '(x = (a = (b <<< c)))',
    'y = d ? e = 3 : f = 4': '(y = ((d ? (e = 3) : f) = 4))',
    'x = a in b & c in d': '(x = (([a] in b) & ([c] in d)))',
    '[a, *] in b && c': '(([a, *] in b) && c)',
    'x = - -1 - ++y': '(x = ((-(-1)) - (++y)))',
    'x = !y in z': '(x = ([(!y)] in z))',
    'a . b =~ "c"': '((a . b) =~ "c")',
    'x = &$y->z[1]->w$$': '(x = &$y->z[1]->w deep)',
    'f(x)->y': 'f(x)->y',
    $$parms$: '$$parms flat',
    'a[1][2] = 3': '(a[1][2] = 3)',
    'x = 18446744073709551615': '(x = -1)',
    'x = "\\x41\\101\\n\\q\\303\\244"': '(x = "AA\\nqä")',
  };
  for (const [text, expected] of Object.entries(read)) assert.deepEqual(shapes(text), [expected], text);
  assert.deepEqual(shapes('a = 1.5 b++ ; 5'), ['(a = (1 . 5))', '(b++)', '5']);
});

test('the points of a probe: braces are written out, marks and conditions kept', () => {
  const { file } = parse('probe a.{b("x"),c.d}.*e? , f.g(-5) if (n > 1) { }\nprobe h.i = j ! , k { x = 1 }, { y = 2 }');
  const [probe] = file!.probes;
  const points = probe!.points.map(({ components, isOptional, condition }) => {
    const names = components.map(({ name, argument }) => (argument === undefined ? name : `${name}(${argument.value})`));
    return `${names.join('.')}${isOptional ? '?' : ''}${condition === undefined ? '' : ` if ${shape(condition)}`}`;
  });
  assert.deepEqual(points, ['a.b(x).*e?', 'a.c.d.*e?', 'f.g(-5) if (n > 1)']);
  const [alias] = file!.aliases;
  assert.deepEqual([alias!.kind, alias!.points.map(({ isSufficient }) => isSufficient)], ['prologue', [true, false]]);
  assert.equal(alias!.epilogue?.statements.length, 1);
});

test('foreach has its keys, its slice, its order and its limit', () => {
  const [first, second, third] = statements(
    'foreach (v = [a-, b] in q[*, 1] limit 5) { } foreach (v+ = x in q) { } foreach (x in q @sum - limit n) { }',
  );
  assert.ok(first?.kind === 'foreach' && second?.kind === 'foreach' && third?.kind === 'foreach');
  assert.deepEqual(first.order, { by: 1, isDescending: true });
  assert.deepEqual(first.slice?.map(shape), ['*', '1']);
  assert.deepEqual([second.value?.name, second.order], ['v', { by: 0, isDescending: false }]);
  assert.deepEqual(third.order, { by: 0, extract: 'sum', isDescending: true });
});

test('globals and functions have their sizes, types and priorities', () => {
  const { file } = parse('global a[3], b%, c%[5], d = -1; private e = "x"\nfunction f:long(x:string, y):2 { return 1 }');
  const globals = file!.globals.map(({ name, size, wraps, isPrivate, initial }) => [
    name.text,
    size,
    wraps,
    isPrivate,
    initial?.value,
  ]);
  assert.deepEqual(globals, [
    ['a', 3, false, false, undefined],
    ['b', undefined, true, false, undefined],
    ['c', 5, true, false, undefined],
    ['d', undefined, false, false, -1n],
    ['e', undefined, false, true, 'x'],
  ]);
  const [f] = file!.functions;
  assert.deepEqual(
    [f!.returns, f!.priority, f!.parameters.map(({ text, type }) => [text, type])],
    [
      'long',
      2,
      [
        ['x', 'string'],
        ['y', undefined],
      ],
    ],
  );
});

test('macros take arguments of the place where they are used', () => {
  const twice = '@define twice(x) %( @x + @x %)';
  const parsed = parse(`${twice}\nprobe begin { a = @twice(@twice(f(1, 2))) }`);
  const [statement] = parsed.file!.probes[0]!.body.statements;
  assert.ok(statement?.kind === 'expression' && statement.expression.kind === 'assign');
  assert.equal(shape(statement.expression.value), '(((f(1, 2) + f(1, 2)) + f(1, 2)) + f(1, 2))');
  const { place } = statement.expression.value;
  assert.deepEqual([place.line, place.column, place.expandedAt?.line], [1, 24, 2]);
  assert.deepEqual(shapes('@define n %( %( 1 == 2 %? 3 %: 4 %) %) a = @n'), ['(a = 4)']);
});

test('arguments stand in the text, as text or as a string', () => {
  assert.deepEqual(shapes('a = $1; b = @2 . @#; c = $#; d = "$1"', ['x + 5', 'q" )']), [
    '(a = (x + 5))',
    '(b = ("q\\" )" . "2"))',
    '(c = 2)',
    '(d = "$1")',
  ]);
  assert.match(
    refusal('probe begin { a = $1 }', ['$2', '3']),
    /invalid nested substitution of command line arguments\n +at: junk '' at <input>:1:19/,
  );
  assert.deepEqual([...parse('probe begin { a = $2 }', ['1', '2']).usedArguments], [2]);
});

test('a complaint shows the line, a caret, and the macros that led there', () => {
  assert.equal(
    refusal('@define one(a) %( @b %)\n\tprobe begin { c = @one(1) }'),
    `parse error: unknown operator @b
        saw: operator '@b' at <input>:1:19
     source: @define one(a) %( @b %)
                               ^
	in expansion of macro: operator '@one' at <input>:2:20
     source: 	probe begin { c = @one(1) }
             	                  ^

1 parse error.
Pass 1: parse failed.  [man error::pass1]
`,
  );
});

test('what no program means is refused at its place, however deep or long it is', () => {
  const many = 100_000;
  const hostile: Readonly<Record<string, RegExp>> = {
    [`probe begin { a = ${'('.repeat(many)}1${')'.repeat(many)} }`]: /nested deeper than 200 levels\n.* at <input>:1:2\d\d\n/,
    [`probe begin { ${'{'.repeat(many)}${'}'.repeat(many)} }`]: /nested deeper than 200 levels/,
    [`probe begin { a = ${'-'.repeat(1)}${' - '.repeat(many)}1 }`]: /nested deeper than 200 levels/,
    [`probe begin { a = 1${' + 1'.repeat(many)} }`]: /nested deeper than 200 levels/,
    [`probe begin { a = b${'[1]'.repeat(many)} }`]: /nested deeper than 200 levels/,
    [`probe begin { ${'if (1) '.repeat(many)} ; }`]: /nested deeper than 200 levels/,
    [`probe ${'a.{'.repeat(many)}`]: /nested deeper than 200 levels/,
    [`probe ${'{a,b}.'.repeat(20)}c { }`]: /more than 10000 probe points/,
    '@define loop %( @loop %) probe begin { a = @loop }': /macro '@loop' is used in its own text\n.* at <input>:1:17/,
    '@define a %( @b %) @define b %( @a %) probe begin { a = @a }': /macro '@a' is used in its own text/,
    '@define f(x) %( @f(@f(@x)) %) probe begin { a = @f(1) }': /macro '@f' is used in its own text/,
    [`${Array.from({ length: 30 }, (_, i) => `@define m${i} %( @m${i + 1} @m${i + 1} %)`).join('\n')}
      @define m30 %( 1 %) probe begin { a = @m0 }`]: /macros give more than 100000 tokens/,
    'probe begin { a = \0 }': /saw: <input> EOF/,
    '\0': /is empty/,
    [`probe begin { print("${'x'.repeat(many)}`]: /Could not find matching closing quote/,
    [`/*${'*'.repeat(many)}`]: /is empty/,
    [`%( 1 == 1 %? ${'%( 1 == 1 %? '.repeat(many)}`]: /incomplete conditional at end of file/,
    [') '.repeat(many)]: /1 parse error/,
    ['$1 '.repeat(many)]: /out of range/,
    ['probe '.repeat(many)]: /1000 parse errors/,
  };
  for (const [text, expected] of Object.entries(hostile)) assert.match(refusal(text), expected, text.slice(0, 60));
  assert.match(refusal(`probe begin { ${'$1 '.repeat(1000)} ) }`, ['x'.repeat(1000)]), /expected literal string or number/);
});

test('what stap takes although it is long is taken', () => {
  assert.equal(statements('a = 1 '.repeat(50_000)).length, 50_000);
  assert.equal(shapes(`a = ${'('.repeat(100)}1${')'.repeat(100)}`)[0], '(a = 1)');
  assert.equal(statements(`${'if (a) b = 1; else '.repeat(150)} c = 1`).length, 1);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../fuzz/random.js';
import { PRELOAD, Sandbox } from './support/program.js';

/** Where a statement stands. */
interface Around {
  readonly depth: number;
  readonly isInLoop: boolean;
  readonly kind: Kind;
  readonly name: string;
}
const KINDS = { sync: ['function', ''], async: ['async function', ''], generator: ['function', '*'] } as const;
type Kind = keyof typeof KINDS;
type Make = (random: Random, around: Around) => readonly string[];

const inner: Make = (random, around) => block(random, { ...around, depth: around.depth - 1 });
const loop = (head: string): Make => {
  return (random, around) => [`${head} {`, ...inner(random, { ...around, isInLoop: true }), '}'];
};
const one =
  (text: string): Make =>
  () => [text];
const quiet: Make = (random, around) => (random.below(2) === 0 ? [] : inner(random, around));

const SIMPLE: readonly Make[] = [
  (random) => [`x += ${random.below(9)};`],
  one('work(x);'),
  one('x = work(x) + work(x);'),
  (random) => [`let y${random.below(1e6)} = work(x);`],
  (_random, { name, kind }) => [kind === 'sync' ? `if (d > 0) x += ${name}(d - 1);` : 'x++;'],
  (_random, { kind }) => [{ sync: 'x--;', async: 'x += await later(x);', generator: 'x += yield x;' }[kind]],
];
const NESTED: readonly Make[] = [
  (random, around) => ['if (x % 2) {', ...inner(random, around), '}'],
  (random, around) => ['if (x % 3) {', ...inner(random, around), '} else {', ...inner(random, around), '}'],
  loop('for (let i = 0; i < 2; i++)'),
  loop('for (const one of [1, 2])'),
  loop('for (let turn = 0; turn++ < 2; )'),
  (random, around) => ['try {', ...inner(random, around), '} catch {', ...quiet(random, around), '}'],
  (random, around) => ['try {', ...inner(random, around), '} finally {', ...quiet(random, { ...around, isInLoop: false }), '}'],
  (random, around) => ['try {', ...inner(random, around), '} catch (e) {', ...quiet(random, around), '} finally {', 'x++;', '}'],
  (random, around) => ['switch (x % 3) {', 'case 0:', ...inner(random, around), 'case 1:', 'work(x);', 'default:', '}'],
  (random, around) => ['do {', ...inner(random, { ...around, isInLoop: true }), '} while (x++ % 2);'],
];
const JUMPS: readonly Make[] = [one('return pass(x);'), one("throw 'away';")];
const LOOP_JUMPS: readonly Make[] = [one('if (x % 2) break;'), one('if (x % 3) continue;')];

function block(random: Random, around: Around): readonly string[] {
  const { depth, isInLoop } = around;
  const count = 1 + random.below(3);
  return Array.from({ length: count }, (_, i) => {
    if (i === count - 1 && random.below(8) === 0) return random.pick(JUMPS)(random, around);
    if (isInLoop && random.below(6) === 0) return random.pick(LOOP_JUMPS)(random, around);
    return random.pick(depth > 0 && random.below(2) === 0 ? NESTED : SIMPLE)(random, around);
  }).flat();
}

const functionOf = (random: Random, name: string, kind: Kind): string => {
  const [head, star] = KINDS[kind];
  const lines = block(random, { depth: 3, isInLoop: false, kind, name });
  return [`export ${head}${star} ${name}(d) {`, 'var x = d;', ...lines, 'return pass(x);', '}'].join('\n');
};

const HELPERS = `
let calls = 0;
export const again = () => { calls = 0; };
function work(x) { if (calls++ % 5 === 3) throw 'no'; return x % 7; }
function pass(x) { return x; }
const later = async (x) => { await null; return work(x); };
`;

/** Puts a probe at each line of each function, and says what its handlers heard of one call. */
const PROGRAM = `import { registerKprobe } from ${JSON.stringify(PRELOAD)};
import * as all from './all.mjs';
for (const [symbol, func] of Object.entries(all)) {
  for (let line = 1; line < func.toString().split('\\n').length; line++) {
    const heard = [];
    const handler = (what) => (p, { variables: { x }, returnValue }) => void heard.push([what, x, returnValue].join(' '));
    let probe;
    try {
      probe = await registerKprobe({ symbol, line, variables: ['x'], preHandler: handler('pre'), postHandler: handler('post') });
    } catch ({ errno }) {
      console.log(symbol, line, errno);
      continue;
    }
    all.again();
    try {
      const made = func(2);
      if (typeof made?.next === 'function') for (let i = 0; i < 9 && !made.next(i).done; i++);
      else await made;
    } catch (error) {
      heard.push(String(error));
    }
    console.log(symbol, line, probe.isGone ? 'gone' : heard.join('; '));
    await probe.unregister();
  }
}`;

test('in random functions post handlers are heard at the same moments in both ways', async (t) => {
  const random = new Random(20_261_123);
  const sandbox = new Sandbox(t);
  const kinds: readonly Kind[] = ['sync', 'sync', 'async', 'generator'];
  const functions = Array.from({ length: 8 }, (_, i) => functionOf(random, `f${i}`, kinds[i % kinds.length]!));
  sandbox.file('all.mjs', functions.join('\n') + HELPERS);
  const program = sandbox.file('program.mjs', PROGRAM);
  const outputIn = async (way: string): Promise<readonly string[]> => {
    const { stdout, stderr, code } = await sandbox.run(['--import', PRELOAD, program], { FENTRY: way });
    assert.equal(code, 0, stderr);
    return stdout.split('\n');
  };
  const sites = await outputIn('statement_sites=app');
  const breakpoints = await outputIn('instrument=app');
  assert.equal(breakpoints.length, sites.length);
  // On a slow machine a place may be hit too often for a breakpoint.
  const compared = sites.flatMap((line, i) =>
    /gone$/.test(`${line}${breakpoints[i]}`) ? [] : [[line, breakpoints[i]] as const],
  );
  const text = functions.join('\n');
  for (const [line, other] of compared) assert.equal(other, line, text);
  assert.ok(compared.filter(([line]) => line.includes('post')).length > 20, compared.join('\n'));
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { REQUIRED, Sandbox, until } from './support/program.js';

/** Runs before the main module: Node loads it for `--require`. */
const PRELOADED = `const rate = 1 + 1;
function prepare(base) {
  const made = base + rate;
  return made;
}
globalThis.base = prepare(3);
`;
const MAIN = `import { answer } from './dependency.mjs';
const doubled = answer * 2;
const waited = await Promise.resolve(doubled + 1);
let sum = 0;
for (const n of [1, 2]) {
  sum += n;
}
class Box { static size = compute(sum); }
function compute(n) {
  return n + base;
}
console.log(doubled, waited, sum, Box.size);
setInterval(() => {}, 1000);
`;
const DEPENDENCY = `const seed = 40;
export const answer = raise(seed);
function raise(n) { return n + 2; }
`;

/** A probe, as \`kprobe_event=\` takes it, and what its records say, in the order in which the program gets there. */
const PROBES: readonly (readonly [line: string, ...records: string[]])[] = [
  ['p:first,preloaded.cjs:1', 'first: (preloaded.cjs)'],
  ['p:prepare,prepare,base', 'prepare: (prepare) base=3'],
  ['p:local,preloaded.cjs:4,made,rate', 'local: (prepare) made=5 rate=2'],
  ['r:prepared,prepare,$retval', 'prepared: (prepare) arg1=5'],
  ['p:dependency,dependency.mjs:2,seed', 'dependency: (dependency.mjs) seed=40'],
  ['f:raise,raise,n', 'raise: (raise) n=40'],
  ['p:main,main.mjs:3,doubled,sum', 'main: (main.mjs) doubled=84 sum=(fault)'],
  ['p:later,main.mjs:4,waited', 'later: (main.mjs) waited=85'],
  ['p:loop,main.mjs:6,n,sum', 'loop: (main.mjs) n=1 sum=0', 'loop: (main.mjs) n=2 sum=1'],
  ['p:compute,compute,n', 'compute: (compute) n=3'],
];

for (const parameters of ['', 'statement_sites=app ']) {
  test(`code that runs before main and outside of functions is probed from its first line on; ${parameters || 'no option'}`, async (t) => {
    const sandbox = new Sandbox(t);
    const preloaded = sandbox.file('preloaded.cjs', PRELOADED);
    sandbox.file('dependency.mjs', DEPENDENCY);
    const main = sandbox.file('main.mjs', MAIN);
    const program = sandbox.spawn(['--require', REQUIRED, '--require', preloaded, main], {
      FENTRY: `${parameters}kprobe_event=${PROBES.map(([line]) => line).join(';')}`,
    });
    let printed = '';
    let said = '';
    program.stdout!.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    program.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await until(() => printed !== '' && existsSync(join(sandbox.sockets, `${program.pid}.sock`)), 'the program has run');
    const files = sandbox.client(program.pid!);
    const lines = (await files.read('trace')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const records = lines.map((line) =>
      line.replace(/^.*?\d: (?=\w+: \()/, '').replace(/\((?:\S+ <- )?([\w.]+)(?:\+0x[\da-f]+\/0x[\da-f]+)?\)/, '($1)'),
    );
    assert.deepEqual(
      records,
      PROBES.flatMap(([, ...texts]) => texts),
    );
    assert.deepEqual([printed, said], ['84 85 3 8\n', '']);
  });
}

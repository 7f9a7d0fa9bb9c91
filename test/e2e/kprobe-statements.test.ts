import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PRELOAD, Sandbox } from './support/program.js';

const SHOP = `export function sum(list) {
  let total = 0;
  for (const one of list) {
    total += one;
  }
  return total;
}
export function down(n) {
  const left = n;
  if (n > 0) {
    down(n - 1);
  }
  return left;
}
export function fetches(work) {
  let state = 'new';
  try {
    state = work();
  } catch {
    state = 'failed';
  } finally {
    log('finally');
  }
  return state;
}
export function throwsOn(work) {
  try {
    return work();
  } finally {
    log('cleaned');
  }
}
export async function loads(id) {
  let text = await new Promise((done) => setTimeout(done, 5, id + '!'));
  text += id;
  return text;
}
export function* walks(n) {
  for (let i = 0; i < n; i++) {
    yield i;
  }
}
export function quiet(work) {
  for (let i = 0; i < 2; i++) {
    try {
      work(i);
    } catch {}
  }
  return 'quiet';
}
export async function tries(list) {
  const all = [];
  for await (const one of list) {
    try {
      all.push(await one());
    } catch {
    }
  }
  return all.length;
}
export function rare(n) {
  let seen = 0;
  for (let i = 0; i < n; i++) {
    if (i % 20 === 7) {
      seen++;
    }
    log(i);
  }
  return seen;
}
export function chooses(x) {
  l: for (;;) {
    switch (x) {
      case 1:
        x = 2;
      case 2:
        x = 0;
        continue l;
      default:
        break l;
    }
  }
  return x;
}
export function helper(x) {
  let y = x;
  y++;
  return y;
}
const log = (word) => globalThis.heard.push(word);
`;

/** A post handler is heard at the same moments, whichever way its probe has. */
const WAYS = { sites: 'statement_sites=app', breakpoints: 'instrument=app' } as const;

/** Runs a program in one way: `probe(symbol, line, options)` registers one that logs, `said()` prints what was heard. */
async function outputIn(t: TestContext, way: keyof typeof WAYS, body: string, stderrHas = /^$/): Promise<readonly string[]> {
  const sandbox = new Sandbox(t);
  sandbox.file('shop.mjs', SHOP);
  const program = `import { registerKprobe } from ${JSON.stringify(PRELOAD)};
import { sum, down, fetches, throwsOn, loads, walks, quiet, tries, rare, chooses, helper } from './shop.mjs';
globalThis.heard = [];
const log = (...words) => void heard.push(words.join(' '));
const said = () => console.log(heard.splice(0).join('; '));
const probe = (symbol, line, variables = [], more = {}) => registerKprobe({ symbol, line, variables,
  preHandler: (p, regs) => log('pre', ...variables.map((name) => regs.variables[name])),
  postHandler: (p, regs) => log('post', ...variables.map((name) => regs.variables[name]).filter((value) => value !== undefined),
    ...(regs.returnValue === undefined ? [] : ['returned', regs.returnValue])), ...more });
const tried = (run) => { try { return run(); } catch (error) { return error.message; } };
const fails = () => { throw new Error('no'); };
const refused = (promise) => promise.then(() => console.log('not refused'), ({ errno, message }) => console.log(errno + ': ' + message));
${body}`;
  const args = ['--import', PRELOAD, sandbox.file('program.mjs', program)];
  const { stdout, stderr, code } = await sandbox.run(args, { FENTRY: WAYS[way] });
  assert.equal(code, 0, stderr);
  assert.match(stderr, stderrHas);
  return stdout.replace(/\n$/, '').split('\n');
}

/** The output of a program, the same in both ways, which must not differ. */
async function outputOf(t: TestContext, body: string): Promise<readonly string[]> {
  const lines = await outputIn(t, 'sites', body);
  assert.deepEqual(await outputIn(t, 'breakpoints', body), lines);
  return lines;
}

test('a post handler at a statement is called when the next one of the same call begins, or at its return', async (t) => {
  const lines = await outputOf(
    t,
    `
const loop = await probe('sum', 3, ['total', 'one']);
sum([4, 5]); said(); await loop.unregister();
const last = await probe('sum', 5, ['total']);
sum([4, 5]); said(); await last.unregister();
const recursion = await probe('down', 3, ['left']);
down(2); said(); await recursion.unregister();
const first = await probe('down', 1);
down(1); said(); await first.unregister();
`,
  );
  assert.deepEqual(lines, [
    'pre 0 4; post 4 5; pre 4 5; post 9',
    'pre 9; post returned 9',
    'pre 2; pre 1; post 1; post 2',
    'pre; post; pre; post',
  ]);
});

test('it is not called when an exception came first; after a finally it is known whether one did', async (t) => {
  const lines = await outputOf(
    t,
    `
const caught = await probe('fetches', 3, ['state']);
console.log(fetches(() => 'ok'), fetches(fails)); said(); await caught.unregister();
const mended = await probe('fetches', 5, ['state']);
console.log(fetches(fails)); said(); await mended.unregister();
const cleaned = await probe('throwsOn', 2);
console.log(throwsOn(() => 7), tried(() => throwsOn(fails)), throwsOn(() => 8)); said(); await cleaned.unregister();
`,
  );
  assert.deepEqual(lines, [
    'ok failed',
    'pre new; finally; post ok; pre new; finally',
    'failed',
    'pre new; finally; post failed',
    '7 no 8',
    'pre; cleaned; post returned 7; pre; cleaned; pre; cleaned; post returned 8',
  ]);
});

test('each call of an async function and of a generator has its own, however they interleave', async (t) => {
  const lines = await outputOf(
    t,
    `
const awaits = await probe('loads', 1, ['id']);
await Promise.all([loads('a'), loads('b')]); said(); await awaits.unregister();
const yields = await probe('walks', 2, ['i']);
const [one, two] = [walks(2), walks(1)];
one.next(); two.next(); said(); one.next(); said(); two.next(); one.next(); said(); await yields.unregister();
`,
  );
  assert.deepEqual(lines, ['pre a; pre b; post a; post b', 'pre 0; pre 0', 'post 1; pre 1', 'post; post']);
});

test('an exception that a catch forgets leaves no post handler, of an async function neither', async (t) => {
  const lines = await outputOf(
    t,
    `
const forgets = await probe('quiet', 3, ['i']);
quiet(() => 0); said(); quiet((i) => { if (i === 0) throw 1; }); said(); quiet(fails); said(); await forgets.unregister();
const awaits = await probe('tries', 4);
const slow = (value) => new Promise((done) => setTimeout(done, 3, value));
const list = [() => slow(1), () => slow(2).then(fails), fails, () => 4];
console.log(await Promise.all([tries(list), tries(list.slice(0, 1))])); said(); await awaits.unregister();
`,
  );
  assert.deepEqual(lines, [
    'pre 0; post 1; pre 1; post',
    'pre 0; pre 1; post',
    'pre 0; pre 1',
    '[ 2, 1 ]',
    'pre; pre; post; pre; post; pre; pre; post',
  ]);
});

test('jumps, the cases of a switch, and a place that is reached less often than what follows it', async (t) => {
  const lines = await outputOf(
    t,
    `
const seldom = await probe('rare', 4, ['seen']);
rare(50); said(); await seldom.unregister();
for (const line of [4, 6, 7, 9]) { const one = await probe('chooses', line, ['x']); chooses(1); said(); await one.unregister(); }
`,
  );
  const numbers = (from: number, to: number): string => Array.from({ length: to - from }, (_, i) => from + i).join('; ');
  assert.deepEqual(lines, [
    `${numbers(0, 7)}; pre 0; post 1; ${numbers(7, 27)}; pre 1; post 2; ${numbers(27, 47)}; pre 2; post 3; ${numbers(47, 50)}`,
    'pre 1; post 2',
    'pre 2; post 0',
    'pre 0; post 0',
    'pre 0; post 0',
  ]);
});

test('two probes at one place, and one where the statement of another ends; in the middle of a statement', async (t) => {
  const lines = await outputIn(
    t,
    'breakpoints',
    `
const after = await probe('helper', 2, ['y']);
const before = await probe('helper', 1, ['x']);
const again = await registerKprobe({ symbol: 'helper', line: 2, preHandler: () => log('again'), postHandler: () => log('again post') });
helper(1); said();
await after.unregister(); await again.unregister(); await before.unregister();
const source = sum.toString();
const inner = await registerKprobe({ symbol: 'down', offset: down.toString().indexOf('down(n - 1)'),
  preHandler: () => log('calls'), postHandler: (p, regs) => log('called', regs.variables.left), variables: ['left'] });
down(2); said(); await inner.unregister();
await refused(registerKprobe({ symbol: 'helper', offset: helper.toString().indexOf('return y;') + 9, postHandler() {} }));
`,
  );
  assert.deepEqual(lines, [
    'pre 1; post 1; again; pre 1; again post; post 2',
    'calls; calls; called 1; called 2',
    'EOPNOTSUPP: a postHandler cannot be there: the place is behind the site at which the call has ended. It can be at a statement in the body of a function that has a site',
  ]);
});

test('handlers that throw, unregister or call the function, several probes at a statement, and what needs a breakpoint', async (t) => {
  const lines = await outputIn(
    t,
    'sites',
    `
const one = await probe('helper', 2, ['y']);
const two = await registerKprobe({ symbol: 'helper', line: 2, preHandler: () => { log('two'); return globalThis.skips; } });
const self = await registerKprobe({ symbol: 'helper', line: 2, preHandler: (p) => { log('self'); helper(9); void p.unregister(); } });
console.log(helper(1)); said(); console.log(self.isGone, one.missed, two.missed);
globalThis.skips = true; helper(1); said();
const bad = await registerKprobe({ symbol: 'helper', line: 2, postHandler() { throw new Error('a mistake'); } });
globalThis.skips = false; console.log(helper(1)); said(); console.log(bad.isGone, one.isGone);
await one.disable(); await two.disable(); helper(1); said();
await one.enable(); helper(1); said();
await one.unregister(); await two.unregister(); helper(1); said();
const breakpoint = await registerKprobe({ symbol: 'helper', line: 2, variables: ['log'], preHandler: () => log('broke'), postHandler: () => log('behind') });
helper(1); said(); await breakpoint.unregister();
console.log(Object.getOwnPropertyNames(globalThis).filter((name) => name.startsWith('$fentry')).length);
`,
    /^fentry: a handler of a probe threw, and the probe is gone: Error: a mistake/,
  );
  assert.deepEqual(lines, [
    '2',
    'self; two; pre 1; post 2',
    'true 1 1',
    'two',
    '2',
    'two; pre 1; post 2',
    'true false',
    '',
    'pre 1; post 2',
    '',
    'broke; behind',
    '0',
  ]);
});

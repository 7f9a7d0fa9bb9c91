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
  const text = await new Promise((done) => setTimeout(done, 5, id + '!'));
  return text;
}
export function* walks(n) {
  for (let i = 0; i < n; i++) {
    yield i;
  }
}
export function helper(x) {
  let y = x;
  y++;
  return y;
}
const log = (word) => globalThis.heard.push(word);
`;

/** Runs a program with sites at its statements: `probe(symbol, line, options)` registers one that logs, `said()` prints what was heard. */
async function outputOf(t: TestContext, body: string, stderrHas = /^$/): Promise<readonly string[]> {
  const sandbox = new Sandbox(t);
  sandbox.file('shop.mjs', SHOP);
  const program = `import { registerKprobe } from ${JSON.stringify(PRELOAD)};
import { sum, down, fetches, throwsOn, loads, walks, helper } from './shop.mjs';
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
  const { stdout, stderr, code } = await sandbox.run(args, { FENTRY: 'statement_sites=app' });
  assert.equal(code, 0, stderr);
  assert.match(stderr, stderrHas);
  return stdout.replace(/\n$/, '').split('\n');
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

test('handlers that throw, unregister or call the function, several probes at a statement, and what needs a breakpoint', async (t) => {
  const lines = await outputOf(
    t,
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
await refused(registerKprobe({ symbol: 'helper', line: 2, variables: ['nowhere'], postHandler() {} }));
const breakpoint = await registerKprobe({ symbol: 'helper', line: 2, variables: ['log'], preHandler: () => log('broke') });
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
    'EOPNOTSUPP: a postHandler needs a site: at the entry of a function, or at a statement of a package with statement_sites. A breakpoint knows no call of a function from another, and V8 would have to pause the program to execute what follows it',
    'broke',
    '0',
  ]);
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PRELOAD, Sandbox } from './support/program.js';

/** The functions that are patched; their own module, so that they are known before the patches. */
const SHOP = `let sold = 0;
export function total(order) { sold++; return order.price; }
export async function pay(gate) { await gate; return 'old ' + total({ price: 1 }); }
export const count = () => sold;
`;

/** Runs a program with patches; \`refused(promise)\` prints the errno and the message. Returns what it printed. */
async function run(t: TestContext, files: Readonly<Record<string, string>>, body: string): Promise<readonly string[]> {
  const sandbox = new Sandbox(t);
  for (const [name, text] of Object.entries({ 'shop.mjs': SHOP, ...files })) sandbox.file(name, text);
  const program = `import { livepatch } from ${JSON.stringify(PRELOAD)};
import { total, pay, count } from './shop.mjs';
const say = (...words) => console.log(words.join(' '));
const at = (name) => new URL(name, import.meta.url);
const refused = (promise) => promise.then(() => say('not refused'), ({ name, errno, message }) => say(name, errno, message.replace(/\\S*\\//g, '')));
${body}`;
  const { stdout, stderr, code } = await sandbox.run(['--import', PRELOAD, sandbox.file('program.mjs', program)]);
  assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
  return stdout.replace(/\n$/, '').split('\n');
}

const FIX = `export const klpSymbols = { sold: 'sold' };
export function total(order) { klpSymbols.sold += 10; return order.price * 2; }
export async function pay(gate) { await gate; return 'new ' + total({ price: 1 }); }`;

test('a program patches itself, sees the transition, and undoes it; nothing keeps it alive', async (t) => {
  const lines = await run(
    t,
    { 'fix.mjs': FIX },
    `
const show = (patch) => say(patch.name, patch.enabled, patch.transition, patch.isGone, patch.functions.join());
const prepared = await livepatch({ file: at('fix.mjs'), prepare: true });
show(prepared);
let open;
const old = pay(new Promise((resolve) => { open = resolve; }));
await prepared.enable();
show(prepared);
say(total({ price: 2 }), await pay(), count());
open();
say(await old);
await prepared.settled();
show(prepared);
await refused(prepared.enable());
await refused(prepared.force());
await prepared.disable();
await prepared.settled();
show(prepared);
say(total({ price: 2 }), await pay());
await refused(prepared.disable());
const again = await livepatch({ file: at('fix.mjs').pathname, name: 'again' });
await again.settled();
say(total({ price: 2 }), again.name, again.enabled);
let hold;
void pay(new Promise((resolve) => { hold = resolve; }));
await again.disable();
say(again.transition);
await again.force();
await again.settled();
say(again.isGone);
`,
  );
  const functions = 'vmlinux/pay,1,vmlinux/total,1';
  assert.deepEqual(lines, [
    `fix false false false ${functions}`,
    `fix true true false ${functions}`,
    '4 new 2 20',
    'old 1',
    `fix true false false ${functions}`,
    'TraceError EINVAL live patch fix is enabled',
    'TraceError EINVAL live patch fix is not in transition',
    `fix false false true ${functions}`,
    '2 old 1',
    'TraceError EINVAL this live patch is gone',
    '4 again true',
    'true',
    'true',
  ]);
});

test('a thread that starts while the others load the file of a patch loads it too', async (t) => {
  const lines = await run(
    t,
    {
      'slow.mjs': `import { isMainThread } from 'node:worker_threads';
if (isMainThread) {
  globalThis.begun();
  await globalThis.isStarted;
}
export function total() { return 'new'; }`,
      'worker.mjs': `import { parentPort } from 'node:worker_threads';
import { livepatch } from ${JSON.stringify(PRELOAD)};
import { total } from './shop.mjs';
// Refused by the control thread, which knows this one then.
await livepatch({ file: '/no/such/file.mjs' }).catch(() => {});
parentPort.on('message', () => parentPort.postMessage(total({ price: 'old' })));
parentPort.postMessage('started');`,
    },
    `
const { Worker } = await import('node:worker_threads');
const { once } = await import('node:events');
let started;
globalThis.isStarted = new Promise((resolve) => { started = resolve; });
const isBegun = new Promise((resolve) => { globalThis.begun = resolve; });
const loading = livepatch({ file: at('slow.mjs') });
await isBegun;
const worker = new Worker(at('worker.mjs'));
await once(worker, 'message');
started();
await (await loading).settled();
worker.postMessage('call');
say(total({ price: 'old' }), ...(await once(worker, 'message')));
await worker.terminate();
`,
  );
  assert.deepEqual(lines, ['new new']);
});

test('what cannot be loaded is an error with its errno', async (t) => {
  const files = {
    'fix.mjs': FIX,
    'throws.mjs': 'throw new TypeError("not today")',
    'odd.mjs': 'throw { toString() { throw 1 } }',
    'nothing.mjs': 'export const x = 1',
    'traps.mjs': `export default new Proxy({}, { ownKeys() { throw new Error('a trap') } });`,
    'getter.cjs': 'Object.defineProperty(module.exports, "total", { enumerable: true, get() { throw new Error("a getter") } })',
    'self.mjs': `import { livepatch } from ${JSON.stringify(PRELOAD)};
      globalThis.inner = livepatch({ file: import.meta.url.replace(/\\?.*/, ''), name: 'inner' });
      await globalThis.inner.catch(() => {});
      export function total() { return 'self' }`,
    'same.mjs': `import { livepatch } from ${JSON.stringify(PRELOAD)};
      globalThis.inner = livepatch({ file: new URL('fix.mjs', import.meta.url), name: 'self2' });
      await globalThis.inner.catch(() => {});
      export function total() { return 'self' }`,
  };
  const lines = await run(
    t,
    files,
    `
await refused(livepatch({ file: 'fix.mjs' }));
await refused(livepatch({ file: 7 }));
await refused(livepatch({ file: 'file:///a%2fb' }));
await refused(livepatch({ file: at('fix.mjs'), name: 'a b' }));
await refused(livepatch({ file: at('nosuch.mjs') }));
for (const name of ['throws.mjs', 'odd.mjs', 'nothing.mjs', 'traps.mjs', 'getter.cjs']) await refused(livepatch({ file: at(name) }));
const self = await livepatch({ file: at('self.mjs') });
await refused(globalThis.inner);
say(total({}));
await refused(livepatch({ file: at('fix.mjs') }));
await refused(livepatch({ file: at('fix.mjs'), name: 'self' }));
await self.disable();
await self.settled();
await livepatch({ file: at('same.mjs'), name: 'self2' });
await refused(globalThis.inner);
`,
  );
  assert.deepEqual(lines.slice(0, 5), [
    'TraceError EINVAL fix.mjs is neither an absolute path nor a file: URL',
    'TraceError EINVAL 7 is neither an absolute path nor a file: URL',
    'TraceError EINVAL a%2fb is neither an absolute path nor a file: URL',
    'TraceError EINVAL a b: a patch has a name of letters, digits, "_", "-", "." and "@"',
    'TraceError ENOENT nosuch.mjs: no such file',
  ]);
  assert.deepEqual(lines.slice(5), [
    'TraceError EINVAL throws.mjs: TypeError: not today',
    'TraceError EINVAL odd.mjs: the file threw a value that has no text',
    'TraceError EINVAL nothing.mjs: Error: the file exports no function',
    'TraceError EINVAL traps.mjs: Error: a trap',
    'TraceError EINVAL getter.cjs: Error: a getter',
    'TraceError EBUSY self.mjs is being loaded',
    'self',
    'TraceError EBUSY total has an owner that may replace it: live patch self',
    'TraceError EEXIST there is a patch self',
    'TraceError EEXIST there is a patch self2',
  ]);
});

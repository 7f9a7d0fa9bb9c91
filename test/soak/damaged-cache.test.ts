import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eachDamage } from '../../src/base/cache/testing/each-damage.js';
import { storedCode } from '../../src/v8/program/bundle-code.js';
import { REQUIRED, Sandbox, until } from '../e2e/support/program.js';

/** Runs with each damage, in each of which one kind of entry is damaged; 0: one run, in which all are. */
const RUNS = Number(process.env['SOAK_DAMAGES'] ?? 0);
/** The distance of the bytes that are damaged in V8's code; with 1 that takes an hour. */
const STEP = Number(process.env['SOAK_DAMAGE_STEP'] ?? 9973);

/** Long enough for V8's code of it to be stored. */
const PROGRAM = `
function price(n) { return n * 2 }
class Order { constructor(id) { this.id = id } get total() { return price(this.id) } }
const sum = [1, 2, 3].map((id) => new Order(id).total).reduce((a, b) => a + b);
function fails() { throw new TypeError('no order') }
try { fails() } catch (error) { console.log(sum, error.stack.split('\\n')[1].replace(/.*:(\\d+:\\d+).*/, '$1'), price.toString()) }
process.exitCode = 3;
/*${'x'.repeat(3000)}*/`;

const PLAIN = {};
const TRACED = { FENTRY: 'ftrace=function' };
const STATEMENTS = { FENTRY: 'statement_sites=app' };

interface Kind {
  readonly name: string;
  readonly entry: RegExp;
  /** The environment of a program that reads them. */
  readonly env: NodeJS.ProcessEnv;
}

const KINDS: readonly Kind[] = [
  { name: "V8's code of the agent", entry: /^agent-.*\.code$/, env: PLAIN },
  { name: "V8's code of tracing", entry: /^tracing-.*\.code$/, env: TRACED },
  { name: "V8's code of the control thread", entry: /^control-.*\.code$/, env: TRACED },
  { name: 'the pack of a program', entry: /\.pack$/, env: PLAIN },
  { name: 'a text, and the packs that have it too', entry: /^[0-9a-f]{32}(\.pack)?$/, env: STATEMENTS },
  { name: 'the table of last runs', entry: /^last-runs$/, env: PLAIN },
];
const CODE = /\.code$/;
/**
 * Kinds that a run need not write: the control thread stores its own while a program runs, for which
 * test/program/control-code.test.ts waits, and a command writes only its own row of a table.
 */
const NOT_WRITTEN = /control-[^/]*\.code$|last-runs$/;

type Damage = (bytes: Buffer, turn: number) => Buffer;
const flipped: Damage = (bytes, turn) => {
  const at = (0x9e3779b1 * (turn + 1)) % bytes.length;
  return bytes.map((byte, i) => (i === at ? byte ^ 0xff : byte)) as Buffer;
};
const DAMAGES: Readonly<Record<string, Damage>> = {
  'flipped bytes': flipped,
  'cut files': (bytes, turn) => bytes.subarray(0, (0x85ebca6b * (turn + 1)) % bytes.length),
  'zeros all over': (bytes) => Buffer.alloc(bytes.length),
  'sixteen zeros': () => Buffer.alloc(16),
  'zeros from some place on': (bytes, turn) => Buffer.from(bytes).fill(0, (0xc2b2ae35 * (turn + 1)) % bytes.length),
};

/** A program, and a cache that has everything. */
async function prepared(t: TestContext) {
  const sandbox = new Sandbox(t, { hasOwnCache: true });
  const program = sandbox.file('program.cjs', PROGRAM);
  const plain = await sandbox.run([program]);
  assert.equal(plain.code, 3);
  const run = async (env: NodeJS.ProcessEnv, what = 'undamaged'): Promise<void> => {
    assert.deepEqual(await sandbox.run(['--require', REQUIRED, program], env), plain, what);
  };
  for (const env of [PLAIN, PLAIN, TRACED, STATEMENTS]) await run(env);
  const lasting = await sandbox.start('setInterval(() => {}, 100); function one() {}', {}, 'lasting.cjs');
  const folder = sandbox.cache;
  const cache = join(folder, readdirSync(folder)[0]!);
  const entries = (name: RegExp): string[] =>
    readdirSync(cache)
      .filter((one) => name.test(one))
      .map((one) => join(cache, one));
  await until(() => entries(/^control-.*\.code$/).length > 0, 'all is stored');
  lasting.kill();
  return { run, entries };
}

/** Damages all entries of these names, runs, and expects that each that is read is written anew. */
async function damaged(
  { run, entries }: Awaited<ReturnType<typeof prepared>>,
  names: readonly RegExp[],
  envs: readonly NodeJS.ProcessEnv[],
  damage: (bytes: Buffer) => Buffer,
  what: string,
): Promise<void> {
  const before = new Map<string, Buffer>();
  for (const file of names.flatMap(entries)) before.set(file, damage(readFileSync(file)));
  for (const [file, bytes] of before) writeFileSync(file, bytes);
  for (const env of envs) await run(env, what);
  for (const name of names) {
    const files = entries(name);
    const isAnew = (file: string): boolean => !before.get(file)?.equals(readFileSync(file));
    assert.ok(NOT_WRITTEN.test(files[0]!) || files.some(isAnew), `${what}: ${name} is written anew`);
  }
}

test('a program runs as without fentry, whatever is damaged in its cache, and entries are written anew', async (t) => {
  const state = await prepared(t);
  const names = KINDS.map(({ entry }) => entry);
  for (const [what, damage] of Object.entries(DAMAGES)) {
    if (RUNS === 0) await damaged(state, names, [PLAIN, TRACED, STATEMENTS], (bytes) => damage(bytes, 0), what);
    // The first run writes texts that are damaged as well, and the second one, which has them, the pack.
    for (const { name, entry, env } of KINDS)
      for (let turn = 0; turn < RUNS; turn++)
        await damaged(state, [entry], [env, env], (bytes) => damage(bytes, turn), `${name}: ${what}, turn ${turn}`);
  }
  const uid = process.geteuid?.() ?? 0;
  for (const file of state.entries(CODE)) {
    assert.ok(storedCode(file, uid) ?? NOT_WRITTEN.test(file), file);
    eachDamage(file, (damage) => assert.equal(storedCode(file, uid), undefined, `${file}: ${damage}`), STEP);
  }
});

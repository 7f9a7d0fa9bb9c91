import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Sandbox, until } from '../e2e/support/program.js';

const SERVER = `function one() {} setInterval(one, 20);`;

/** The file with V8's code of the control thread, if it was stored. */
function controlCode(sandbox: Sandbox): string | undefined {
  const cache = sandbox.cache;
  if (!existsSync(cache)) return undefined;
  const name = (readdirSync(cache, { recursive: true }) as string[]).find((one) => /\/control-[^/]+\.code$/.test(one));
  return name && join(cache, name);
}

/** Starts a program, has one of its functions recorded, and ends it. */
async function traces(sandbox: Sandbox, before: () => Promise<void> = async () => {}): Promise<void> {
  const program = await sandbox.start(SERVER);
  const client = sandbox.client(program.pid);
  await client.write('set_ftrace_filter', 'one');
  await client.write('current_tracer', 'function');
  await until(async () => / one <-/.test(await client.read('trace')), 'its calls are seen');
  await assert.rejects(client.write('current_tracer', 'no-such-tracer'), { errno: 'EINVAL' });
  await before();
  program.kill('SIGKILL');
}

test("V8's code of the control thread is stored while the program runs, and the next one starts with it", async (t) => {
  const sandbox = new Sandbox(t, { hasOwnCache: true });
  await traces(sandbox, () => until(() => controlCode(sandbox) !== undefined, 'the code is stored'));
  await traces(sandbox);
});

test('damaged code of the control thread is not run: it is compiled, and stored again', async (t) => {
  const sandbox = new Sandbox(t, { hasOwnCache: true });
  await traces(sandbox, () => until(() => controlCode(sandbox) !== undefined, 'the code is stored'));
  const file = controlCode(sandbox) as string;
  for (const part of [0.1, 0.499, 0.501, 0.999]) {
    const damaged = readFileSync(file);
    damaged[Math.floor(part * damaged.length)]! ^= 0xff;
    writeFileSync(file, damaged);
    await traces(sandbox, () => until(() => !readFileSync(file).equals(damaged), 'the code is stored again'));
    const stored = readFileSync(file);
    assert.ok(stored.subarray(0, stored.length / 2).equals(stored.subarray(stored.length / 2)), 'its two halves are equal');
  }
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, type TestContext, test } from 'node:test';
import { CLI, finished, Sandbox } from './support/program.js';

/** Several system calls at once, some of which fail, between others that the thread waits for; and calls of functions. */
const PROGRAM = `
const { existsSync, promises, readFileSync } = require('node:fs');
function price(item, count) { return item.price * count; }
function showItem(name) { return name + price({ price: 3 }, 7); }
for (let i = 0; i < 4; i++) {
  const name = __dirname + '/missing' + i;
  setInterval(() => {
    showItem(name);
    promises.readFile(name).catch(() => {});
    promises.readFile(__filename).then(() => {});
    readFileSync(__filename);
  }, 5);
}
`;

const installed = new Map<string, string>();
before(() => {
  for (const name of ['systemtap-doc', 'bpftrace']) {
    const files = ((): string => {
      try {
        return execFileSync('dpkg', ['-L', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      } catch {
        return '';
      }
    })();
    for (const path of files.split('\n')) installed.set(path.slice(path.lastIndexOf('/') + 1), path);
  }
});

const count = (text: string, part: string): number => text.split(part).length - 1;

/** What an installed script prints of the program until it is enough; undefined, and the test is skipped: it is not installed. */
async function outputOf(
  t: TestContext,
  name: string,
  args: readonly string[],
  enough: (text: string) => boolean,
): Promise<string | undefined> {
  const path = installed.get(name);
  if (path === undefined) {
    t.skip(`${name} is not installed: apt-get install ${name.endsWith('.bt') ? 'bpftrace' : 'systemtap-doc'}`);
    return undefined;
  }
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const words = name.endsWith('.bt') ? ['bpftrace', '-p'] : ['stap', '-x'];
  const client = sandbox.spawn([CLI, words[0]!, words[1]!, String(pid), path, ...args]);
  let seen = '';
  client.stdout!.on('data', (chunk: Buffer) => {
    seen += chunk.toString();
    if (enough(seen)) client.kill('SIGINT');
  });
  const { stdout, stderr } = await finished(client);
  assert.ok(enough(stdout), stdout + stderr);
  return stdout;
}

test('strace.stp pairs the calls that are in flight at the same time', async (t) => {
  const text = await outputOf(t, 'strace.stp', [], (seen) => count(seen, 'openat') > 30);
  if (text === undefined) return;
  const opened = text.split('\n').filter((line) => /openat/.test(line));
  // The first may have begun before the script.
  const paired = opened.filter((line) =>
    /openat\(AT_FDCWD, ".*\/(?:missing\d.* = -2 \(ENOENT\)|program\.cjs.* = \d+)$/.test(line),
  );
  assert.ok(opened.length - paired.length <= 8, text);
  assert.doesNotMatch(opened.slice(8).join('\n'), /1970/);
});

test('errsnoop.stp names the file of each call that failed', async (t) => {
  const text = await outputOf(t, 'errsnoop.stp', ['1'], (seen) => seen.includes('missing3'));
  if (text === undefined) return;
  const rows = text.split('\n').filter((line) => /ENOENT/.test(line));
  assert.ok(
    rows.every((line) => /^ *\d+ +2\/ENOENT +openat +\S+ +\d+ AT_FDCWD, ".*\/missing\d", O_RDONLY\|O_CLOEXEC$/.test(line)),
    text,
  );
});

test('opensnoop.bt has the result of each file, of those too that are opened at once', async (t) => {
  const text = await outputOf(t, 'opensnoop.bt', [], (seen) => count(seen, 'missing') > 20);
  if (text === undefined) return;
  const rows = text.split('\n').filter((line) => /missing|program/.test(line));
  const isTrue = (line: string): boolean => /-1 +2 .*missing\d$|[1-9]\d* +0 .*program\.cjs$/.test(line);
  assert.ok(rows.filter((line) => !isTrue(line)).length <= 1, text);
});

test('para-callgraph.stp shows arguments and results of what a trigger calls', async (t) => {
  const args = ['kernel.function("price")', 'kernel.function("showItem")'];
  const text = await outputOf(t, 'para-callgraph.stp', args, (seen) => seen.includes('<-price'));
  if (text === undefined) return;
  assert.match(text, /^ *\d+ \S+\(\d+\):->price item=\{price: 3\} count=7\n *\d+ \S+\(\d+\):<-price return=21$/m);
});

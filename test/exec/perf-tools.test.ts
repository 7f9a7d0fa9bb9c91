import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../e2e/support/program.js';
import { cannotExec } from '../mount/mountable.js';
import { execTarget, SERVER } from './exec-target.js';

/** The tools' names, with what Debian's package perf-tools-unstable adds to them. */
const tool = (name: string): string => `${name}-perf`;
const skip = cannotExec(tool('funccount'));

/** What a tool prints that looks for a second; it looks again where the program had no turn in that second. */
async function output(t: TestContext, seen: RegExp, name: string, ...args: readonly string[]): Promise<string> {
  const { exec, read } = await execTarget(t);
  let text = '';
  await until(async () => {
    const { code, stdout, stderr } = await exec(tool(name), '-d', '1', ...args);
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stderr, /ERROR/);
    text = stdout;
    return seen.test(text);
  }, `${name} shows ${seen}`);
  assert.equal(await read('current_tracer'), 'nop\n', 'the tool has cleaned up');
  return text;
}

test('funccount counts calls with the function profiler', { skip }, async (t) => {
  const text = await output(t, /^middle +\d/m, 'funccount', '*le*');
  assert.match(text, /^FUNC +COUNT$/m);
  const count = (name: string): number => Number(new RegExp(`^${name} +(\\d+)$`, 'm').exec(text)?.[1]);
  assert.ok(count('middle') > 0);
  assert.ok(Math.abs(count('leaf') - 2 * count('middle')) <= 20, text);
});

test('functrace prints each call', { skip }, async (t) => {
  assert.match(await output(t, /: leaf/, 'functrace', 'leaf'), /^ +node-\d+ +\[000\] .*: leaf <-middle$/m);
});

test('funcgraph prints the graph of a function', { skip }, async (t) => {
  const text = await output(t, /leaf\(\)/, 'funcgraph', 'handle');
  assert.match(text, /^ 0\) +\| {2}handle\(\) \{\n 0\) +\| {4}middle\(\) \{\n 0\) +\S* ?\d+\.\d+ us +\| {6}leaf\(\);$/m);
});

test('funcslower prints the calls that took longest', { skip }, async (t) => {
  const text = await output(t, /handle/, 'funcslower', 'handle', '1');
  assert.match(text, /^ 0\) +\S* ?\d+\.\d+ us +\|.*\/\* handle \*\/$/m);
});

test('tpoint lists events and shows their formats', { skip }, async (t) => {
  const { exec, read } = await execTarget(t, SERVER);
  const { stdout: listed } = await exec(tool('tpoint'), '-l');
  const sorted = (text: string): readonly string[] => text.split('\n').sort();
  const hasNoFtrace = listed.replaceAll(/^ftrace:.*\n/gm, '');
  assert.deepEqual(sorted(hasNoFtrace), sorted(await read('available_events')));
  assert.equal((await exec(tool('tpoint'), '-v', 'kmem:kmalloc')).stdout, await read('events/kmem/kmalloc/format'));
  assert.equal((await exec(tool('tpoint'), '-d', '1', 'kmem:nonsense')).code, 1);
});

test('tpoint prints the events that a filter keeps, with stacks and headers', { skip }, async (t) => {
  const { exec, read } = await execTarget(t, SERVER);
  let text = '';
  await until(async () => {
    text = (await exec(tool('tpoint'), '-H', '-s', '-d', '1', 'kmem:kmalloc', 'bytes_req == 2003')).stdout;
    return text.includes('bytes_req=2003');
  }, 'an allocation is seen');
  assert.match(text, /^Tracing kmem:kmalloc for 1 seconds \(buffered\)\.\.\.\n# tracer: nop\n/);
  assert.match(text, / kmalloc: call_site=answer\S+ .*\n.*<stack trace>\n => answer\n => handle\n/);
  assert.doesNotMatch(text, /bytes_req=(?!2003)/);
  assert.deepEqual(
    [await read('events/kmem/kmalloc/enable'), await read('events/kmem/kmalloc/filter'), await read('options/stacktrace')],
    ['0\n', 'none\n', '0\n'],
  );
});

test('tpoint prints the events of one thread', { skip }, async (t) => {
  const { exec, program } = await execTarget(t, SERVER);
  const seen = async (pid: number): Promise<boolean> =>
    (await exec(tool('tpoint'), '-d', '1', '-L', String(pid), 'kmem:kmalloc')).stdout.includes('kmalloc:');
  await until(() => seen(program.pid), 'an allocation is seen');
  assert.equal(await seen(1), false);
});

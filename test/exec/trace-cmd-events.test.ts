import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../e2e/support/program.js';
import { cannotExec } from '../mount/mountable.js';
import { execTarget, SERVER } from './exec-target.js';

const skip = cannotExec('trace-cmd');
const KMALLOC = ['-e', 'kmem:kmalloc', '-f', 'bytes_req == 2003'];

/** Waits until twenty events were recorded, read or not. */
const TWENTY = `
until awk -F': ' '/^(entries|read events)/ { sum += $2 } END { exit sum <= 20 }' /sys/kernel/tracing/per_cpu/cpu0/stats
do sleep 0.1
done`;

/** What a command of trace-cmd prints of a recording; it needs no tracefs for that. */
const traceCmd = (...args: readonly string[]): string =>
  execFileSync('trace-cmd', args, { encoding: 'utf8', maxBuffer: 1 << 28 });

test('trace-cmd list -e shows formats, print formats, filters and triggers', { skip }, async (t) => {
  const { exec, read } = await execTarget(t, SERVER);
  const listed = async (...options: string[]) => (await exec('trace-cmd', 'list', '-e', ...options)).stdout;
  assert.equal(await listed(), await read('available_events'));
  const full = await listed('kmem:kmalloc', '-F', '--full');
  assert.equal(full, `system: kmem\n${await read('events/kmem/kmalloc/format')}`);
  assert.equal(await listed('kmem:kmalloc', '-F'), `${full.slice(0, full.indexOf('print fmt'))}`);
  assert.equal(await listed('kmem:kmalloc', '-l'), 'kmem:kmalloc\nnone\n\n');
  await exec('trace-cmd', 'start', ...KMALLOC, '-R', 'stacktrace:5 if bytes_req == 1');
  assert.equal(await listed('kmem:kmalloc', '-l'), 'kmem:kmalloc\n(bytes_req == 2003)\n\n');
  assert.equal(await listed('kmem:kmalloc', '-R'), 'kmem:kmalloc\nstacktrace:count=5 if bytes_req == 1\n\n');
});

test('trace-cmd start -e -f -R, stat, show, extract, reset', { skip }, async (t) => {
  const { sandbox, exec, read } = await execTarget(t, SERVER);
  const hist = 'hist:keys=call_site.sym:vals=bytes_req';
  const started = await exec('trace-cmd', 'start', '-e', 'http', ...KMALLOC, '-R', hist);
  assert.deepEqual([started.code, started.stderr], [0, '']);
  assert.equal(await read('events/kmem/kmalloc/filter'), '(bytes_req == 2003)\n');
  const { stdout: state } = await exec('trace-cmd', 'stat');
  assert.match(state, /^Events:\n Individual systems:\n {3}http\n Individual events:\n {4}kmem\n {8}kmalloc$/m);
  assert.match(state, /^Filters:\n {2}kmem:kmalloc "\(bytes_req == 2003\)"$/m);
  assert.match(state, /^Triggers:\n {2}kmem:kmalloc "hist:keys=call_site\.sym:vals=hitcount,bytes_req:.* \[active\]"$/m);
  await until(async () => /kmalloc:.* bytes_req=2003 .*\n(.*\n)*.*server_request_end:/.test(await read('trace')), 'a request');
  const { stdout: shown } = await exec('trace-cmd', 'show');
  assert.match(shown, /: server_request_start: id=\d+ .* url=\/\d+$/m);
  assert.doesNotMatch(shown, /bytes_req=(?!2003)/);
  const file = join(sandbox.folder, 'extracted.dat');
  const extracted = await exec('trace-cmd', 'extract', '-o', file);
  assert.equal(extracted.code, 0, extracted.stderr);
  assert.match(traceCmd('report', '-i', file), /: kmalloc: .* bytes_req=2003 .*\n(.*\n)*.*: server_request_end: .* status=200 /);
  assert.match(await read('events/kmem/kmalloc/hist'), /\{ call_site: \[ffffffff[0-9a-f]{8}\] answer +\} hitcount: +\d+/);
  assert.equal((await exec('trace-cmd', 'reset')).code, 0);
  assert.match((await exec('trace-cmd', 'stat')).stdout, /^Events:\n All disabled\n\nBuffer/m);
  assert.match(await read('events/kmem/kmalloc/trigger'), /^# Available triggers:/);
  assert.equal(await read('events/kmem/kmalloc/filter'), 'none\n');
});

test('trace-cmd record -e -f -R records what the filter keeps, each with its stack', { skip }, async (t) => {
  const { sandbox, exec, read } = await execTarget(t, SERVER);
  const file = join(sandbox.folder, 'stacks.dat');
  const options = ['-o', file, ...KMALLOC, '-R', 'stacktrace if bytes_req == 2003'];
  const recorded = await exec('trace-cmd', 'record', ...options, 'sh', '-c', TWENTY);
  assert.equal(recorded.code, 0, recorded.stderr);
  const lines = traceCmd('report', '-i', file).split('\n').slice(1);
  const events = lines.filter((line) => line.includes(': kmalloc: '));
  assert.ok(events.length > 5);
  for (const line of events) assert.match(line, /call_site=answer\+0x\w+ .* bytes_req=2003 /);
  // Each has its stack, innermost first.
  const stacks = lines
    .join('\n')
    .split(/^.*: kmalloc: .*\n/m)
    .slice(1);
  for (const stack of stacks.slice(0, 5)) {
    assert.match(stack, /: kernel_stack: +<stack trace *>\n=> answer \(\w+\)\n=> handle \(\w+\)\n/);
  }
  assert.equal(await read('set_event'), '');
});

test('trace-cmd says where the error in a filter or a trigger is', { skip }, async (t) => {
  const { exec } = await execTarget(t, SERVER);
  const said = async (...options: string[]): Promise<string> => {
    const { stdout, stderr } = await exec('trace-cmd', 'start', '-e', ...options);
    return stdout + stderr;
  };
  assert.match(
    await said('kmem:kmalloc', '-f', 'nonsense == 3'),
    /error: Field not found\n {2}Command: \(nonsense == 3\)\n {21}\^\nFailed filter of \S+kmalloc\/filter\n/,
  );
  assert.match(
    await said('kmem:kmalloc', '-R', 'hist:keys=nonsense'),
    /error: Couldn't find field\n {2}Command: hist:keys=nonsense\n {21}\^\nFailed trigger of \S+kmalloc\/trigger\n/,
  );
  assert.match(await said('nonsense'), /No events enabled with nonsense/);
});

test('trace-cmd record --max-graph-depth shows calls down to the depth', { skip }, async (t) => {
  const { sandbox, exec, read } = await execTarget(t);
  const file = join(sandbox.folder, 'depth.dat');
  const options = ['-o', file, '-p', 'function_graph', '-g', 'handle', '--max-graph-depth', '2'];
  const recorded = await exec('trace-cmd', 'record', ...options, 'sh', '-c', TWENTY);
  assert.equal(recorded.code, 0, recorded.stderr);
  const text = traceCmd('report', '-i', file);
  assert.match(text, /funcgraph_entry: +\| {2}handle\(\) \{\n.*funcgraph_entry: +[!+ ]* ?\d+\.\d+ us +\| {4}middle\(\);\n/);
  assert.doesNotMatch(text, /leaf/);
  assert.equal(await read('max_graph_depth'), '0\n');
});

test('trace-cmd hist and split take a recording of events', { skip }, async (t) => {
  const { sandbox, exec } = await execTarget(t, SERVER);
  const [file, part] = [join(sandbox.folder, 'sched.dat'), join(sandbox.folder, 'part.dat')];
  const options = ['-o', file, '-e', 'sched:sched_switch', '-e', 'sched:sched_wakeup'];
  const recorded = await exec('trace-cmd', 'record', ...options, 'sh', '-c', TWENTY);
  assert.equal(recorded.code, 0, recorded.stderr);
  const events = traceCmd('report', '-N', '-i', file).split('\n').slice(1, -1);
  const count = (name: string): number => events.filter((line) => line.includes(`: ${name}:`)).length;
  const hist = traceCmd('hist', '-i', file);
  assert.match(hist, new RegExp(`\\) node +sched_switch #${count('sched_switch')}\\n +\\|\\n +--- \\*sched_switch\\*\\n`));
  assert.match(hist, new RegExp(`\\) node +sched_wakeup #${count('sched_wakeup')}\\n`));
  traceCmd('split', '-i', file, '-o', part, '-e', '10');
  assert.deepEqual(traceCmd('report', '-N', '-i', `${part}.1`).split('\n').slice(1, -1), events.slice(0, 10));
});

test('trace-cmd start -B gives events to an instance', { skip }, async (t) => {
  const { exec, read } = await execTarget(t, SERVER);
  assert.equal((await exec('trace-cmd', 'start', '-B', 'mine', ...KMALLOC)).code, 0);
  assert.match(
    (await exec('trace-cmd', 'stat', '-B', 'mine')).stdout,
    /^Instance: mine\n\nEvents:\n Individual events:\n {4}kmem\n/m,
  );
  assert.equal((await exec('trace-cmd', 'list', '-B')).stdout, 'mine\n');
  await until(async () => (await read('instances/mine/trace')).includes('bytes_req=2003'), 'an allocation is recorded');
  assert.doesNotMatch((await exec('trace-cmd', 'show')).stdout, /kmalloc/);
  assert.match((await exec('trace-cmd', 'show', '-B', 'mine')).stdout, /: kmalloc: call_site=answer\+\S+ .* bytes_req=2003 /);
  assert.equal((await exec('trace-cmd', 'reset', '-B', 'mine', '-d')).code, 0);
  assert.equal((await exec('trace-cmd', 'list', '-B')).stdout, 'No buffer instances defined\n');
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { compile } from '../../src/native/testing/programs.js';
import { CLI, Sandbox } from '../e2e/support/program.js';
import { noTraceCmd, traceCmd } from '../trace-dat/trace-cmd.js';
import { noTracing, textRefusal, traced } from './native-machine.js';

/** For each line: `turn` calls `spin`, which takes a millisecond; prints the time stamp counter before and after. */
const PROGRAM = `
#include <stdio.h>
#include <time.h>
#ifdef __x86_64__
#define COUNT() __builtin_ia32_rdtsc()
#else
#define COUNT() 0ULL
#endif
#define FUNCTION __attribute__((noipa)) void
static long long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000LL + t.tv_nsec; }
FUNCTION spin(void) { for (long long end = now() + 1000000; now() < end;); }
FUNCTION turn(void) { spin(); asm volatile(""); }
int main(int count, char **words) {
  setbuf(stdout, 0);
  puts("ready");
  for (int left = count > 1 ? 10 : -1; left != 0 && (left > 0 || getchar() != EOF); left--) {
    unsigned long long before = COUNT();
    turn();
    printf("%llu %llu\\n", before, COUNT());
  }
}`;
const OPTIONS = ['-fpatchable-function-entry=5'];

const timesOf = (trace: string): string[] => [...trace.matchAll(/ ([\d.]+): (?:turn|spin|hit)\b/g)].map(([, time]) => time!);

/** Checks times: they are counts, each later than the one before, and between those of an answer. */
function assertCounts(times: readonly string[], answer: string): void {
  const [before, after] = answer.split(' ').map(Number);
  const counts = times.map(Number);
  for (const [i, count] of counts.entries()) {
    assert.match(times[i]!, /^\d+$/);
    assert.ok((counts[i - 1] ?? before!) < count && count < after!, `${before} < ${counts} < ${after}`);
  }
}

const isX86 = process.arch === 'x64';

describe('trace_clock x86-tsc of native programs', { skip: noTracing }, () => {
  it('is refused where there is no such counter', { skip: isX86 && 'there is one' }, async (t) => {
    const { files } = await traced(t, PROGRAM, OPTIONS);
    await assert.rejects(files.write('trace_clock', 'x86-tsc'), /time stamp counter/);
  });

  it('shows counts, in each instance that has it, and durations stay nanoseconds', { skip: !isX86 }, async (t) => {
    const { files, ask } = await traced(t, PROGRAM, OPTIONS);
    await files.mkdir('instances/counts');
    for (const folder of ['', 'instances/counts/']) {
      await files.write(`${folder}set_ftrace_filter`, 'turn spin');
      await files.write(`${folder}current_tracer`, 'function');
    }
    await ask();
    await files.write('instances/counts/trace_clock', 'x86-tsc');
    assert.equal(await files.read('instances/counts/trace'), await files.read('instances/counts/trace'));
    let answer = await ask();
    const counted = timesOf(await files.read('instances/counts/trace'));
    assert.equal(counted.length, 2, 'the times of another clock are gone');
    assertCounts(counted, answer);
    const own = timesOf(await files.read('trace'));
    assert.equal(own.length, 4);
    for (const time of own) assert.match(time, /^\d+\.\d{6}$/);

    await files.write('trace_clock', 'x86-tsc');
    await files.write('snapshot', '1');
    for (const file of ['snapshot', 'trace']) {
      answer = await ask();
      if (file === 'snapshot') await files.write('snapshot', '1');
      const times = timesOf(await files.read(file));
      assert.equal(times.length, 2, file);
      assertCounts(times, answer);
    }
    assert.match(await files.read('per_cpu/cpu0/stats'), /^now ts: \d+$/m);

    await files.write('current_tracer', 'function_graph');
    answer = await ask();
    const [, duration] = /([\d.]+) us.*spin\(\);/.exec(await files.read('trace'))!;
    assert.ok(Number(duration) >= 1000 && Number(duration) < 1000 * 1000, duration);
    await files.write('tracing_thresh', '900');
    await files.write('trace', '');
    await ask();
    assert.match(await files.read('trace'), /spin/);
    await files.write('tracing_thresh', '100000000');
    await files.write('trace', '');
    await ask();
    assert.doesNotMatch(await files.read('trace'), /spin/);

    await files.write('current_tracer', 'function');
    await files.write('trace_clock', 'mono');
    const from = process.hrtime()[0];
    await ask();
    const seconds = timesOf(await files.read('trace')).map(Number);
    assert.equal(seconds.length, 2);
    for (const time of seconds) assert.ok(time >= from && time < from + 60, `${time} from ${from}`);
  });

  it('is the time of probes, and common_timestamp of their histograms', { skip: !isX86 }, async (t) => {
    const { files, ask } = await traced(t, PROGRAM, OPTIONS);
    await files.write('kprobe_events', 'p:hit spin');
    await files.write('events/kprobes/hit/trigger', 'hist:keys=common_timestamp:clock=x86-tsc');
    assert.match(await files.read('trace_clock'), /\[x86-tsc\]/);
    await files.write('events/kprobes/hit/enable', '1');
    // The first hit takes long: its rings have no memory yet.
    const answers = [await ask(), await ask()];
    const times = timesOf(await files.read('trace'));
    assert.equal(times.length, 2);
    for (const [i, answer] of answers.entries()) assertCounts([times[i]!], answer);
    const hist = await files.read('events/kprobes/hit/hist');
    const keys = [...hist.matchAll(/common_timestamp: +(\d+) /g)].map(([, key]) => Number(key)).sort((a, b) => a - b);
    assert.equal(keys.length, 2);
    // They are computed from nanoseconds.
    const [before, after] = answers[1]!.split(' ').map(Number);
    assert.ok(Math.abs(keys[1]! - Number(times[1])) < (after! - before!) / 50, `${keys[1]} is near ${times[1]}`);
  });

  it('is recorded, with its conversion if that is asked for', { skip: !isX86 }, async (t) => {
    const sandbox = new Sandbox(t);
    const program = compile(t, PROGRAM, OPTIONS);
    const record = (clock: string) =>
      sandbox.fentry('record', '--native', '-C', clock, '-p', 'function', '-l', 'spin', '--', program, 'all');
    const plain = await record('x86-tsc');
    assert.equal(plain.code, 0, plain.stderr);
    const answers = plain.stdout.trim().split('\n').slice(1);
    const counts = [...(await sandbox.fentry('report')).stdout.matchAll(/[\] ](\d+): +function: +spin/g)].map(
      ([, time]) => time!,
    );
    assert.equal(counts.length, 10);
    for (const [i, answer] of answers.entries()) assertCounts([counts[i]!], answer);

    const converted = await record('tsc2nsec');
    assert.equal(converted.code, 0, converted.stderr);
    const report = (await sandbox.fentry('report')).stdout;
    const seconds = [...report.matchAll(/ (\d+\.\d{6}): +function: +spin/g)].map(([, time]) => Number(time));
    assert.equal(seconds.length, 10);
    assert.ok(seconds.at(-1)! - seconds[0]! >= 9 * 0.001 - 1e-5 && seconds.at(-1)! - seconds[0]! < 10);
    if (noTraceCmd === false) assert.equal(traceCmd('report', '-i', join(sandbox.folder, 'trace.dat')).stdout, report);
  });
});

/** Each turn is a call of JavaScript, of a millisecond at least, in which a function of libuv is called. */
const SCRIPT = `
const { closeSync, openSync } = require('node:fs');
function spin() {
  for (const end = process.hrtime.bigint() + 1_000_000n; process.hrtime.bigint() < end; );
  closeSync(openSync(__filename));
}
for (let i = 0; i < 10; i++) spin();
`;

test('fentry record has JavaScript and native text in one order of counts', {
  skip: !isX86 || noTracing || textRefusal(),
}, async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('spins.cjs', SCRIPT);
  const functions = ['-p', 'function', '-l', 'spin', '-l', 'uv_fs_close'];
  for (const [clock, format] of [
    ['x86-tsc', /[\] ](\d+): +function: +(\w+)/g],
    ['tsc2nsec', / (\d+\.\d{6}): +function: +(\w+)/g],
  ] as const) {
    const record = [CLI, 'record', '-C', clock, ...functions, '--', process.execPath, program];
    const { code, stderr } = await sandbox.run(record, { FENTRY: 'native' });
    assert.equal(code, 0, stderr);
    const report = (await sandbox.fentry('report')).stdout;
    const calls = [...report.matchAll(format)].map(([, time, name]) => ({ time: Number(time), name }));
    const first = calls.findIndex(({ name }) => name === 'spin');
    const turns = calls.slice(first, first + 20);
    assert.deepEqual(
      turns.map(({ name }) => name),
      Array.from({ length: 10 }, () => ['spin', 'uv_fs_close']).flat(),
    );
    const took = turns.at(-1)!.time - turns[0]!.time;
    // A count is less than 2 ns, and more than 0.1.
    const [least, most] = clock === 'tsc2nsec' ? [0.01, 10] : [0.005e9, 100e9];
    assert.ok(took >= least && took < most, `${clock}: ${took}`);
    if (noTraceCmd === false) assert.equal(traceCmd('report', '-i', join(sandbox.folder, 'trace.dat')).stdout, report);
  }
});

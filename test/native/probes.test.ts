import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { describe, it } from 'node:test';
import { until } from '../e2e/support/program.js';
import { type NativeMachine, noCompiler, recorded, traced } from './native-machine.js';
import { sixteenThreads } from './sixteen-threads.js';

/** For each line: `place` is called with an order, and `total` within it; what it returned. */
const SHOP = `
#include <stdio.h>
#include <string.h>
struct order { int id; unsigned short flags; const char *name; long prices[3]; };
long sold = 7;
__attribute__((noinline)) long total(struct order *order, int count) {
  long sum = 0;
  for (int i = 0; i < count; i++) { sum += order->prices[i]; asm volatile(""); }
  return sum;
}
__attribute__((noinline)) long place(struct order *order, int count, char tag) {
  long sum = total(order, count) + tag;
  asm volatile("");
  sold += sum;
  return sum;
}
int main(void) {
  setbuf(stdout, 0);
  puts("ready");
  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\\n")] = 0;
    struct order order = { 4711, 0x1234, line, { 10, 20, 30 } };
    printf("%ld\\n", place(&order, 3, 'A'));
  }
}`;
const SIXTEEN = sixteenThreads(500);

/** For a line with a number: so many nested calls return it; for another line they are left by longjmp. */
const DEEP = `
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf out;
static int leaves;
__attribute__((noinline)) int deep(int n) {
  if (n == 0 && leaves) longjmp(out, 1);
  int result = n == 0 ? 0 : deep(n - 1) + 1;
  asm volatile("");
  return result;
}
int main(void) {
  setbuf(stdout, 0);
  puts("ready");
  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    leaves = atoi(line) == 0;
    if (setjmp(out)) puts("left");
    else printf("%d\\n", deep(5));
  }
}`;
const OPTIONS = ['-fpatchable-function-entry=5', '-fno-pie', '-no-pie'];

/** The lines of a trace from the event's name on. */
const records = (trace: string): string[] =>
  trace
    .split('\n')
    .filter((line) => !line.startsWith('#') && line !== '')
    .map((line) =>
      line
        .replace(/^.*?\d+\.\d+: /, '')
        .replace(/\/0x[\da-f]+/g, '/SIZE')
        .replace(/\+0x[\da-f]+(\/SIZE <-)/, '+OFFS$1'),
    );

/** The lines of kprobe_profile. */
const profile = (rows: readonly (readonly [name: string, hits: number, missed: number])[]): string =>
  rows
    .map(([name, hits, missed]) => `  ${name.padEnd(44)} ${String(hits).padStart(15)} ${String(missed).padStart(15)}\n`)
    .join('');

const ORDER =
  'p:order place id=+0(%di):u32 flags=+4($arg1):x16 name=+0(+8(%di)):string prices=+16(%di):s64[3] n=%si:s32 tag=$arg3:char ' +
  'sold=@sold comm=$comm none=+0(\\0):string zero=+0(\\8) five=\\5 text=\\"t" low=+4(%di):b4@4/16';

/** What a refused line is refused with, and what error_log says. */
async function refusal(files: NativeMachine['files'], file: string, line: string): Promise<readonly string[]> {
  const { errno } = await files.append(file, `${line}\n`).then(
    () => ({ errno: 'none' }),
    (error: { readonly errno: string }) => error,
  );
  const log = (await files.read('error_log')).trimEnd().split('\n').slice(-3);
  return [errno, ...log.map((text) => text.replace(/^\[[^\]]*\] /, '').trimEnd())];
}

describe('probes of native functions', { skip: noCompiler }, () => {
  it('fetch registers, arguments, memory and results', async (t) => {
    const { files, ask, pid } = await traced(t, SHOP, OPTIONS);
    await files.append('kprobe_events', `${ORDER}\n`);
    await files.append('kprobe_events', 'r:back place ret=$retval sum=%ax:s32\n');
    assert.equal(
      await files.read('kprobe_events'),
      `${ORDER.replace('p:', 'p:kprobes/')}\nr:kprobes/back place ret=$retval sum=%ax:s32\n`,
    );
    await files.write('events/kprobes/enable', '1');
    assert.equal(await ask('ann'), '125');
    const trace = await files.read('trace');
    assert.match(trace, new RegExp(`program-${pid} +\\[000\\]`));
    assert.deepEqual(records(trace), [
      'order: (place+0x0/SIZE) id=4711 flags=0x1234 name="ann" prices={10,20,30} n=3 tag=\'A\' sold=0x7 comm="program" ' +
        'none=(fault) zero=0x0 five=0x5 text="t" low=3',
      'back: (main+OFFS/SIZE <- place) ret=0x7d sum=125',
    ]);
    assert.match(
      await files.read('kprobes/list'),
      /^[\da-f]{16} {2}k {2}place\+0x0 {4}\[FTRACE\]\n[\da-f]{16} {2}r {2}place\+0x0 {4}\[FTRACE\]\n$/,
    );
    assert.equal(
      await files.read('kprobe_profile'),
      profile([
        ['order', 1, 0],
        ['back', 1, 0],
      ]),
    );

    await files.write('events/kprobes/order/filter', 'name ~ "b?[a-c]*" && n >= 3 && low & 1');
    await files.write('events/kprobes/back/filter', 'ret != 125 || comm == "other"');
    await files.write('trace', '');
    for (const name of ['bet', 'bob', 'b', 'abc', 'by']) await ask(name);
    assert.deepEqual(
      records(await files.read('trace')).map((line) => /name="(.*?)"/.exec(line)?.[1]),
      ['bob'],
    );
    await files.write('events/kprobes/enable', '0');
    await ask('off');
    assert.equal(
      await files.read('kprobe_profile'),
      profile([
        ['order', 6, 0],
        ['back', 6, 0],
      ]),
    );
    await files.write('kprobe_events', '');
    assert.equal(await files.read('kprobes/list'), '');
    assert.equal(await ask('gone'), '125');
  });

  it('stand beside both tracers', async (t) => {
    const { files, ask } = await traced(t, SHOP, OPTIONS);
    await files.append('kprobe_events', 'p:called total count=%si\nr:sum total $retval\nr:placed place\n');
    await files.write('set_ftrace_filter', 'total');
    await files.write('events/kprobes/enable', '1');
    await files.write('current_tracer', 'function');
    assert.equal(await ask('ann'), '125');
    const hits = ['sum: (place+OFFS/SIZE <- total) arg1=0x3c', 'placed: (main+OFFS/SIZE <- place)'];
    assert.deepEqual(records(await files.read('trace')), ['called: (total+0x0/SIZE) count=0x3', 'total <-place', ...hits]);
    await files.write('current_tracer', 'function_graph');
    await files.write('max_graph_depth', '1');
    await ask('ann');
    const graph = (await files.read('trace')).split('\n').flatMap((line) => /\| +(.*)$/.exec(line)?.[1] ?? []);
    assert.deepEqual(
      graph.slice(-5).map((line) => line.replaceAll(/0x[\da-f]+\/0x[\da-f]+/g, 'OFFS/SIZE')),
      [
        '/* called: (total+OFFS/SIZE) count=0x3 */',
        'total() {',
        '/* sum: (place+OFFS/SIZE <- total) arg1=0x3c */',
        '}',
        '/* placed: (main+OFFS/SIZE <- place) */',
      ],
    );
  });

  it('are refused with the kernel’s errors and carets', async (t) => {
    const { files } = await traced(t, SHOP, OPTIONS);
    const lines: readonly (readonly [line: string, errno: string, text: string, caret: number])[] = [
      ['p:a total+8', 'EILSEQ', 'Probe point is not an instruction boundary', 4],
      ['p:a total+9999', 'EINVAL', 'Failed to register probe event: total has', 4],
      ['p:a nowhere', 'ENOENT', 'Invalid probed address or symbol', 4],
      ['p:a total @nosuch', 'ENOENT', 'Invalid probed address or symbol: there is no nosuch', 4],
      ['p:a total %zz', 'EINVAL', 'Invalid register name', 10],
      ['p:a total x=foo', 'EINVAL', 'Invalid fetch argument', 12],
      ['p:a total %di:string', 'EINVAL', 'String accepts only memory argument', 14],
      ['p:a total $retval', 'EINVAL', '$retval is not available on probe', 10],
      ['r:a total $arg1', 'EINVAL', 'Invalid $-variable specified', 10],
      ['p:a total+5 $arg1', 'EINVAL', 'Invalid $-variable specified', 12],
      ['p:a total +0(%di', 'EINVAL', 'Dereference brace is not closed', 16],
      ['p:a total @+16', 'EINVAL', 'File offset is not available with kprobe', 10],
      ['r:a total+5', 'EINVAL', 'Retprobe address must be an function entry', 4],
      ['p:a total $arg*', 'ENOENT', 'No BTF entry for this probe point', 10],
    ];
    for (const [line, errno, text, caret] of lines) {
      const [refused, log = '', command, under] = await refusal(files, 'kprobe_events', line);
      assert.deepEqual([refused, command, under], [errno, `  Command: ${line}`, `${' '.repeat(11 + caret)}^`], line);
      assert.ok(log.startsWith(`trace_kprobe: error: ${text}`), log);
    }
    assert.equal(await files.read('kprobe_events'), '');
  });

  it('stand in the middle of functions, and by file and offset', async (t) => {
    const { files, ask, pid, sandbox } = await traced(t, SHOP, OPTIONS);
    const path = readlinkSync(`/proc/${pid}/exe`);
    const text = readFileSync(path);
    // add 0x10(%rax),%rdx: once for each price.
    const offset = text.indexOf(Buffer.from('48035010', 'hex'));
    assert.ok(offset > 0, 'the compiler has made the loop that is expected');
    await files.append('uprobe_events', `p:price ${path}:0x${offset.toString(16)} price=+0x10(%ax):s64 before=%dx:s64\n`);
    await files.write('events/uprobes/enable', '1');
    assert.equal(await ask('ann'), '125');
    const prices = records(await files.read('trace'));
    const place = /\(total\+(0x[\da-f]+)/.exec((await files.read('trace')).replaceAll('\n', ' '))![1]!;
    assert.deepEqual(
      prices.map((line) => line.replace(place, 'PLACE')),
      [
        'price: (total+PLACE/SIZE) price=10 before=0',
        'price: (total+PLACE/SIZE) price=20 before=10',
        'price: (total+PLACE/SIZE) price=30 before=30',
      ],
    );
    assert.match(await files.read('uprobe_profile'), new RegExp(`^ {2}${path} price +3\n$`));
    await files.append('kprobe_events', `p:same total+${Number(place)} \n`);
    assert.match(await files.read('kprobes/list'), new RegExp(`k {2}total\\+${place} {4}\\[DISABLED\\]\\[OPTIMIZED\\]\n`));
    await files.write('events/kprobes/enable', '1');
    await files.write('events/uprobes/enable', '0');
    assert.equal(await ask('bob'), '125');
    assert.equal(await files.read('kprobe_profile'), profile([['same', 3, 0]]));
    // A jump takes the place of the instruction behind it, too.
    const near = await refusal(files, 'uprobe_events', `p:near ${path}:0x${(offset + 4).toString(16)}`);
    assert.deepEqual(near[0], 'none');
    await sandbox.fentry('detach', String(pid));
    assert.equal(await ask('gone'), '125');
    const mapped = openSync(`/proc/${pid}/mem`, 'r');
    const bytes = Buffer.alloc(8);
    readSync(mapped, bytes, 0, bytes.length, 0x400000 + offset);
    closeSync(mapped);
    assert.deepEqual(bytes, text.subarray(offset, offset + 8));
  });

  it('have triggers and histograms', async (t) => {
    const { files, ask } = await traced(t, SHOP, OPTIONS);
    await files.append('kprobe_events', 'p:named total name=+0(+8(%di)):string\nr:result place ret=$retval:s64\n');
    await files.append('events/kprobes/named/trigger', 'hist:keys=name:sort=name\n');
    await files.append('events/kprobes/result/trigger', 'traceoff:1 if ret == 125\n');
    for (const name of ['bob', 'ann', 'bob']) await ask(name);
    await until(async () => (await files.read('events/kprobes/named/hist')).includes('Hits: 3'), 'the hits are counted');
    assert.deepEqual(
      (await files.read('events/kprobes/named/hist'))
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => line.replace(/ +/g, ' ')),
      ['{ name: ann } hitcount: 1', '{ name: bob } hitcount: 2'],
    );
    assert.equal(await files.read('tracing_on'), '0\n');
    assert.equal(await files.read('events/kprobes/result/trigger'), 'traceoff:count=0 if ret == 125\n');
    await assert.rejects(files.append('events/kprobes/result/trigger', 'stacktrace\n'), { errno: 'EOPNOTSUPP' });
    await files.write('tracing_on', '1');
    await files.append('events/kprobes/result/trigger', 'disable_event:kprobes:named:1 if ret > 0\n');
    await files.write('events/kprobes/named/enable', '1');
    await ask('one');
    const fired = /disable_event:kprobes:named:count=0/;
    await until(async () => fired.test(await files.read('events/kprobes/result/trigger')), 'the trigger has fired');
    await ask('two');
    assert.deepEqual(records(await files.read('trace')), ['named: (total+0x0/SIZE) name="one"']);
  });

  for (const [form, options] of Object.entries({ 'sites at the entry': OPTIONS, 'sites in the frame': ['-pg'] })) {
    it(`follow as many calls at a time as MAXACTIVE says, with ${form}`, async (t) => {
      const { files, ask } = await traced(t, DEEP, options);
      await files.append('kprobe_events', 'r2:few deep $retval:s32\nr:all deep $retval:s32\n');
      await files.write('events/kprobes/enable', '1');
      assert.equal(await ask('5'), '5');
      assert.deepEqual(
        records(await files.read('trace')).flatMap((line) => /^few: .*arg1=(\d+)$/.exec(line)?.[1] ?? []),
        ['4', '5'],
      );
      assert.equal(
        await files.read('kprobe_profile'),
        profile([
          ['few', 2, 4],
          ['all', 6, 0],
        ]),
      );
      // Calls that longjmp has left count no more.
      assert.equal(await ask('jump'), 'left');
      assert.equal(await ask('5'), '5');
      assert.match(await files.read('kprobe_profile'), /few +4 +8\n/);
    });
  }

  it('count every hit of sixteen threads', async (t) => {
    const { files, ask } = await traced(t, SIXTEEN, ['-fpatchable-function-entry=5']);
    await files.append('kprobe_events', 'p:entry leaf x=%di:s32\nr:exit leaf y=$retval:s32\nf:all m?ddle %di\n');
    await files.write('events/enable', '1');
    const sum = await ask();
    const calls = 16 * 500;
    const profiled = await files.read('kprobe_profile');
    assert.equal(
      profiled,
      profile([
        ['entry', 2 * calls, 0],
        ['exit', 2 * calls, 0],
        ['all', calls, 0],
      ]),
    );
    assert.equal(await recorded(files), 5 * calls);
    await files.write('events/enable', '0');
    assert.equal(await ask(), sum);
  });
});

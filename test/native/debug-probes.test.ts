import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { describe, it } from 'node:test';
import { compile } from '../../src/native/testing/programs.js';
import { attach, lacks, type NativeMachine, noCompiler, startReady, traced } from './native-machine.js';

/** For each line: `place` is called with an order. `taxed` has no code of its own. */
const SHOP = `#include <stdbool.h>
#include <stdio.h>
#include <string.h>
enum kind { PLAIN, RUSH = 7 };
struct customer { const char *name; int level; };
struct order {
  int id;
  unsigned short flags;
  struct customer *customer;
  char code[8];
  long prices[3];
  unsigned low : 3, high : 5;
  enum kind kind;
  double weight;
};
struct point { int x, y; };
static long sold = 7;
static inline __attribute__((always_inline)) long taxed(long price, int rate) {
  long tax = price * rate / 100;
  asm volatile("" : "+r"(tax));
  return price + tax;
}
__attribute__((noinline)) long total(struct order *order, int count) {
  long sum = 0;
  for (int i = 0; i < count; i++) {
    long price = order->prices[i];
    sum += taxed(price, 10);
  }
  return sum;
}
__attribute__((noinline)) long place(struct order *order, int count, char tag, struct point at, double extra, bool fast) {
  long sum = total(order, count) + tag;
  sum += taxed(at.x + at.y, 50);
  sold += sum;
  return sum + (extra > 1) + fast;
}
int main(void) {
  setbuf(stdout, 0);
  puts("ready");
  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\\n")] = 0;
    struct customer customer = { line, -3 };
    struct order order = { 4711, 0x1234, &customer, "abc", { 10, 20, 30 }, 5, 17, RUSH, 2.5 };
    asm volatile("" :: "r"(&order), "r"(&customer) : "memory");
    printf("%ld\\n", place(&order, 3, 'A', (struct point){ 3, -4 }, 1.5, true));
  }
}
`;
const ANSWER = '132';

const DEFINITIONS = `p:place place order->id order.customer->name level=order->customer.level order->code order->prices order->prices[1]
p:params total $arg*
p:more place order->low order->high order->kind weight=order->weight tag at.x count sold fast
p:typed place flags=order->flags:x16 hex=order->id:x32 word=+4(order):u16
p:taxed taxed price rate
`;
/** The records of a trace from the event's name on, without their places. */
const records = (trace: string): string[] =>
  trace
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replace(/^.*?\d+\.\d+: /, '').replace(/\+0x[\da-f]+\/0x[\da-f]+/g, ''));

/** What `fentry probe` prints, without the paths of the program. */
async function probe({ sandbox, pid }: NativeMachine, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await sandbox.fentry('probe', '--pid', String(pid), ...args);
  return (stdout + stderr).replaceAll(/\/\S*\/program/g, 'program');
}

/** The errno of a line that is refused, and what error_log says. */
async function refusal({ files }: NativeMachine, line: string): Promise<string> {
  const { errno } = await files.append('kprobe_events', `${line}\n`).then(
    () => ({ errno: 'none' }),
    (error: { readonly errno: string }) => error,
  );
  const log = (await files.read('error_log')).trimEnd().split('\n').at(-3) ?? '';
  return `${errno}: ${log.replace(/^.*error: /, '')}`;
}

const FORMS = [
  ['gcc', '-O0', '-gdwarf-4'],
  ['gcc', '-O2', '-gdwarf-5'],
  ['clang', '-O0', '-gdwarf-5'],
  ['clang', '-O2', '-gdwarf-4', '-gz'],
] as const;

describe('probes of native programs by names and lines', { skip: noCompiler }, () => {
  for (const [compiler, ...options] of FORMS) {
    it(`fetch variables and members: ${compiler} ${options.join(' ')}`, { skip: lacks(compiler) }, async (t) => {
      const { files, ask } = await traced(t, SHOP, options, compiler);
      await files.append('kprobe_events', DEFINITIONS);
      await files.write('events/kprobes/enable', '1');
      assert.equal(await ask('ann'), ANSWER);
      const trace = records(await files.read('trace')).map((line) => line.replace(/order=0x[\da-f]+/, 'order=ADDRESS'));
      assert.deepEqual(trace.slice(0, 3).sort(), [
        "more: (place) low=5 high=17 kind=7 weight=0x4004000000000000 tag='A' x=3 count=3 sold=7 fast=1",
        'place: (place) id=4711 name="ann" level=-3 code="abc" prices={10,20,30} arg6=20',
        'typed: (place) flags=0x1234 hex=0x1267 word=4660',
      ]);
      assert.deepEqual(trace.slice(3), [
        'params: (total) order=ADDRESS count=3',
        ...[10, 20, 30].map((price) => `taxed: (total) price=${price} rate=10`),
        'taxed: (place) price=-1 rate=50',
      ]);
    });
  }

  it('stand on lines, with the variables that are there', async (t) => {
    const machine = await traced(t, SHOP, ['-O0', '-g']);
    const { files, ask } = machine;
    assert.equal(
      await probe(machine, '-L', 'total'),
      [
        '<total@program.c:0>',
        '      0  __attribute__((noinline)) long total(struct order *order, int count) {',
        '      1    long sum = 0;',
        '      2    for (int i = 0; i < count; i++) {',
        '      3      long price = order->prices[i];',
        '      4      sum += taxed(price, 10);',
        '           }',
        '      6    return sum;',
        '      7  }',
        '',
      ].join('\n'),
    );
    assert.equal(
      (await probe(machine, '-V', 'total:4')).replace(/\+\d+/, '+OFFSET'),
      [
        'Available variables at total:4',
        '\t@<total+OFFSET>',
        '\t\tvariable\tprice\tlong int',
        '\t\tvariable\ti\tint',
        '\t\tparameter\torder\tstruct order *',
        '\t\tparameter\tcount\tint',
        '\t\tvariable\tsum\tlong int',
        '\t\tparameter\trate\tint',
        '\t\tvariable\ttax\tlong int',
        '',
      ].join('\n'),
    );
    const lineOf = (text: string): number => SHOP.split('\n').indexOf(text) + 1;
    await files.append('kprobe_events', 'p:sums total:4 sum price i id=order->id\n');
    await files.append('kprobe_events', `p:tax program.c:${lineOf('  return price + tax;')} tax price\n`);
    await files.append('kprobe_events', `p:all total $arg*\n`);
    const { sandbox, pid } = machine;
    const source = (await sandbox.fentry('probe', '--pid', String(pid), '-L', 'place')).stdout.slice(7).split(':')[0]!;
    await files.append('uprobe_events', `p:sold ${source}:${lineOf('  sold += sum;')} sum sold\n`);
    assert.match(
      await files.read('dynamic_events'),
      /^p:kprobes\/sums total:4 sum=sum price=price i=i id=order->id\np:kprobes\/tax program\.c:\d+ tax=tax price=price\n/,
    );
    await files.write('events/kprobes/enable', '1');
    await files.write('events/uprobes/enable', '1');
    assert.equal(await ask('ann'), ANSWER);
    assert.deepEqual(
      records(await files.read('trace')).map((line) => line.replace(/order=0x[\da-f]+/, 'order=ADDRESS')),
      [
        'all: (total) order=ADDRESS count=3',
        'sums: (total) sum=0 price=10 i=0 id=4711',
        'tax: (total) tax=1 price=10',
        'sums: (total) sum=11 price=20 i=1 id=4711',
        'tax: (total) tax=2 price=20',
        'sums: (total) sum=33 price=30 i=2 id=4711',
        'tax: (total) tax=3 price=30',
        'tax: (place) tax=0 price=-1',
        'sold: (place) sum=130 sold=7',
      ],
    );
  });

  it('are shown for a function that was inlined wherever it is called', async (t) => {
    const machine = await traced(t, SHOP, ['-O0', '-g']);
    assert.equal(
      await probe(machine, '-L', 'taxed'),
      [
        '<taxed@program.c:0>',
        '      0  static inline __attribute__((always_inline)) long taxed(long price, int rate) {',
        '      1    long tax = price * rate / 100;',
        '      2    asm volatile("" : "+r"(tax));',
        '      3    return price + tax;',
        '',
      ].join('\n'),
    );
    assert.equal(await probe(machine, '-L', 'taxed:1'), '<taxed@program.c:1>\n      1    long tax = price * rate / 100;\n');
    // What both copies have, with what their functions have in common.
    const [head = '', place = '', ...names] = (await probe(machine, '-V', 'taxed:2')).trimEnd().split('\n');
    assert.equal(head, 'Available variables at taxed:2');
    assert.match(place, /^\t@<(total|place)\+\d+>$/);
    const own = ['parameter\tprice\tlong int', 'parameter\trate\tint', 'variable\ttax\tlong int'];
    const common = ['parameter\tcount\tint', 'parameter\torder\tstruct order *', 'variable\tsum\tlong int'];
    assert.deepEqual(names.map((line) => line.trim()).sort(), [...own, ...common].sort());
    assert.match(await probe(machine, '-V', 'taxed'), /\tparameter\tprice\tlong int\n/);
    assert.match(await probe(machine, '-V', 'taxed:40'), /no code begins on line 40 of the copies of taxed \(EILSEQ\)/);
    assert.match(await probe(machine, '-a', 'taxed:2 price rate tax'), /probe:taxed_L2 +\(on taxed:2 with price rate tax\)/);
    assert.match(await probe(machine, '-D', 'taxed rate'), /^p:probe\/taxed taxed rate\n$/);
    await machine.files.write('events/probe/enable', '1');
    assert.equal(await machine.ask('ann'), ANSWER);
    assert.deepEqual(
      records(await machine.files.read('trace')),
      [
        '(total) price=10 rate=10 tax=1',
        '(total) price=20 rate=10 tax=2',
        '(total) price=30 rate=10 tax=3',
        '(place) price=-1 rate=50 tax=0',
      ].map((line) => `taxed_L2: ${line}`),
    );
  });

  it('are refused with what would be right', async (t) => {
    const machine = await traced(t, SHOP, ['-O2', '-g']);
    const said = 'EINVAL: Invalid fetch argument: ';
    const refusals: readonly (readonly [definition: string, message: string | RegExp])[] = [
      ['place nosuch', `${said}nosuch is no variable of place, which has order, count, tag, at, extra, fast, sum`],
      [
        'place order->nosuch',
        `${said}order has no member nosuch: it has id, flags, customer, code, prices, low, high, kind, weight`,
      ],
      ['place at', `${said}at is a whole struct point; name a member: x, y`],
      ['place at.y', `${said}at.y is in the upper part of a register: give it a type without a sign`],
      ['place extra', /extra is .*(register|floating)/],
      ['place order->prices[3]', `${said}order.prices has 3 elements, from 0`],
      ['place order->id:string', `${said}order.id is no text: its type is int`],
      ['place count->x', `${said}count has no member x: its type is int`],
      ['place sum', /^EINVAL: Invalid fetch argument: sum has no value at the entry of the function; it has one from place\+0x/],
      ['place%return order', /a return probe of machine code has \$retval only/],
      ['taxed%return price', 'EINVAL: Retprobe address must be an function entry'],
      [
        'place:40 count',
        /^EILSEQ: Probe point is not an instruction boundary: no code begins on line 40: there is some on line \d+$/,
      ],
      ['total:3 count', /count is optimized out/],
    ];
    for (const [definition, message] of refusals) {
      const refused = await refusal(machine, `p:x ${definition}`);
      if (typeof message === 'string') assert.equal(refused, message, definition);
      else assert.match(refused, message, definition);
    }
    assert.equal(await machine.files.read('dynamic_events'), '');
  });

  it('find debug information in a separate file, and miss it without one', async (t) => {
    const program = compile(t, SHOP, ['-O2', '-g']);
    const debug = `${program}.debug`;
    const objcopy = (...args: readonly string[]): unknown => execFileSync('objcopy', args);
    objcopy('--only-keep-debug', program, debug);
    objcopy('--strip-debug', `--add-gnu-debuglink=${debug}`, program);
    const machine = await attach(t, await startReady(t, program));
    await machine.files.append('kprobe_events', 'p:total total count\n');
    await machine.files.write('events/kprobes/enable', '1');
    await machine.ask('ann');
    assert.deepEqual(records(await machine.files.read('trace')), ['total: (total) count=3']);
    rmSync(`${program}.c`);
    assert.match(await probe(machine, '-L', 'total'), /the source of program\.c is not on the disk; code begins on line 0, \d+/);
    rmSync(debug);
    const other = await attach(t, await startReady(t, program));
    assert.match(await refusal(other, 'p:x total count'), /program has no debug information: it was compiled without -g/);
    assert.match(await probe(other, '-L', 'total'), /has no debug information/);
    assert.match(await probe(other, '-V', 'total'), /\(No variables\)/);
  });
});

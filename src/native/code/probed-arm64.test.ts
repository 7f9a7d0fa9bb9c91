import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOP, wordsOf } from '../machines/arm64/encode.js';
import { NO_PLACE } from '../machines/arm64/probe-places.js';
import { ARM64_PLATFORM, withoutArm64 } from './testing/arm64-platform.js';
import { placesOf } from './testing/program-probes.js';
import { THREADS } from './testing/programs-in-c.js';
import {
  type CompiledProgram,
  compileTraced,
  elfOf,
  graphOf,
  probedFunctions,
  runPlain,
  runTraced,
  type TraceRecord,
} from './testing/traced-program.js';

/** Probes on arm64: programs in C that are run by qemu-aarch64 where this is no arm64. */

const platform = ARM64_PLATFORM;
const skip = withoutArm64;

const SHOP = String.raw`
#include <stdio.h>
#define NO __attribute__((noinline, noclone))
struct order { int id; const char *name; long prices[3]; };
long sold = 7;
NO int leaf(int x) { __asm__ volatile(""); return x + 1; }
NO long place(struct order *order, int a, char tag, int d, int e, int f, int g, int h, long i, short j) {
  long sum = order->prices[1] + leaf(a) + tag + d + e + f + g + h + i + j;
  __asm__ volatile("");
  return sum;
}
NO int deep(int n) { int below = n == 0 ? 0 : deep(n - 1); __asm__ volatile(""); return below + n; }
int main(void) {
  char name[] = "ann";
  struct order order = { 4711, name, { 10, 20, 30 } };
  __asm__ volatile("" : : "r"(&order), "r"(name) : "memory");
  printf("%ld\n", place(&order, 1, 'A', 2, 3, 4, 5, 6, 70000000000, -8));
  printf("%d\n", deep(3));
  return 0;
}
`;
const OUTPUT = '70000000099\n6\n';

const names = (records: readonly TraceRecord[]): readonly string[] => records.map(({ name }) => name);

const FORMS = [
  ['-O1', '-fpatchable-function-entry=2'],
  ['-O2', '-fpatchable-function-entry=4,2', '-mbranch-protection=standard'],
  ['-O2'],
] as const;

/** So many fit into a plan of the harness. */
const MOST_PROBES = 100;

const compiled = (t: Parameters<typeof compileTraced>[0], source: string, flags: readonly string[]): CompiledProgram =>
  compileTraced(t, source, ['-fno-optimize-sibling-calls', ...flags], {
    platform,
    jumps: !flags.some((flag) => flag.startsWith('-fpatchable')),
  });

for (const flags of FORMS) {
  test(`arm64, ${flags.join(' ')}: probes fetch registers, arguments, memory, texts and results`, { skip }, (t) => {
    const program = compiled(t, SHOP, flags);
    const probes = [
      'p:order place id=+0(%x0):u32 name=+0(+8($arg1)):string prices=+16(%x0):s64[3] a=%x1:s32 tag=$arg3:char h=$arg8:s32 ' +
        'i=$arg9:s64 j=$arg10:s16 first=$stack0:s64 second=+8(%sp):s16 none=+0(\\0):string zero=+0(\\8) five=\\5 text=\\"t" low=+0(%x0):b4@4/32',
      'r:back place $retval:s64 sum=%x0:s64',
      'r:added leaf $retval:s32',
    ];
    const run = runTraced(program, { probes });
    assert.equal(run.output, OUTPUT);
    assert.deepEqual(run.records.map(names), [
      [
        'order id=4711 name=ann prices=10,20,30 a=1 tag=65 h=6 i=70000000000 j=-8 first=70000000000 second=-8 none=(fault) zero=0 five=5 text=t low=6',
        'added arg1=2',
        'back arg1=70000000099 sum=70000000099',
      ],
    ]);
    assert.equal(run.open, 0);
  });

  test(`arm64, ${flags.join(' ')}: probes beside both tracers`, { skip }, (t) => {
    const program = compiled(t, SHOP, flags);
    const probes = ['p:in deep n=%x0:s32', 'r:out deep $retval:s32'];
    const plain = runTraced(program, { tracer: 'function', probes, only: (name) => name === 'deep' });
    assert.equal(plain.output, OUTPUT);
    const entries = [3, 2, 1, 0].flatMap((n) => [`in n=${n}`, 'deep']);
    assert.deepEqual(names(plain.records[0]!), [...entries, 'out arg1=0', 'out arg1=1', 'out arg1=3', 'out arg1=6']);
    const followed = runTraced(program, { tracer: 'function_graph', probes, only: (name) => name === 'deep' });
    assert.equal(followed.output, OUTPUT);
    const isHit = ({ event }: TraceRecord): boolean => event === 'probe';
    assert.deepEqual(names(followed.records[0]!.filter(isHit)), names(plain.records[0]!.filter(isHit)));
    assert.deepEqual(graphOf(followed.records[0]!.filter((one) => !isHit(one))), [
      ...['deep(', '  deep(', '    deep(', '      deep('],
      ...['      )deep', '    )deep', '  )deep', ')deep'],
    ]);
  });
}

/** What depends on where it stands, and what must not be interrupted. */
const PLACES = String.raw`
#include <stdio.h>
#include <string.h>
#define NO __attribute__((noinline, noclone))
static int table[4] = { 1, 2, 3, 4 };
NO int twice(int x) { return x * 2; }
NO int half(int x) { return x / 2; }
NO int add(int *to, int n) { return __atomic_add_fetch(to, n, __ATOMIC_SEQ_CST); }
NO double literals(double d) {
  double s = d; long a, b; float f; long x16 = 16, x17 = 17;
  __asm__ volatile(
    "mov x16, %5\n mov x17, %6\n ldr %0, 1f\n ldr %d1, 2f\n ldrsw %2, 3f\n ldr %s4, 3f\n prfm pldl1keep, 1f\n"
    "mov %5, x16\n mov %6, x17\n b 4f\n 1: .quad 77\n 2: .double 2.5\n 3: .word -5\n 4:"
    : "=&r"(a), "=&w"(s), "=&r"(b), "+w"(d), "=&w"(f), "+r"(x16), "+r"(x17) : : "x16", "x17");
  return s + a + b + x16 + x17;
}
NO int flow(int n) {
  int (*call)(int) = n & 1 ? twice : half;
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (i & 4) sum += table[i & 3];
    switch (i % 7) { case 0: sum += twice(i); break; case 1: sum -= 3; break; case 2: sum ^= i; break; case 3: sum += call(i); break; case 4: sum *= 3; break; }
    if (i == 0 || sum < 0) sum = -sum;
  }
  return sum;
}
int main(void) {
  int shared = 5;
  printf("%d %d\n", flow(40), flow(41));
  printf("%d %g\n", add(&shared, 3), literals(1.5));
  return 0;
}
`;

test('arm64, -pg: the end of a function whose return address is in its frame, signed', { skip }, (t) => {
  const program = compiled(t, SHOP, ['-O1', '-pg', '-mbranch-protection=standard']);
  const probes = ['r:back place $retval:s64', 'r:out deep $retval:s32'];
  for (const tracer of [undefined, 'function', 'function_graph'] as const) {
    const run = runTraced(program, { probes, ...(tracer && { tracer }) });
    assert.equal(run.output, OUTPUT);
    const hits = run.records[0]!.filter(({ event }) => event === 'probe');
    assert.deepEqual(names(hits), ['back arg1=70000000099', 'out arg1=0', 'out arg1=1', 'out arg1=3', 'out arg1=6']);
    assert.equal(run.open, 0);
  }
});

for (const flags of FORMS) {
  test(`arm64, ${flags.join(' ')}: a probe at every instruction that can have one`, { skip }, (t) => {
    const program = compiled(t, PLACES, [...flags, '-march=armv8-a', '-mno-outline-atomics']);
    const elf = elfOf(program);
    const functions = probedFunctions(program, elf);
    const all = functions.flatMap((one) => placesOf(elf, one).map((place) => ({ one, place })));
    const reasons = new Map<string, number>();
    for (const { place } of all) if (place.reason !== undefined) reasons.set(place.reason, (reasons.get(place.reason) ?? 0) + 1);
    // ldxr or ldaxr, add, stxr or stlxr; .quad, .double and .word.
    assert.deepEqual([reasons.get(NO_PLACE.exclusive), reasons.get(NO_PLACE.data)], [3, 5]);
    const places = all.filter(({ place }) => place.reason === undefined);
    const probes = places.map(({ one, place }, i) => `p:p${i} ${one.name}+${place.offset} pc=%pc sp=%sp`);
    const plain = runPlain(program);
    for (let from = 0; from < probes.length; from += MOST_PROBES) {
      const run = runTraced(program, { probes: probes.slice(from, from + MOST_PROBES), overwrite: false });
      assert.equal(run.output, plain);
      assert.ok(run.recorded > 10, `${run.recorded} hits`);
    }
  });
}

/** All registers but x18, which belongs to the platform, each with a number of its own: at the second NOP, and behind it. */
const NUMBERED = Array.from({ length: 31 }, (_, n) => n).filter((n) => n !== 18);
const CALLEE_SAVED = [19, 21, 23, 25, 27];
const ALL = [
  '.globl all; .type all,%function; all: nop; nop; stp x29, x30, [sp, #-16]!',
  ...CALLEE_SAVED.map((n) => `stp x${n}, x${n + 1}, [sp, #-16]!`),
  ...NUMBERED.map((n) => `mov x${n}, #${n + 100}`),
  'mov x0, #0x90000000; msr nzcv, x0; mov x0, #100; nop',
  'stp x0, x1, [sp, #-16]!; adrp x0, after; add x0, x0, :lo12:after',
  ...NUMBERED.slice(2).map((n) => `str x${n}, [x0, #${8 * n}]`),
  'mrs x1, nzcv; str x1, [x0, #256]; ldp x2, x3, [sp], #16; stp x2, x3, [x0]',
  ...CALLEE_SAVED.toReversed().map((n) => `ldp x${n}, x${n + 1}, [sp], #16`),
  'ldp x29, x30, [sp], #16; ret; .size all,.-all',
];
const REGISTERS = String.raw`
#include <stdio.h>
unsigned long after[33];
__asm__("${ALL.join('; ')}");
void all(void);
int main(void) {
  all();
  for (int i = 0; i < 31; i++) if (i != 18 && after[i] != i + 100) printf("x%d %lx\n", i, after[i]);
  printf("%lx\n", after[32]);
  return 0;
}`;

test('arm64: a probe in the middle finds all registers and flags, and leaves them as they are', { skip }, (t) => {
  const program = compiled(t, REGISTERS, ['-O1', '-fpatchable-function-entry=2']);
  const { code } = probedFunctions(program, elfOf(program)).find(({ name }) => name === 'all')!;
  const place = 4 * wordsOf(code).lastIndexOf(NOP);
  const values = [...NUMBERED.map((n) => `%x${n}:u64`), '%lr:u64', '%pstate:u64'];
  const run = runTraced(program, { probes: [`p:here all+${place} ${values.join(' ')}`] });
  assert.equal(run.output, '90000000\n');
  const found = [...NUMBERED.map((n) => n + 100), 130, 0x90000000].map((value, i) => `arg${i + 1}=${value}`);
  assert.deepEqual(run.records.map(names), [[['here', ...found].join(' ')]]);
});

test('arm64: every hit of 16 threads is recorded, or counted: at an entry, inside and at the end', { skip }, (t) => {
  const program = compiled(t, THREADS, ['-O2', '-fpatchable-function-entry=2']);
  const plain = runPlain(program, '20');
  const calls = Number(plain.split(' ')[1]);
  const elf = elfOf(program);
  const fib = probedFunctions(program, elf).find(({ name }) => name === 'fib')!;
  // The instruction behind the site: each call runs it once.
  const inside = placesOf(elf, fib).find(({ reason }) => reason === undefined)!.offset;
  const run = runTraced(program, { probes: ['p:in fib %x0', `p:inside fib+${inside} %x0`, 'r:out fib $retval'] }, '20');
  assert.equal(run.output, plain);
  // `main`, and `work` of each thread.
  const others = 17;
  assert.equal(run.recorded + run.overrun + run.dropped, 3 * (calls - others));
  assert.equal(run.open, 0);
});

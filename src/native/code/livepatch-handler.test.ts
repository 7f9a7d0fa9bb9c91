import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { noCompiler } from '../testing/programs.js';
import { ReplacedSite } from '../text/replaced-site.js';
import { KLP, type KlpState, type ThreadList, threadListBytes } from './klp-state.js';
import { buildLivepatchHandler } from './livepatch-handler.js';
import { ARM64_PLATFORM, withoutArm64 } from './testing/arm64-platform.js';
import { compileTraced } from './testing/traced-program.js';

/** Where the program has the handler, the patch's word, and a list of threads. */
const CODE = 0x60000000;
const WORD = 0x60010000;
const LIST = WORD + 64;
/** In a list, the id of the thread that calls. */
const ITSELF = -1;

/**
 * Arms the site of `calls`, whose handler is in a file, and calls it for each file with a word and a list of threads. A result is
 * returned in memory, whose address is an argument too.
 */
const PROGRAM = `
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <sys/syscall.h>
struct result { long code, integers, doubles, rest[4]; };
#define ARGUMENTS long a, long b, long c, long d, long e, long f, long g, long h, double i, double j, double k, double l, double m, double n, double o, double p
#define RESULT(code) { code, a + 10 * (b + 10 * (c + 10 * (d + 10 * (e + 10 * (f + 10 * (g + 10 * h)))))), \\
  i + 10 * (j + 10 * (k + 10 * (l + 10 * (m + 10 * (n + 10 * (o + 10 * p)))))), {1, 2, 3, 4} }
__attribute__((noipa)) struct result calls(ARGUMENTS) { struct result made = RESULT(1); return made; }
__attribute__((noipa)) struct result replaces(ARGUMENTS) { struct result made = RESULT(2); return made; }
static long take(const char *path, char *to, long most) {
  FILE *file = fopen(path, "rb");
  long got = fread(to, 1, most, file);
  fclose(file);
  return got;
}
int main(int count, char **paths) {
  char *memory = mmap((void *)${CODE}, 0x20000, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  char armed[64];
  if (count < 3 || memory != (void *)${CODE}) return 1;
  long code = take(paths[1], memory, 65536), bytes = take(paths[2], armed, sizeof armed);
  __builtin___clear_cache(memory, memory + code);
  char *page = (char *)((uintptr_t)calls & -4096);
  mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
  char *site = *(char **)armed;
  memcpy(site, armed + 8, bytes - 8);
  __builtin___clear_cache(site, site + bytes - 8);
  for (int i = 3; i < count; i++) {
    long got = take(paths[i], (char *)${WORD}, 65536);
    for (int32_t *tid = (int32_t *)${LIST}; tid < (int32_t *)(${WORD} + got); tid++) if (*tid == ${ITSELF}) *tid = syscall(SYS_gettid);
    struct result r = calls(1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8);
    int right = r.integers == 87654321 && r.doubles == 87654321 && r.rest[0] == 1 && r.rest[3] == 4;
    puts(!right ? "wrong" : r.code == 1 ? "own" : "replaced");
  }
  return 0;
}`;

const long = (value: number): Uint8Array => new Uint8Array(BigInt64Array.of(BigInt(value)).buffer);
const ofAll = (state: KlpState): Uint8Array => long(state);
const ofListed = (list: ThreadList): Uint8Array =>
  Buffer.concat([long(LIST), new Uint8Array(LIST - WORD - 8), threadListBytes(list)]);

/** Nobody's ids. */
const OTHERS = Array.from({ length: 100 }, (_, i) => 2 ** 22 + 1 + i);
const LISTS = [OTHERS, [ITSELF, ...OTHERS], [...OTHERS, ITSELF], [ITSELF]];
const CASES: readonly (readonly [word: Uint8Array, runs: 'own' | 'replaced'])[] = [
  [ofAll(KLP.UNPATCHED), 'own'],
  [ofAll(KLP.PATCHED), 'replaced'],
  ...LISTS.flatMap((tids) => {
    const isListed = tids.includes(ITSELF);
    return [
      [ofListed({ state: KLP.UNPATCHED, tids }), isListed ? 'own' : 'replaced'],
      [ofListed({ state: KLP.PATCHED, tids }), isListed ? 'replaced' : 'own'],
    ] as const;
  }),
  [ofAll(KLP.UNPATCHED), 'own'],
];

const PLATFORMS = {
  'this machine': { skip: noCompiler },
  arm64: { skip: withoutArm64, platform: ARM64_PLATFORM },
};
const FORMS: Readonly<Record<string, readonly string[]>> = {
  'a site of NOPs': ['-O2', '-fpatchable-function-entry=5'],
  'no site': ['-O2'],
  'no site, and signed return addresses': ['-O2', '-mbranch-protection=standard'],
};

for (const [machine, { skip, ...options }] of Object.entries(PLATFORMS)) {
  describe(`a live patch's handler on ${machine}`, { skip }, () => {
    const isArm64 = process.arch === 'arm64' || 'platform' in options;
    for (const [form, flags] of Object.entries(FORMS).filter(
      ([, [, flag]]) => isArm64 || flag !== FORMS['no site, and signed return addresses']![1],
    )) {
      for (const source of ['the C library', 'the system']) {
        it(`chooses by the patch's word, and by the thread's id from ${source}: ${form}`, (t) => {
          const program = compileTraced(t, PROGRAM, flags, { jumps: true, ...options });
          const { machine } = program.platform;
          const [calls, replaces] = ['calls', 'replaces'].map((name) => program.functions.find((one) => one.name === name)!);
          const site = calls!.site!;
          const write = (name: string, bytes: Uint8Array): string => {
            writeFileSync(join(program.folder, name), bytes);
            return join(program.folder, name);
          };
          const handler = buildLivepatchHandler(CODE, {
            ...{ machine, site, state: WORD, replacement: program.base + replaces!.start },
            tidOffset: source === 'the system' ? undefined : program.tidOffset,
          });
          const armed = Buffer.concat([long(site.address), new ReplacedSite(site, CODE).armed(CODE)]);
          const [command, ...args] = [...program.platform.run, program.path, write('handler', handler), write('armed', armed)];
          const words = CASES.map(([word], i) => write(`word${i}`, word));
          const { stdout, status, signal } = spawnSync(command!, [...args, ...words], { encoding: 'utf8' });
          assert.deepEqual([status, signal], [0, null]);
          assert.deepEqual(
            stdout.trimEnd().split('\n'),
            CASES.map(([, runs]) => runs),
          );
        });
      }
    }
  });
}

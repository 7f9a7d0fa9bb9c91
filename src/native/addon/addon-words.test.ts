import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ARM64_PLATFORM, withoutArm64 } from '../code/testing/arm64-platform.js';
import * as arm64 from '../machines/arm64/addon-code.js';
import * as x86 from '../machines/x86-64/addon-code.js';
import { noCompiler, testFolder } from '../testing/programs.js';
import { CALL, CLOCKS, LOCATED } from './addon-words.js';

/** A host of addons as Node is one: what the shared object calls of Node-API, for two functions and typed arrays. */
const HOST = String.raw`
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
typedef void *value;
struct call { size_t count; value values[2]; };
typedef value (*callback)(void *env, struct call *);
static struct { char name[16]; callback call; } made[2];
static int count, wrong;
static char env, exported;
static void check(int right) { wrong += !right; }
int napi_create_function(void *e, const char *name, size_t length, callback call, void *data, value *result) {
  check(e == &env && length == strlen(name) && data == 0 && count < 2);
  strcpy(made[count].name, name);
  made[count].call = call;
  *result = &made[count++];
  return 0;
}
int napi_set_named_property(void *e, value object, const char *name, value function) {
  check(e == &env && object == &exported && function == &made[count - 1] && strcmp(name, made[count - 1].name) == 0);
  return 0;
}
int napi_get_cb_info(void *e, struct call *call, size_t *room, value *values, value *self, void **data) {
  check(e == &env && self == 0 && data == 0);
  for (size_t i = 0; i < *room && i < call->count; i++) values[i] = call->values[i];
  *room = call->count;
  return 0;
}
int napi_get_typedarray_info(void *e, value array, int *type, size_t *length, void **data, value *buffer, size_t *offset) {
  check(e == &env && type == 0 && length == 0 && buffer == 0 && offset == 0);
  *data = array;
  return 0;
}
static uint64_t words[${CALL.WORDS}], located[${LOCATED.WORDS}], clocks[${CLOCKS.WORDS}];
static int64_t call(uint64_t function, const uint64_t *arguments) {
  words[${CALL.FUNCTION}] = function;
  memcpy(words + ${CALL.ARGUMENTS}, arguments, 8 * ${CALL.MOST_ARGUMENTS});
  check(made[0].call(&env, &(struct call){1, {words}}) == 0);
  return words[${CALL.RESULT}];
}
#define CALL(function, ...) call((uint64_t)(function), (uint64_t[${CALL.MOST_ARGUMENTS}]){__VA_ARGS__})
static int64_t digits(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g, int64_t h) {
  return -(a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f + 1000000 * g + 10000000 * h);
}
int main(int argc, char **argv) {
  void *object = argc > 1 ? dlopen(argv[1], RTLD_LAZY) : 0;
  if (!object) { puts(dlerror()); return 1; }
  value (*entry)(void *, value) = dlsym(object, "napi_register_module_v1");
  printf("exports %d: %s %s\n", entry(&env, &exported) == &exported, made[0].name, made[1].name);
  printf("digits %ld\n", (long)CALL(digits, 1, 2, 3, 4, 5, 6, 7, 8));
  check(made[1].call(&env, &(struct call){2, {located, clocks}}) == 0);
  printf("view %d\n", located[${LOCATED.VIEW}] == (uint64_t)clocks);
  uint64_t system = located[${LOCATED.SYSTEM_CALL}];
  printf("system calls %d %ld\n", CALL(system, SYS_getpid) == getpid(), (long)CALL(system, SYS_close, -1));
  char both[2] = "";
  int ends[2];
  check(pipe(ends) == 0);
  check(CALL(system, SYS_write, ends[1], (uint64_t)"x", 1) == 1);
  check(CALL(system, SYS_read, ends[0], (uint64_t)both, 1) == 1);
  printf("with their arguments %s\n", both);
  int64_t first = CALL(located[${LOCATED.TIME_STAMP}], 0);
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  CALL(located[${LOCATED.READ_CLOCKS}], (uint64_t)clocks);
  clock_gettime(CLOCK_MONOTONIC, &after);
  int64_t last = CALL(located[${LOCATED.TIME_STAMP}], 0);
  int64_t ns = clocks[${CLOCKS.SECONDS}] * 1000000000 + clocks[${CLOCKS.NANOSECONDS}];
  printf("counter %d\n", first > 0 && first <= clocks[${CLOCKS.BEFORE}] && clocks[${CLOCKS.BEFORE}] <= clocks[${CLOCKS.AFTER}] && clocks[${CLOCKS.AFTER}] <= last);
  printf("clock %d\n", before.tv_sec * 1000000000 + before.tv_nsec <= ns && ns <= after.tv_sec * 1000000000 + after.tv_nsec);
  printf("wrong %d\n", wrong);
  return 0;
}`;

const EBADF = 9;
const OUTPUT = [
  ...['exports 1: call locate', 'digits -87654321', 'view 1', `system calls 1 -${EBADF}`, 'with their arguments x'],
  ...['counter 1', 'clock 1', 'wrong 0', ''],
];

const MACHINES = {
  'x86-64': { skip: noCompiler, gcc: 'gcc', run: [], file: x86.addonFile },
  arm64: { skip: withoutArm64, gcc: ARM64_PLATFORM.c, run: ARM64_PLATFORM.run, file: arm64.addonFile },
} as const;

for (const [name, { skip, gcc, run, file }] of Object.entries(MACHINES)) {
  test(`${name}: the shared object is loaded, and its functions do what they say`, { skip }, (t) => {
    const folder = testFolder(t);
    const [source, host, addon] = ['host.c', 'host', 'addon.node'].map((one) => join(folder, one)) as [string, string, string];
    writeFileSync(source, HOST);
    writeFileSync(addon, file());
    execFileSync(gcc, ['-O2', '-rdynamic', '-o', host, source, '-ldl'], { stdio: ['ignore', 'ignore', 'inherit'] });
    const [command, ...args] = [...run, host, addon];
    assert.deepEqual(execFileSync(command!, args, { encoding: 'utf8', timeout: 60_000 }).split('\n'), OUTPUT);
  });
}

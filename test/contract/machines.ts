import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TraceClient } from '../../src/client/trace-client.js';
import { Sandbox, until } from '../e2e/support/program.js';
import { traced } from '../native/native-machine.js';
import type { Program } from './simulated/simulated-text.js';

const SIMULATED = resolve('build/test/contract/simulated/main.js');

/** A process that runs programs, as the contract's tests see every port. */
export interface Machine {
  readonly pid: number;
  readonly files: TraceClient;
  readonly sandbox: Sandbox;
  /** Loads a program, whose functions can be called from then on. */
  load(program: Program, file: string): Promise<void>;
  /** Calls a function, and returns when it has returned. */
  call(name: string): Promise<void>;
}

/** Who ends what was started. */
interface Cleanup {
  after(run: () => void | Promise<void>): void;
}

/** Sends a line to a process and waits until it has done what it says. */
function teller(child: ChildProcess): (line: string) => Promise<void> {
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  return async (line) => {
    output = '';
    child.stdin?.write(`${line}\n`);
    await until(() => output === 'done\n', `the process has done ${line}`);
  };
}

/** A process that is a simulated machine. */
export async function simulated(t: Cleanup, sandbox = new Sandbox(t)): Promise<Machine> {
  const child = sandbox.spawn(['--enable-source-maps', SIMULATED]);
  const pid = child.pid!;
  await until(() => existsSync(join(sandbox.sockets, `${pid}.sock`)), 'the socket is there');
  const tell = teller(child);
  return {
    pid,
    sandbox,
    files: sandbox.client(pid),
    load: (program, file) => tell(`load ${JSON.stringify({ program, file })}`),
    call: (name) => tell(`call ${name}`),
  };
}

/** Takes `load FILE` and `call NAME`, a line each, and says when it is done. */
const DRIVER = `
const { createInterface } = require('node:readline');
createInterface({ input: process.stdin }).on('line', (line) => {
  const [verb, word] = line.split(' ');
  if (verb === 'load') Object.assign(globalThis, require(word));
  else globalThis[word]();
  process.stdout.write('done\\n');
});
`;

function sourceOf(program: Program): string {
  const functions = Object.entries(program).map(
    ([name, calls]) => `function ${name}() { ${calls.map((one) => `${one}();`).join(' ')} }`,
  );
  return `${functions.join('\n')}\nmodule.exports = { ${Object.keys(program).join(', ')} };\n`;
}

/** Takes `load FILE` and `call NAME`, a line each, and says when it is done. */
const NATIVE_OBEY = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
static void call(const char *before, const char *name) {
  char symbol[4096];
  snprintf(symbol, sizeof symbol, "%s%s", before, name);
  void (*function)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, symbol);
  if (function) function(); else puts(dlerror());
}
static void obeyed(char *line) {
  static char loaded[16][64];
  static int count;
  if (strncmp(line, "load ", 5) == 0) {
    if (!dlopen(line + 5, RTLD_NOW | RTLD_GLOBAL)) puts(dlerror());
    char *name = strrchr(line, '/') + 1;
    *strchr(name, '.') = 0;
    strcpy(loaded[count++], name);
    for (int i = 0; i < count; i++) call("find_", loaded[i]);
  } else call("", line + 5);
}
`;
const NATIVE_DRIVER = `${NATIVE_OBEY}
int main(void) {
  char line[4096];
  setbuf(stdout, 0);
  puts("ready");
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\\n")] = 0;
    obeyed(line);
    puts("done");
  }
}`;
/** Frame pointers lead from a function to its callers. */
const OBJECT = ['-O0', '-fPIC', '-shared', '-fno-omit-frame-pointer', '-fpatchable-function-entry=5'];

/** A text whose function `find_FILE` looks up the functions that the others call: so no call is the dynamic linker's. */
function nativeSourceOf(program: Program, file: string): string {
  const called = [...new Set(Object.values(program).flat())];
  const found = called.map((name) => `static void (*to_${name})(void);`);
  const finds = called.map((name) => `to_${name} = (void (*)(void))dlsym(RTLD_DEFAULT, "${name}");`);
  const functions = Object.entries(program).map(
    ([name, calls]) => `void ${name}(void) { ${calls.map((one) => `to_${one}();`).join(' ')} }`,
  );
  const lookUp = `void find_${file}(void) { ${finds.join(' ')} }`;
  return ['#define _GNU_SOURCE', '#include <dlfcn.h>', ...found, ...functions, lookUp, ''].join('\n');
}

/** A program in C, whose texts are shared objects. */
export async function native(t: Cleanup): Promise<Machine> {
  const { pid, program, sandbox, files } = await traced(t, NATIVE_DRIVER, ['-fno-omit-frame-pointer']);
  return { pid, sandbox, files, ...nativeDriver(sandbox, files, teller(program.child)) };
}

/** How the functions of shared objects are loaded and called. */
const nativeDriver = (
  sandbox: Sandbox,
  files: TraceClient,
  tell: (line: string) => Promise<void>,
): Pick<Machine, 'load' | 'call'> => ({
  async load(texts, file) {
    const object = join(sandbox.folder, `${file}.so`);
    execFileSync('gcc', [...OBJECT, '-o', object, sandbox.file(`${file}.c`, nativeSourceOf(texts, file))]);
    await tell(`load ${object}`);
    // What was loaded is patched when functions are next asked for.
    await files.read('available_filter_functions');
  },
  call: (name) => tell(`call ${name}`),
});

/** A Node process. */
export async function javaScript(t: Cleanup, extra: NodeJS.ProcessEnv = {}): Promise<Machine> {
  const sandbox = new Sandbox(t);
  const child = await sandbox.start(DRIVER, extra);
  const tell = teller(child);
  return {
    pid: child.pid,
    sandbox,
    files: sandbox.client(child.pid),
    load: (program, file) => tell(`load ${sandbox.file(`${file}.cjs`, sourceOf(program))}`),
    call: (name) => tell(`call ${name}`),
  };
}

/** The JavaScript of a Node process in which native text is traced too. */
export const joinedJavaScript = (t: Cleanup): Promise<Machine> => javaScript(t, { FENTRY: 'native' });

/** An addon that does what a native program does, for `load FILE` and `call NAME`. */
const ADDON_DRIVER = `
typedef void *env, *value, *info;
extern int napi_get_cb_info(env, info, unsigned long *, value *, value *, void **);
extern int napi_get_value_string_utf8(env, value, char *, unsigned long, unsigned long *);
extern int napi_create_function(env, const char *, unsigned long, value (*)(env, info), void *, value *);
static value obey(env e, info i) {
  unsigned long count = 1, length;
  value argument;
  char line[4096];
  napi_get_cb_info(e, i, &count, &argument, 0, 0);
  napi_get_value_string_utf8(e, argument, line, sizeof line, &length);
  obeyed(line);
  return 0;
}
value napi_register_module_v1(env e, value exports) {
  value function;
  napi_create_function(e, "obey", 4, obey, 0, &function);
  return function;
}
`;

const ADDON_PROGRAM = `
const { createInterface } = require('node:readline');
const addon = { exports: {} };
process.dlopen(addon, process.env.ADDON);
createInterface({ input: process.stdin }).on('line', (line) => {
  addon.exports(line);
  process.stdout.write('done\\n');
});
`;

/** The native text of a Node process in which JavaScript is traced too. */
export async function joinedNative(t: Cleanup): Promise<Machine> {
  const sandbox = new Sandbox(t);
  const addon = join(sandbox.folder, 'driver.node');
  execFileSync('gcc', [...OBJECT, '-o', addon, sandbox.file('driver.c', `${NATIVE_OBEY}${ADDON_DRIVER}`)]);
  const child = await sandbox.start(ADDON_PROGRAM, { FENTRY: 'native', ADDON: addon });
  const files = sandbox.client(child.pid);
  return { pid: child.pid, sandbox, files, ...nativeDriver(sandbox, files, teller(child)) };
}

/** What every test of the contract finds: nothing is on. */
const NOTHING_ON: readonly (readonly [file: string, text: string])[] = [
  ['current_tracer', 'nop'],
  ['stack_tracer_enabled', '0'],
  ['stack_trace_filter', ''],
  ['set_ftrace_filter', ''],
  ['set_graph_function', ''],
  ['max_graph_depth', '0'],
  ...['raw', 'sym-addr', 'func_stack_trace'].map((option) => [`options/${option}`, '0'] as const),
  ['snapshot', '0'],
  ['trace', ''],
];

/** One process for several tests, each of which finds nothing switched on. A file is loaded once. */
export function shared(start: (t: Cleanup) => Promise<Machine>) {
  let started: Promise<Machine> | undefined;
  const ends: (() => void | Promise<void>)[] = [];
  const loaded = new Set<string>();
  return {
    async start(): Promise<Machine> {
      started ??= start({ after: (run) => void ends.push(run) });
      const machine = await started;
      for (const [file, text] of NOTHING_ON) await machine.files.write(file, text);
      return {
        ...machine,
        async load(program, file) {
          if (!loaded.has(file)) await machine.load(program, file);
          loaded.add(file);
        },
      };
    },
    async end(): Promise<void> {
      for (const end of ends) await end();
    },
  };
}

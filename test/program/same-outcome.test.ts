import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { FENTRY, run, testFile } from '../support/program.js';

/**
 * Each program under fixtures/ does what a tracer inside its threads easily disturbs; its first line says what. It must print the
 * same, and end the same way, without fentry and under each of these.
 */
const TRACED = {
  idle: '',
  function: 'ftrace=function',
  'function_graph with arguments and results': 'ftrace=function_graph trace_options=funcgraph-args,funcgraph-retval,func-args',
  irqsoff: 'ftrace=irqsoff',
  preemptoff: 'ftrace=preemptoff',
  wakeup: 'ftrace=wakeup',
  'all events': 'trace_event=*:*',
  'contexts as tasks': 'ftrace=function trace_options=async-context,func_stack_trace',
} as const;

/** What sees nextTicks of fentry's, as docs/limitations.md says. */
const NOT_UNDER: Readonly<Record<string, readonly string[]>> = { 'async-hooks.cjs': ['irqsoff'] };

const folder = testFile('program/fixtures');
const programs = readdirSync(folder).filter((name) => /\.m?c?js$/.test(name));
/** `--import` loads the main file in another way, which hooks see. */
const PLAIN = ['--import', 'data:text/javascript,'];
/**
 * The events of async contexts need an async hook, and with any such hook Node gives promises ids, which the program's hooks see.
 * Those of module.import need a subscriber of its channels, and with any Node's loader has other promises.
 */
const HOOK = `import { createHook } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
createHook({ init() {}, before() {}, after() {}, promiseResolve() {} }).enable();
subscribe('tracing:module.import:start', () => {});`;
const HOOKED: Readonly<Record<string, readonly string[]>> = {
  'all events': ['--import', `data:text/javascript,${encodeURIComponent(HOOK)}`],
};

describe('programs behave the same under every tracer', { concurrency: 2 }, () => {
  for (const program of programs) {
    test(program, async () => {
      const path = `${folder}/${program}`;
      const unhooked = await run(path, { flags: PLAIN });
      assert.notEqual(unhooked.stdout, '', unhooked.stderr);
      for (const [name, parameters] of Object.entries(TRACED)) {
        if (NOT_UNDER[program]?.includes(name)) continue;
        const plain = HOOKED[name] === undefined ? unhooked : await run(path, { flags: HOOKED[name] });
        const traced = await run(path, { flags: ['--import', FENTRY], env: { FENTRY: parameters } });
        assert.deepEqual([traced.stdout, traced.status], [plain.stdout, plain.status], `${name}\n${traced.stderr}`);
      }
    });
  }
});

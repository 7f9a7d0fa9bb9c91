// A `function` event of a filtered function: finding its caller takes a stack capture, which the option noprint-parent spares.
// With func_stack_trace the whole stack is captured and recorded.
import { fileURLToPath } from 'node:url';
import { FENTRY, output } from './lib/child.mjs';
import { verdict } from './lib/verdict.mjs';

const PROGRAM = fileURLToPath(new URL('./fixtures/filtered-calls.cjs', import.meta.url));

/** Nanoseconds a call with these start-up parameters. */
const call = (parameters) =>
  Number(output(process.execPath, ['--import', FENTRY, PROGRAM], { env: { ...process.env, FENTRY: parameters } }));

const untraced = call('');
const cheap = call('ftrace=function ftrace_filter=callee trace_options=noprint-parent') - untraced;
const whole = call('ftrace=function ftrace_filter=callee') - untraced;
verdict({
  name: 'filtered event with its caller',
  ratio: whole / cheap,
  target: 'at most 5',
  detail: `${(whole / 1000).toFixed(2)} µs, with noprint-parent ${cheap.toFixed(0)} ns; the untraced call subtracted`,
});
const stacks = call('ftrace=function ftrace_filter=callee trace_options=noprint-parent,func_stack_trace') - untraced;
verdict({
  name: 'filtered event with its stack',
  ratio: stacks / cheap,
  detail: `${(stacks / 1000).toFixed(2)} µs, without ${cheap.toFixed(0)} ns; the untraced call subtracted`,
});

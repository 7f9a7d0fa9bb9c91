import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import type { TraceClient } from '../../src/client/trace-client.js';
import { processMaps } from '../../src/native/process/process-maps.js';
import { Sandbox, until } from '../e2e/support/program.js';
import { asked, hosted, isAsInFile, noCompiler, ready, recorded } from '../native/native-machine.js';
import { ALL_RIGHT, COUNTED, NATIVE_PROGRAM } from './native-program.js';

/** How often it is attached: as `npm run soak` asks for; each arms ten times. */
const ATTACHES = Number(process.env['SOAK_ATTACHES'] ?? 4);
const OPTIONS = ['-fpatchable-function-entry=5'];

/** Records of the counted calls. */
const COUNTED_BY = [
  ['function', COUNTED],
  ['function_graph', 2 * COUNTED],
] as const;

/** What is traced in turn: each is armed once and disarmed once. */
const PLANS = [
  ['function', 'deeper check'],
  ['function_graph', 'deeper counted jumps'],
  ['function', 'deeper jump handle resume leave'],
  ['function_graph', 'nap polls waits reads writes'],
  ['function', 'deeper counted waits'],
  ['function_graph', 'deeper jump jumps'],
  ['function_graph', 'deeper jumps resume leave handle'],
] as const;

/** Has the program make its counted calls. */
type Ask = () => Promise<string>;

/** Ten times. The counted calls come first: of calls that are open when a plan changes, the end may be recorded later. */
async function armAndDisarm(files: TraceClient, ask: Ask): Promise<void> {
  await files.write('set_ftrace_filter', 'counted');
  for (const [tracer, events] of COUNTED_BY) {
    await files.write('current_tracer', tracer);
    assert.equal(await ask(), ALL_RIGHT);
    await until(async () => (await recorded(files)) >= events, 'all calls are counted');
    assert.equal(await recorded(files), events);
    await files.write('current_tracer', 'nop');
  }
  for (const [tracer, functions] of PLANS) {
    await files.write('set_ftrace_filter', functions);
    await files.write('current_tracer', tracer);
    await files.write('current_tracer', 'nop');
  }
  // What is armed last is what the detaching finds.
  await files.write('current_tracer', 'function_graph');
}

describe('a native program under soak', { skip: noCompiler }, () => {
  it(`is attached to ${ATTACHES} times and armed ${10 * ATTACHES} times: its results are right, its mappings bounded`, async (t) => {
    const program = await ready(t, NATIVE_PROGRAM, OPTIONS);
    const { pid } = program;
    const sandbox = new Sandbox(t);
    const ask: Ask = () => asked(program, '');
    const before = processMaps(pid).length;
    let most = 0;
    for (let i = 0; i < ATTACHES; i++) {
      const host = await hosted(sandbox, pid);
      const files = sandbox.client(pid);
      await armAndDisarm(files, ask);
      await files.write('attached', '0');
      if (host.exitCode === null) await once(host, 'exit');
      assert.ok(isAsInFile(pid));
      assert.equal(await ask(), ALL_RIGHT);
      most = Math.max(most, processMaps(pid).length - before);
    }
    assert.ok(most <= MOST_MAPPINGS, `${most} mappings more`);
    assert.equal(program.child.exitCode, null);
  });
});

/** Code, data and rings of three attaches: memory to which a thread may still come is not used again. */
const MOST_MAPPINGS = 30;

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

const TRACEPOINT = JSON.stringify(new URL('../../../dist/tracepoint.cjs', import.meta.url).pathname);

/** Calls a function with a short and a long text, and gives both to an event of its own. */
const PROGRAM = `
const { string, traceEvent } = require(${TRACEPOINT});
const said = traceEvent('app', 'said', { args: ['text'], fields: { text: string((text) => text) }, print: '"text=%s", __get_str(text)' });
function say(text) { said(text); return text; }
setInterval(() => { say('a'.repeat(10)); say('b'.repeat(100_000)); }, 20);
`;

/** The lengths of the texts of a letter in the trace: in events, and in arguments and results. */
async function lengths(sandbox: Sandbox, letter: string): Promise<{ readonly event: number; readonly value: number }> {
  const { stdout } = await sandbox.fentry('cat', 'trace');
  const event = new RegExp(` said: text=(${letter}+)`).exec(stdout)?.[1] ?? '';
  const value = new RegExp(`: say\\([^)]*?"(${letter}+)`).exec(stdout)?.[1] ?? '';
  return { event: event.length, value: value.length };
}

test('max_text_size chooses how long recorded texts are, up to what fits into a page', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(PROGRAM, { FENTRY: 'ftrace=function ftrace_filter=say trace_options=func-args trace_event=app:said' });
  const find = async (letter: string, event: number, value: number): Promise<void> => {
    await sandbox.fentry('write', 'trace', '');
    let found = { event: 0, value: 0 };
    const isFound = async (): Promise<boolean> => {
      found = await lengths(sandbox, letter);
      return found.event !== 0 && found.value !== 0;
    };
    await until(isFound, `texts of ${letter}`);
    assert.deepEqual(found, { event, value });
  };
  // As it is by itself.
  await find('a', 10, 10);
  await find('b', 3071, 40);
  assert.equal(await sandbox.read('max_text_size'), '0\n');
  await sandbox.fentry('write', 'max_text_size', '10');
  await find('a', 10, 10);
  await find('b', 10, 10);
  await sandbox.fentry('write', 'max_text_size', '3072');
  await find('b', 3071, 240);
  const refused = await sandbox.fentry('write', 'max_text_size', '100000');
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /must be from 0 to 3072/);
  await sandbox.fentry('write', 'max_text_size', '0');
  await find('b', 3071, 40);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TraceError } from '../base/errno.js';
import { writeFile } from './write-file.js';

const BLOCKED = 'cpu 0 (thread 1) is blocked: the change takes effect there as soon as it runs again';

test('that a thread is blocked is printed once, not for each file that is written', async (t) => {
  const { mock } = t.mock.method(process.stderr, 'write', () => true);
  const fails = async (): Promise<void> => {
    throw new TraceError('ETIMEDOUT', BLOCKED);
  };
  const client = { write: fails, append: fails };
  await writeFile(client, 'tracing_on', '0');
  await writeFile(client, 'current_tracer', 'nop');
  await writeFile(client, 'set_ftrace_filter', 'handle', true);
  const printed = mock.calls.map(({ arguments: [text] }) => text);
  mock.restore();
  assert.deepEqual(printed, [`fentry: ${BLOCKED}\n`]);
});

test('an error says which file and which word', async () => {
  const fails = async (): Promise<void> => {
    throw new TraceError('EINVAL', 'Invalid argument');
  };
  await assert.rejects(writeFile({ write: fails, append: fails }, 'current_tracer', 'nope'), {
    message: "writing 'nope' to current_tracer: Invalid argument",
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERRNO, TraceError } from '../../src/base/errno.js';
import {
  O_WRONLY_APPEND,
  O_WRONLY_TRUNC,
  type OpenFlags,
  type TraceDirectory,
  type TraceFile,
} from '../../src/control/tracefs/node.js';
import { lookup } from '../../src/control/tracefs/path.js';
import { readFrom } from '../../src/control/tracefs/read-write.js';
import { createTracefs } from '../../src/control/tree/tracefs.js';
import { kernelProcess } from './kernel-process.js';

const GOLDEN = new URL('../../../test/parity/golden/random-lines.txt', import.meta.url);
const EVENT = 'events/sched/sched_pi_setprio';
const FILES: Readonly<Record<string, string>> = {
  F: `${EVENT}/filter`,
  T: `${EVENT}/trigger`,
  H: `${EVENT}/trigger`,
  S: 'synthetic_events',
};
const CALLER = { pid: 4711, comm: 'bash' };

test('random lines in filter, trigger and synthetic_events have the effects and errors that they have in Linux', async () => {
  const root = createTracefs(kernelProcess());
  const facts = readFileSync(GOLDEN, 'utf8').split(/^--- /m).slice(1);
  assert.ok(facts.length > 500);
  for (const fact of facts) {
    const end = fact.indexOf('\n');
    const line = fact.slice(0, end);
    const file = FILES[line[0]!]!;
    await write(root, 'error_log', '', O_WRONLY_TRUNC);
    const refused = await write(root, file, `${line.slice(1)}\n`, O_WRONLY_APPEND);
    const log = (await readFrom(root, 'error_log')).replaceAll(/^\[ *\d+\.\d+\] /gm, '');
    assert.equal(`${refused}\n${await readFrom(root, file)}${log}`, fact.slice(end + 1), line);
    await undo(root, file);
  }
});

/** Writes to a file; returns the message of the errno that refuses it. */
async function write(root: TraceDirectory, path: string, text: string, flags: OpenFlags): Promise<string> {
  const handle = await fileOf(root, path).open(flags, CALLER);
  try {
    if (text !== '') await handle.write(Buffer.from(text));
    return '';
  } catch (error) {
    assert.ok(error instanceof TraceError, String(error));
    return ERRNO[error.errno][1];
  } finally {
    await handle.release();
  }
}

function fileOf(root: TraceDirectory, path: string): TraceFile {
  const node = lookup(root, path);
  assert.ok(node.kind === 'file');
  return node;
}

async function undo(root: TraceDirectory, file: string): Promise<void> {
  await write(root, file, file.endsWith('filter') ? '0\n' : '', O_WRONLY_TRUNC);
  if (!file.endsWith('trigger')) return;
  for (const left of (await readFrom(root, file)).split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    await write(root, file, `!${left}\n`, O_WRONLY_APPEND);
  }
}

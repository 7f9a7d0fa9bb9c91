import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { until } from '../../../test/e2e/support/program.js';
import { LocalProcess } from '../addon/local-process.js';
import { ProcessMemory } from '../process/process-memory.js';
import { RemoteCaller } from '../process/remote-calls.js';
import { threadPosition } from '../process/tasks.js';
import { start } from '../testing/programs.js';
import { SharedPages } from './shared-pages.js';
import { mapTargetMemory } from './target-memory.js';

/** The system call that `cat` waits in. */
const READ = 0;
const skip = process.arch === 'x64' ? false : 'the stubs are of x86-64';

describe('memory for tracing in another process', { skip }, () => {
  it('is seen by both: what one writes, the other one reads', async (t) => {
    const { pid } = start(t, 'cat');
    await until(() => threadPosition(pid, pid)?.call?.nr === READ, 'it reads');
    const files = readdirSync(`/proc/${pid}/fd`);
    const memory = new ProcessMemory(pid);
    const target = mapTargetMemory(memory, new RemoteCaller(memory), { bytes: 1 << 20, zeroBytes: 1 << 20 });
    // Nothing is left open there.
    await until(() => readdirSync(`/proc/${pid}/fd`).length === files.length, 'the file is closed there');
    const pages = new SharedPages(new LocalProcess(), target.fd, target.shared);
    const [first, second] = [pages.allocate(100_000), pages.allocate(10)];
    assert.deepEqual([first.byteLength, second.byteLength], [131_072, 65_536]);
    assert.equal(pages.addressOf(new SharedArrayBuffer(8)), undefined);
    new Uint8Array(second).set([7, 8, 9], 3);
    assert.deepEqual([...memory.read(pages.addressOf(second)!, 7)], [0, 0, 0, 7, 8, 9, 0]);
    memory.write(pages.addressOf(first)! + 100_000, Uint8Array.of(5));
    assert.equal(new Uint8Array(first)[100_000], 5);
    for (const { start: address } of [target.data, ...target.code]) {
      memory.write(address, Uint8Array.of(1));
      assert.deepEqual([...memory.read(address, 2)], [1, 0]);
    }
  });
});

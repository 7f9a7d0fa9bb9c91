import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRingBuffer } from './create-ring-buffer.js';
import { RingBufferReader } from './reader.js';
import { RingBufferWriter } from './writer.js';

/** Bytes of the payload of a line `mark 0000` in trace_marker: common fields, ip, text, new line, two bytes more. */
const MARK_BYTES = 28;

interface Step {
  readonly write?: number;
  readonly read?: number;
  /** At most so many pages; `commits` are the commit fields of those that there were. */
  readonly readPages?: number;
  readonly commits?: readonly bigint[];
  readonly resizeKb?: number;
  readonly clear?: true;
}
type Counters = readonly [entries: number, overrun: number, bytes: number, dropped: number, read: number];

/**
 * What Linux 6.1 (one CPU, trace_clock counter, buffer_size_kb 8) showed in per_cpu/cpu0/stats after each step, when a script
 * wrote to trace_marker, read trace_pipe and trace_pipe_raw, changed buffer_size_kb and cleared `trace`.
 */
const KERNEL: Readonly<Record<'overwrite' | 'nooverwrite', readonly (readonly [Step, Counters])[]>> = {
  overwrite: [
    [{ write: 50 }, [50, 0, 1600, 0, 0]],
    [{ write: 350 }, [273, 127, 8768, 0, 0]],
    [{ read: 9 }, [264, 127, 8480, 0, 9]],
    [{ write: 300 }, [437, 254, 14032, 0, 9]],
    [{ read: 38 }, [399, 254, 12816, 0, 47]],
    [{ readPages: 1, commits: [0xa10n] }, [319, 254, 10240, 0, 127]],
    [{ readPages: 1, commits: [0xffffffffc0000fe0n] }, [192, 254, 6160, 0, 254]],
    [{ write: 20 }, [212, 254, 6800, 0, 254]],
    [{ readPages: 9, commits: [0xfe0n, 0xaa0n] }, [0, 254, 0, 0, 466]],
    [{ write: 10 }, [10, 254, 320, 0, 466]],
    [{ readPages: 9, commits: [0x140n] }, [0, 254, 0, 0, 476]],
    [{ write: 770 }, [389, 635, 12496, 0, 476]],
    [{ resizeKb: 20 }, [389, 635, 12496, 0, 476]],
    [{ write: 100 }, [489, 635, 15712, 0, 476]],
    [{ resizeKb: 8 }, [362, 762, 11632, 0, 476]],
    [{ readPages: 9, commits: [0x410n, 0xffffffffc0000fe0n, 0xfe0n, 0x980n] }, [0, 762, 0, 0, 838]],
    [{ clear: true }, [0, 0, 0, 0, 0]],
    [{ write: 3 }, [3, 0, 96, 0, 0]],
  ],
  nooverwrite: [
    [{ write: 50 }, [50, 0, 1600, 0, 0]],
    [{ write: 350 }, [381, 0, 12240, 19, 0]],
    [{ read: 9 }, [372, 0, 11952, 19, 9]],
    [{ write: 300 }, [499, 0, 16032, 192, 9]],
    [{ read: 38 }, [461, 0, 14816, 192, 47]],
    [{ readPages: 1, commits: [0xa10n] }, [381, 0, 12240, 192, 127]],
    [{ readPages: 1, commits: [0xfe0n] }, [254, 0, 8160, 192, 254]],
    [{ write: 20 }, [274, 0, 8800, 192, 254]],
    [{ readPages: 9, commits: [0xff0n, 0xff0n, 0x280n] }, [0, 0, 0, 192, 528]],
    [{ write: 10 }, [10, 0, 320, 192, 528]],
    [{ readPages: 9, commits: [0x140n] }, [0, 0, 0, 192, 538]],
    [{ write: 770 }, [478, 0, 15360, 484, 538]],
    [{ resizeKb: 20 }, [478, 0, 15360, 484, 538]],
    [{ write: 100 }, [578, 0, 18560, 484, 538]],
    [{ resizeKb: 8 }, [451, 127, 14480, 484, 538]],
    [{ readPages: 9, commits: [0xc30n, 0xffffffffc0000fe0n, 0xff0n, 0xc80n] }, [0, 127, 0, 484, 989]],
    [{ clear: true }, [0, 0, 0, 0, 0]],
    [{ write: 3 }, [3, 0, 96, 0, 0]],
  ],
};

for (const [mode, steps] of Object.entries(KERNEL)) {
  test(`stats and raw pages are the kernel's, ${mode}`, () => {
    const memory = createRingBuffer(8 * 1024, 4096, { overwrite: mode === 'overwrite' });
    const writer = new RingBufferWriter(memory);
    const reader = new RingBufferReader(memory);
    let ts = 0;
    for (const [step, counters] of steps) {
      for (let i = step.write ?? 0; i > 0; i--) {
        if (writer.reserve(MARK_BYTES, ++ts) >= 0) writer.commit();
      }
      for (let i = step.read ?? 0; i > 0; i--) {
        assert.ok(reader.peek());
        reader.consume();
      }
      if (step.readPages !== undefined) assert.deepEqual(readPages(reader, step.readPages), step.commits);
      if (step.resizeKb !== undefined) {
        const target = createRingBuffer(step.resizeKb * 1024);
        reader.expectMove(target);
        assert.ok(writer.moveTo(target));
      }
      if (step.clear) reader.clear();
      const { entries, overrun, bytes, droppedEvents, readEvents } = reader.stats(ts);
      assert.deepEqual(
        [entries, overrun, bytes, droppedEvents, readEvents],
        counters,
        JSON.stringify(step, (_, value) => String(value)),
      );
    }
  });
}

function readPages(reader: RingBufferReader, most: number): bigint[] {
  const page = new Uint8Array(reader.subbufBytes);
  const commits: bigint[] = [];
  while (commits.length < most && reader.readPage(page)) commits.push(new DataView(page.buffer).getBigUint64(8, true));
  return commits;
}

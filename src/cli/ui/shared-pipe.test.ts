import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PipeReader, SharedPipe } from './shared-pipe.js';

/** A file whose bytes a test gives, and that tells how often it is open. */
class Pipe {
  open = 0;
  opened = 0;
  #give: ((bytes: Uint8Array | undefined) => void) | undefined;

  async *follow(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    this.open++;
    this.opened++;
    try {
      for (;;) {
        const closed = once(signal, 'abort').then(() => undefined);
        const given = new Promise<Uint8Array | undefined>((resolve) => {
          this.#give = resolve;
        });
        const bytes = await Promise.race([given, closed]);
        if (bytes === undefined) return;
        yield bytes;
      }
    } finally {
      this.open--;
    }
  }

  async give(text: string | undefined): Promise<void> {
    this.#give?.(text === undefined ? undefined : Buffer.from(text));
    await sleep(1);
  }
}

function reader(): PipeReader & { text: string; isEnded: boolean } {
  return {
    text: '',
    isEnded: false,
    take(lines) {
      this.text += lines;
    },
    end() {
      this.isEnded = true;
    },
  };
}

test('each reader of a pipe gets all lines, whole, and the last one closes it', async () => {
  const pipe = new Pipe();
  const shared = new SharedPipe((signal) => pipe.follow(signal));
  const [one, other] = [reader(), reader()];
  const ends = [shared.follow(one), shared.follow(other)];
  await sleep(1);
  await pipe.give('a\nb');
  await pipe.give('b\n');
  assert.deepEqual([one.text, other.text, pipe.open], ['a\nbb\n', 'a\nbb\n', 1]);
  ends[0]!();
  await pipe.give('c\n');
  assert.deepEqual([one.text, other.text], ['a\nbb\n', 'a\nbb\nc\n']);
  ends[1]!();
  await sleep(1);
  assert.equal(pipe.open, 0);
});

test('a pipe is closed while something is done without it, and ends with its file', async () => {
  const pipe = new Pipe();
  const shared = new SharedPipe((signal) => pipe.follow(signal));
  const one = reader();
  shared.follow(one);
  await sleep(1);
  assert.equal(await shared.without(async () => pipe.open), 0);
  await sleep(1);
  assert.deepEqual([pipe.open, pipe.opened], [1, 2]);
  await assert.rejects(
    shared.without(async () => {
      throw new Error('refused');
    }),
    /refused/,
  );
  await sleep(1);
  await pipe.give('a\n');
  await pipe.give(undefined);
  assert.deepEqual([one.text, one.isEnded, pipe.open], ['a\n', true, 0]);
});

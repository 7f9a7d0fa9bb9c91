import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TraceError } from '../../base/errno.js';
import { O_RDONLY, O_WRONLY_APPEND, O_WRONLY_TRUNC } from './node.js';
import { wordsFile } from './words-file.js';

const caller = { pid: 1, comm: 'sh' };

/** A file that keeps its words and refuses `bad`. */
function listFile(list: string[]) {
  return wordsFile({
    mode: 0o640,
    show: () => `${list.join('\n')}\n`,
    edit(truncate) {
      const words = truncate ? [] : [...list];
      return {
        word(text) {
          if (text === 'bad') throw new TraceError('EINVAL');
          words.push(text);
        },
        close: (last) => void list.splice(0, list.length, ...words, ...(last === '' || last === 'bad' ? [] : [last])),
      };
    },
  });
}

async function written(list: string[], flags: typeof O_WRONLY_TRUNC, ...writes: readonly string[]): Promise<string[]> {
  const handle = await listFile(list).open(flags, caller);
  for (const text of writes) await handle.write(Buffer.from(text));
  await handle.release();
  return list;
}

test('words end at white space, wherever the writes cut them', async () => {
  assert.deepEqual(await written([], O_WRONLY_TRUNC, 'one two\nth', 'ree', ' fo', 'ur'), ['one', 'two', 'three', 'four']);
  const cut = Buffer.from('größe ');
  const handle = await listFile([]).open(O_WRONLY_TRUNC, caller);
  for (const byte of cut) await handle.write(Uint8Array.of(byte));
  await handle.release();
});

test('nothing takes effect before the file is closed', async () => {
  const list = ['old'];
  const handle = await listFile(list).open(O_WRONLY_TRUNC, caller);
  await handle.write(Buffer.from('new\n'));
  assert.deepEqual(list, ['old']);
  await handle.release();
  assert.deepEqual(list, ['new']);
});

test('>> keeps what was there', async () => {
  assert.deepEqual(await written(['old'], O_WRONLY_APPEND, 'new\n'), ['old', 'new']);
});

test('a refused word fails its write; the words before it hold', async () => {
  const list: string[] = [];
  const handle = await listFile(list).open(O_WRONLY_TRUNC, caller);
  await assert.rejects(async () => handle.write(Buffer.from('one bad two\n')), { errno: 'EINVAL' });
  await handle.release();
  assert.deepEqual(list, ['one']);
});

test('the error of a word that only the closing ends is lost', async () => {
  assert.deepEqual(await written([], O_WRONLY_TRUNC, 'one bad'), ['one']);
});

test('a word of no end is refused, and forgotten; the words before it hold', async () => {
  const list: string[] = [];
  const handle = await listFile(list).open(O_WRONLY_TRUNC, caller);
  await handle.write(Buffer.from(`${'x'.repeat(669)} `));
  await assert.rejects(async () => handle.write(Buffer.from(`one ${'x'.repeat(670)}`)), { errno: 'EINVAL' });
  await handle.release();
  assert.deepEqual(list, ['x'.repeat(669), 'one']);
});

test('an open file shows one text however it is read', async () => {
  const list = ['one', 'two'];
  const handle = await listFile(list).open(O_RDONLY, caller);
  let text = '';
  for (;;) {
    const bytes = await handle.read(3);
    if (bytes.length === 0) break;
    text += Buffer.from(bytes).toString();
    list.push('later');
  }
  assert.equal(text, 'one\ntwo\n');
});

test('a flush before the first write is the shell closing its spare descriptor: it ends nothing', async () => {
  const list = ['old'];
  const handle = await listFile(list).open(O_WRONLY_TRUNC, caller);
  await handle.flush?.();
  assert.deepEqual(list, ['old']);
  await handle.write(Buffer.from('new\n'));
  await handle.release();
  assert.deepEqual(list, ['new']);
});

test('a flush after a write takes effect, and what is written after it goes on in the same word', async () => {
  const list = ['old'];
  const handle = await listFile(list).open(O_WRONLY_TRUNC, caller);
  await handle.write(Buffer.from('one tw'));
  await handle.flush?.();
  assert.deepEqual(list, ['one', 'tw']);
  await handle.write(Buffer.from('o three'));
  await handle.flush?.();
  await handle.release();
  assert.deepEqual(list, ['one', 'two', 'three']);
});

test('a file that is open for both can be read from any place while it is written', async () => {
  const list = ['old'];
  const handle = await listFile(list).open({ ...O_WRONLY_TRUNC, read: true }, caller);
  const textFrom = async (offset: number): Promise<string> => {
    handle.seek?.(offset);
    return Buffer.from(await handle.read(100)).toString();
  };
  assert.equal(await textFrom(0), 'old\n');
  await handle.write(Buffer.from('new\n'));
  assert.deepEqual([await textFrom(2), await textFrom(99), await textFrom(0)], ['d\n', '', 'old\n']);
  await handle.release();
  assert.deepEqual(list, ['new']);
});

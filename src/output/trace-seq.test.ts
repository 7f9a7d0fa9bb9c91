import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storedText } from './stored-text.js';
import { TraceSeq } from './trace-seq.js';

const written = (write: (seq: TraceSeq) => void): string => {
  const seq = new TraceSeq();
  write(seq);
  return seq.toString();
};

test('decimals print like %d at every number of digits', () => {
  for (let digits = 1; digits <= 15; digits++) {
    for (const n of [10 ** (digits - 1), 10 ** digits - 1, Math.floor(1.23456789 * 10 ** (digits - 1))]) {
      assert.equal(
        written((seq) => seq.decimal(n)),
        String(n),
      );
    }
  }
  assert.equal(
    written((seq) => seq.decimal(0)),
    '0',
  );
  assert.equal(
    written((seq) => seq.decimal(Number.MAX_SAFE_INTEGER)),
    '9007199254740991',
  );
  assert.equal(
    written((seq) => seq.decimal(-5, 4)),
    '  -5',
  );
});

test('widths and pads are those of printf', () => {
  assert.equal(
    written((seq) => seq.decimal(42, 5)),
    '   42',
  );
  assert.equal(
    written((seq) => seq.decimal(42, 5, 0x30)),
    '00042',
  );
  assert.equal(
    written((seq) => seq.decimal(123456, 3)),
    '123456',
  );
  assert.equal(
    written((seq) => seq.hex(255, 4)),
    '00ff',
  );
  assert.equal(
    written((seq) => seq.hex64(0xffffffff, 0x81000000)),
    'ffffffff81000000',
  );
});

test('it grows, and encodes text beyond ASCII', () => {
  const long = 'ä€😀x'.repeat(30000);
  assert.equal(
    written((seq) => seq.text(long)),
    long,
  );
  assert.equal(
    written((seq) => {
      for (let i = 0; i < 70000; i++) seq.byte(0x61);
    }),
    'a'.repeat(70000),
  );
});

test('stored texts of every length follow each other, also where the line has to grow', () => {
  const texts = ['', 'a', 'bc', 'def', 'ghij', 'klmno', 'pä€', '😀x'];
  const seq = new TraceSeq(8);
  for (const text of texts) seq.put(storedText(text));
  seq.spaces(5);
  seq.triple(7);
  seq.decimal(42);
  assert.equal(seq.toString(), `${texts.join('')}     00742`);
});

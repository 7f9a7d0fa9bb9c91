import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TraceError } from '../../base/errno.js';
import { ElfFile } from '../elf/elf-file.js';
import { symbolAddresses } from '../elf/symbols.js';
import { testFolder } from '../testing/programs.js';
import { without } from '../testing/toolchain.js';
import { disassembleFunction, listedFile } from './listed-objects.js';
import { sourceHeads } from './source-heads.js';

const SOURCE = `#include <stdio.h>
int sum(int a, int b) {
  int c = a + b;
  puts("sum");
  return c;
}
int main(int count, char **words) { return sum(count, 1) == 2; }
`;

const HEADS = [2, 3, 4, 5].map((line) => `shop.c:${line}  ${SOURCE.split('\n')[line - 1]}`);

function compiled(t: TestContext, compiler: string, options: readonly string[]): string {
  const folder = testFolder(t);
  writeFileSync(join(folder, 'shop.c'), SOURCE);
  execFileSync(compiler, ['-O0', ...options, '-o', 'shop', 'shop.c'], { cwd: folder });
  return join(folder, 'shop');
}

for (const [compiler, options] of [
  ['gcc', ['-gdwarf-4']],
  ['gcc', ['-gdwarf-5']],
  ['gcc', ['-gdwarf-5', '-gz=zlib']],
  ['clang', ['-gdwarf-4']],
  ['clang', ['-gdwarf-5']],
] as const) {
  test(`the source of a function: ${compiler} ${options.join(' ')}`, { skip: without(compiler) }, async (t) => {
    const file = compiled(t, compiler, options);
    const listing = await disassembleFunction([listedFile(file)], 'sum', undefined, { withSource: true });
    const heads = [...new Set(listing.match(/^shop\.c:\d+.*$/gm))];
    assert.deepEqual(heads.slice(0, 4), HEADS);
  });
}

for (const option of ['--strip-debug', '--strip-all']) {
  test(`the source of a function, from a separate file: ${option}`, { skip: without('gcc', 'objcopy') }, async (t) => {
    const file = compiled(t, 'gcc', ['-g', '-rdynamic']);
    const debug = `${file}.debug`;
    execFileSync('objcopy', ['--only-keep-debug', '--compress-debug-sections', file, debug]);
    execFileSync('objcopy', [option, `--add-gnu-debuglink=${debug}`, file]);
    const listing = await disassembleFunction([listedFile(file)], 'sum', undefined, { withSource: true });
    assert.deepEqual([...new Set(listing.match(/^shop\.c:\d+.*$/gm))].slice(0, 4), HEADS);
  });
}

test('an object without lines, and tables with wrong bytes, are refused with a reason', { skip: without('gcc') }, async (t) => {
  const plain = compiled(t, 'gcc', ['-g0']);
  await assert.rejects(disassembleFunction([listedFile(plain)], 'sum', undefined, { withSource: true }), {
    errno: 'ENOENT',
    message: /shop has no lines \(\.debug_line\): it was compiled without -g, and no file with them is installed$/,
  });
  const file = compiled(t, 'gcc', ['-gdwarf-5']);
  const bytes = readFileSync(file);
  const elf = new ElfFile(bytes, file);
  const { offset, size } = elf.section('.debug_line')!;
  const sum = symbolAddresses(elf).get('sum')!;
  let refused = 0;
  for (let at = 0; at < size; at++) {
    for (const value of [0, 0x7f, 0xff]) {
      const before = bytes[offset + at]!;
      bytes[offset + at] = value;
      try {
        sourceHeads(elf, sum, sum + 32);
      } catch (error) {
        assert.ok(error instanceof TraceError, String(error));
        assert.match(error.message, /\.debug_line is damaged: .* at 0x[\da-f]+$/);
        refused++;
      }
      bytes[offset + at] = before;
    }
  }
  assert.ok(refused > 0);
});

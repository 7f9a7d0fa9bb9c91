import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECTION_FLAG } from '../elf/elf-file.js';
import { processAbi as arm64 } from '../machines/arm64/process-abi.js';
import { processAbi as x86 } from '../machines/x86-64/process-abi.js';
import { compileText, without } from '../testing/toolchain.js';

/** Static programs of C libraries, and what finds where they set the thread pointer. */
const PROGRAMS = [
  ['x64', 'gcc', ['-static'], x86],
  ['x64', 'gcc', ['-static-pie'], x86],
  ['x64', 'musl-gcc', ['-static'], x86],
  ['arm64', process.arch === 'arm64' ? 'gcc' : 'aarch64-linux-gnu-gcc', ['-static'], arm64],
] as const;

for (const [machine, compiler, options, abi] of PROGRAMS) {
  const isOther = machine === 'x64' && process.arch !== 'x64';
  const skip = isOther ? 'its compilers make no code for x86-64' : without(compiler);
  test(`one place sets the thread pointer: ${compiler} ${options.join(' ')}`, { skip }, (t) => {
    const elf = compileText(t, '#include <stdio.h>\nint main(void) { return puts("hello"); }', [compiler, ...options]);
    const text = elf.sections.filter(({ flags }) => (flags & SECTION_FLAG.execute) !== 0);
    assert.equal(text.flatMap((section) => abi.threadPointerSet(elf.contents(section))).length, 1);
  });
}

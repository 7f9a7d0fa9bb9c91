import { ARM64 } from '../../machines/arm64/machine.js';
import { without } from '../../testing/toolchain.js';
import { ARM64_GCC, ARM64_RUN } from './code-runner.js';
import type { Platform } from './traced-program.js';

const isOwn = process.arch === 'arm64';

/** Programs for arm64, which qemu-aarch64 runs where this is none. */
export const ARM64_PLATFORM: Platform = {
  machine: ARM64,
  c: ARM64_GCC,
  cpp: isOwn ? 'g++' : 'aarch64-linux-gnu-g++',
  nm: isOwn ? 'nm' : 'aarch64-linux-gnu-nm',
  // Within 128 MiB of the code.
  link: ['-Wl,-Ttext-segment=0x61000000'],
  run: isOwn ? [] : [...ARM64_RUN, '-L', '/usr/aarch64-linux-gnu'],
};

/** Why there is none; false if there is. */
export const withoutArm64 = without(ARM64_PLATFORM.c, ARM64_PLATFORM.cpp, ARM64_PLATFORM.nm, ...ARM64_RUN);

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalProcess } from '../../addon/local-process.js';
import type { PortableAssembler } from '../../machine/assembler.js';
import { MACHINES } from '../../machines/machines.js';
import { place } from './placed-code.js';

/** Runs emitted code on memory that a test has too. */
export interface CodeRunner {
  /** Puts code where it can be called; returns what `emit` does. */
  place<T>(emit: (code: PortableAssembler) => T): T;
  /** The address of memory, which the code shares from here on. */
  addressOf(memory: ArrayBufferLike): number;
  /**
   * Calls a function with up to four integers or addresses, and with an argument's bytes in the place of `bytes`; at the latest
   * at the next `flush`.
   */
  call(address: number, args: readonly (number | Uint8Array)[], done: (result: bigint) => void): void;
  /** What was called has ended, and what it did to the memory is there. */
  flush(): void;
}

/** Runs code of x86-64 in this process. */
export class LocalRunner implements CodeRunner {
  readonly #local = new LocalProcess();
  readonly #bytes = new Uint8Array(new SharedArrayBuffer(4096));

  place<T>(emit: (code: PortableAssembler) => T): T {
    return place(this.#local, emit);
  }

  addressOf(memory: ArrayBufferLike): number {
    return this.#local.addressOf(new Uint8Array(memory));
  }

  call(address: number, args: readonly (number | Uint8Array)[], done: (result: bigint) => void): void {
    const numbers = args.map((one) => {
      if (typeof one === 'number') return one;
      this.#bytes.set(one);
      return this.addressOf(this.#bytes.buffer);
    });
    done(this.#local.call(address, ...numbers));
  }

  flush(): void {}
}

/** Maps memory where it is told to, calls functions, and prints what they return and what the memory has then. */
const PROGRAM = `
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
struct region { uint64_t address, bytes; } regions[64];
static uint64_t results[65536];
static void take(void *to, size_t bytes) { if (bytes && fread(to, bytes, 1, stdin) != 1) __builtin_trap(); }
static uint64_t call(const uint64_t *c) {
  register uint64_t x0 __asm__("x0") = c[1], x1 __asm__("x1") = c[2], x2 __asm__("x2") = c[3], x3 __asm__("x3") = c[4];
  register uint64_t x8 __asm__("x8") = c[0];
  __asm__ volatile("blr x8" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3), "+r"(x8) : : "x4", "x5", "x6", "x7", "x9", "x10", "x11", "x12",
    "x13", "x14", "x15", "x16", "x17", "x30", "memory", "cc");
  return x8;
}
int main(void) {
  uint64_t count, calls;
  take(&count, 8);
  for (uint64_t i = 0; i < count; i++) {
    take(&regions[i], sizeof regions[i]);
    char *at = mmap((void *)regions[i].address, regions[i].bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    take(at, regions[i].bytes);
    __builtin___clear_cache(at, at + regions[i].bytes);
  }
  take(&calls, 8);
  for (uint64_t i = 0; i < calls; i++) {
    uint64_t c[5];
    take(c, sizeof c);
    results[i] = call(c);
  }
  fwrite(results, 8, calls, stdout);
  for (uint64_t i = 0; i < count; i++) fwrite((char *)regions[i].address, regions[i].bytes, 1, stdout);
  return 0;
}
`;

interface Cleanup {
  after(run: () => void): void;
}

/** The program that runs code of arm64, and what runs that. */
export function emulator(t: Cleanup): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-arm64-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [source, program] = [join(folder, 'program.c'), join(folder, 'program')];
  writeFileSync(source, PROGRAM);
  execFileSync(ARM64_GCC, ['-O1', '-static', '-o', program, source], { stdio: ['ignore', 'ignore', 'inherit'] });
  return [...ARM64_RUN, program];
}

export const ARM64_GCC = process.arch === 'arm64' ? 'gcc' : 'aarch64-linux-gnu-gcc';
/** What runs a program of arm64. */
export const ARM64_RUN: readonly string[] = process.arch === 'arm64' ? [] : ['qemu-aarch64'];

/** Where arguments' bytes are, and from where on memories. */
const ARGUMENTS = 0x1000000000;
const FIRST = 0x2000000000;
const APART = 0x1000000;
const MOST_ARGUMENTS = 4;

/** Runs code of arm64 in a process that is started at each `flush`. */
export class EmulatedRunner implements CodeRunner {
  readonly #command: readonly string[];
  readonly #memories = new Map<ArrayBufferLike, number>();
  #calls: { readonly words: readonly number[]; readonly done: (result: bigint) => void }[] = [];
  readonly #arguments: Uint8Array[] = [];
  #argumentsEnd = ARGUMENTS;

  constructor(command: readonly string[]) {
    this.#command = command;
  }

  place<T>(emit: (code: PortableAssembler) => T): T {
    const code = MACHINES.arm64.assembler(this.#free);
    const result = emit(code);
    this.addressOf(code.finish().buffer);
    return result;
  }

  addressOf(memory: ArrayBufferLike): number {
    const address = this.#memories.get(memory) ?? this.#free;
    this.#memories.set(memory, address);
    return address;
  }

  call(address: number, args: readonly (number | Uint8Array)[], done: (result: bigint) => void): void {
    const numbers = args.map((one) => {
      if (typeof one === 'number') return one;
      const at = this.#argumentsEnd;
      this.#arguments.push(Uint8Array.from(one));
      this.#argumentsEnd += one.length;
      return at;
    });
    this.#calls.push({ words: Array.from({ length: MOST_ARGUMENTS + 1 }, (_, i) => [address, ...numbers][i] ?? 0), done });
  }

  flush(): void {
    const calls = this.#calls;
    if (calls.length === 0) return;
    this.#calls = [];
    const regions = [...this.#memories].map(([memory, address]) => [address, bytesOf(memory)] as const);
    if (this.#arguments.length > 0) regions.push([ARGUMENTS, Buffer.concat(this.#arguments.splice(0))]);
    this.#argumentsEnd = ARGUMENTS;
    const input = Buffer.concat([
      words([regions.length]),
      ...regions.flatMap(([address, bytes]) => [words([address, bytes.length]), bytes]),
      words([calls.length]),
      ...calls.map((one) => words(one.words)),
    ]);
    const [program, ...args] = this.#command;
    const { stdout, status, signal, error } = spawnSync(program!, args, { input, maxBuffer: 2 ** 28 });
    if (status !== 0) throw new Error(`${program} ended with ${status ?? signal ?? error?.message}`);
    let at = calls.length * 8;
    for (const memory of this.#memories.keys()) {
      bytesOf(memory).set(stdout.subarray(at, at + memory.byteLength));
      at += memory.byteLength;
    }
    for (const [i, { done }] of calls.entries()) done(stdout.readBigInt64LE(i * 8));
  }

  get #free(): number {
    return Math.max(FIRST, ...this.#memories.values()) + APART;
  }
}

const words = (values: readonly number[]): Buffer => Buffer.from(BigInt64Array.from(values.map(BigInt)).buffer);
const bytesOf = (memory: ArrayBufferLike): Uint8Array => new Uint8Array(memory);

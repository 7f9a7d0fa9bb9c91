import { closeSync, openSync, writeSync } from 'node:fs';
import type { LocalProcess } from '../../addon/local-process.js';
import { Assembler } from '../../machines/x86-64/assembler.js';

/** Writes bytes into this process. */
export function poke(address: number, bytes: Uint8Array): void {
  const file = openSync('/proc/self/mem', 'r+');
  try {
    writeSync(file, bytes, 0, bytes.length, address);
  } finally {
    closeSync(file);
  }
}

/** Puts emitted code into memory of this process; returns what `emit` does. */
export function place<T>(local: LocalProcess, emit: (code: Assembler) => T, bytes = 65_536): T {
  const memory = local.mapAnonymous(bytes);
  const code = new Assembler(memory.address);
  const result = emit(code);
  poke(memory.address, code.finish());
  return result;
}

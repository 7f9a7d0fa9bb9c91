import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TraceError } from '../../base/errno.js';
import { writeFully } from '../../base/write-fully.js';
import { processMachine } from '../machines/process-machine.js';
import { CALL, CLOCKS, LOCATED } from './addon-words.js';

interface Addon {
  /** Calls an address: the words of `CALL`. */
  call(words: BigUint64Array): void;
  /** Fills the words of `LOCATED`. */
  locate(words: BigUint64Array, view: ArrayBufferView): void;
}

const CALLS = processMachine.systemCalls;
const MFD_CLOEXEC = 1;
/** What `ls -l /proc/PID/fd` shows of files without a name. */
const MEMFD_NAME = Buffer.from('fentry\0');
const PROTECTION = { READ: 1, WRITE: 2, EXECUTE: 4 } as const;
const MAP = { SHARED: 1, PRIVATE: 2, FIXED: 0x10, ANONYMOUS: 0x20, NORESERVE: 0x4000 } as const;
const MOST_ERRNO = 4095n;
/** The clocks are read so often at once. */
const CLOCK_READINGS = 64;
const SECOND = 1_000_000_000n;

/** Memory of this process at an address. */
export interface MappedCode {
  readonly address: number;
  readonly bytes: number;
}

/**
 * What this process can do with its own memory beyond JavaScript: call machine code, map files over a SharedArrayBuffer, read the
 * time stamp counter. A shared object that fentry writes and Node loads does it.
 */
export class LocalProcess {
  readonly #addon: Addon;
  readonly #words = new BigUint64Array(CALL.WORDS);
  readonly #located = new BigUint64Array(LOCATED.WORDS);
  readonly #systemCall: number;
  readonly #timeStamp: number;
  readonly #readClocks: number;
  readonly #clocks = new BigInt64Array(new SharedArrayBuffer(CLOCKS.WORDS * 8));

  /** @throws Error if no folder is there from which code can be loaded; TraceError EPERM if the permission model forbids it */
  constructor() {
    this.#addon = loadAddon();
    this.addressOf(this.#words);
    this.#systemCall = Number(this.#located[LOCATED.SYSTEM_CALL]);
    this.#timeStamp = Number(this.#located[LOCATED.TIME_STAMP]);
    this.#readClocks = Number(this.#located[LOCATED.READ_CLOCKS]);
  }

  /** Where a view's bytes are. They stay there only if the memory is shared, or larger than what V8 moves. */
  addressOf(view: ArrayBufferView): number {
    this.#addon.locate(this.#located, view);
    return Number(this.#located[LOCATED.VIEW]);
  }

  /**
   * Calls a function at an address, with up to 8 integers or addresses, zeros behind them; returns what it leaves in rax, with
   * its sign.
   */
  call(address: number | bigint, ...args: readonly (number | bigint)[]): bigint {
    if (args.length > CALL.MOST_ARGUMENTS) throw new RangeError(`${args.length} arguments: more than ${CALL.MOST_ARGUMENTS}`);
    const words = this.#words;
    words[CALL.FUNCTION] = BigInt(address);
    for (let i = 0; i < CALL.MOST_ARGUMENTS; i++) words[CALL.ARGUMENTS + i] = BigInt(args[i] ?? 0);
    this.#addon.call(words);
    return BigInt.asIntN(64, words[CALL.RESULT]!);
  }

  /**
   * A system call by its number.
   * @throws Error with the errno
   */
  systemCall(number: number, ...args: readonly (number | bigint)[]): bigint {
    const result = this.rawSystemCall(number, ...args);
    if (result < 0n && result >= -MOST_ERRNO) throw new Error(`system call ${number}: errno ${-result}`);
    return result;
  }

  /** Makes a system call; returns an error as the kernel does, as -errno. */
  rawSystemCall(number: number, ...args: readonly (number | bigint)[]): bigint {
    return this.call(this.#systemCall, number, ...args);
  }

  /**
   * A file without a name that has these bytes; programs that are run do not get it. Returns its descriptor. @throws Error with
   * the errno
   */
  memoryFile(bytes: Uint8Array): number {
    const name = new Uint8Array(new SharedArrayBuffer(MEMFD_NAME.length));
    name.set(MEMFD_NAME);
    const fd = Number(this.systemCall(CALLS.memfd_create, this.addressOf(name), MFD_CLOEXEC));
    writeFully(fd, bytes);
    return fd;
  }

  /** The time stamp counter. */
  rdtsc(): bigint {
    return BigInt.asUintN(64, this.call(this.#timeStamp));
  }

  /**
   * The time stamp counter and CLOCK_MONOTONIC in nanoseconds at one moment: of some readings, the one that took the shortest
   * time. Machine code makes each, because on the way to JavaScript and back more time passes on one side of the clock than on
   * the other.
   */
  readClocks(): { readonly tsc: bigint; readonly ns: number } {
    const clocks = this.#clocks;
    const address = this.addressOf(clocks);
    let shortest: bigint | undefined;
    let best = { tsc: 0n, ns: 0 };
    for (let i = 0; i < CLOCK_READINGS; i++) {
      this.call(this.#readClocks, address);
      const before = clocks[CLOCKS.BEFORE]!;
      const took = clocks[CLOCKS.AFTER]! - before;
      if (shortest !== undefined && took >= shortest) continue;
      shortest = took;
      best = { tsc: before + took / 2n, ns: Number(clocks[CLOCKS.SECONDS]! * SECOND + clocks[CLOCKS.NANOSECONDS]!) };
    }
    return best;
  }

  /**
   * Maps a file over the bytes of a view, for reading and writing, shared with all processes that map it.
   * @param fd an open file that is long enough
   * @param offset of the first byte in the file: a multiple of the page size
   * @param view begins at a page and has whole pages, as the memory of `sharedPages()` does
   */
  mapShared(fd: number, offset: number, view: ArrayBufferView): void {
    const flags = MAP.SHARED | MAP.FIXED;
    this.systemCall(CALLS.mmap, this.addressOf(view), view.byteLength, PROTECTION.READ | PROTECTION.WRITE, flags, fd, offset);
  }

  /** Anonymous memory for machine code and its data; never given back unless `unmap` is called. */
  mapAnonymous(bytes: number, near = 0): MappedCode {
    const protection = PROTECTION.READ | PROTECTION.WRITE | PROTECTION.EXECUTE;
    const flags = MAP.PRIVATE | MAP.ANONYMOUS | MAP.NORESERVE;
    return { address: Number(this.systemCall(CALLS.mmap, near, bytes, protection, flags, -1, 0)), bytes };
  }

  unmap({ address, bytes }: MappedCode): void {
    this.systemCall(CALLS.munmap, address, bytes);
  }
}

const WASM_PAGE = 65_536;

interface WasmMemory {
  readonly buffer: SharedArrayBuffer;
}
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Memory: new (limits: { initial: number; maximum: number; shared: true }) => WasmMemory };
};

/** A SharedArrayBuffer that begins at a page; its size is rounded up to 64 KiB. */
export function sharedPages(bytes: number): SharedArrayBuffer {
  const pages = Math.ceil(bytes / WASM_PAGE);
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }).buffer;
}

/** Writes the shared object, loads it and removes it again. A folder may forbid to run what is in it. */
function loadAddon(): Addon {
  const refused: string[] = [];
  for (const parent of [tmpdir(), '/dev/shm', process.env['XDG_RUNTIME_DIR'] ?? '/run']) {
    let folder: string | undefined;
    try {
      folder = mkdtempSync(join(parent, 'fentry-addon-'));
      const file = join(folder, 'addon.node');
      writeFileSync(file, processMachine.addonFile(), { mode: 0o700 });
      const module = { exports: {} as Addon };
      process.dlopen(module, file);
      return module.exports;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ERR_DLOPEN_DISABLED')
        throw new TraceError('EPERM', 'machine code cannot be loaded: the permission model asks for --allow-addons');
      refused.push(`${parent}: ${message}`);
    } finally {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    }
  }
  throw new Error(`no folder from which code can be loaded (${refused.join('; ')})`);
}

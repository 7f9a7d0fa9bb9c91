import { closeSync, openSync, readlinkSync, readSync } from 'node:fs';
import { attempt } from '../../base/attempt.js';
import type { LocalProcess } from '../addon/local-process.js';
import { wordAt } from '../elf/elf-file.js';
import { processMachine } from '../machines/process-machine.js';
import { UNWIND_ABIS } from '../machines/unwind-abis.js';
import { openRefusal } from '../process/access.js';
import { type MappedRange, processMaps } from '../process/process-maps.js';
import { CodeMap, type ObjectPlace } from './code-map.js';
import { OwnThunks } from './own-thunks.js';
import { Snapshots, type ThreadSnapshot } from './thread-snapshot.js';
import { type UnwoundStack, unwindStack } from './unwind-stack.js';

const WORD = 8;

/** A thread's stack at one moment. */
export interface ThreadStack extends UnwoundStack {
  /** The memory of the stack as it was then, from an address on. */
  readonly copy: { readonly from: number; readonly bytes: Buffer };
}

/** Finds the calls on the stacks of another process's threads. */
export class ProcessStacks {
  readonly #fd: number;
  readonly #pid: number;
  readonly #snapshots: Snapshots;
  readonly #abi = UNWIND_ABIS[processMachine.name];
  #ranges: readonly MappedRange[];
  #code: CodeMap;
  #thunks: OwnThunks;

  /** @throws TraceError EACCES, EPERM or ESRCH when the system does not let this process in: which rule forbids it */
  constructor(pid: number, local: LocalProcess) {
    this.#pid = pid;
    try {
      this.#fd = openSync(`/proc/${pid}/mem`, 'r');
    } catch (error) {
      throw openRefusal(pid, error as NodeJS.ErrnoException);
    }
    this.#snapshots = new Snapshots(local, this.#abi, (address, into) => this.#into(address, into));
    this.#ranges = processMaps(pid);
    this.#code = new CodeMap(pid, this.#ranges, this.#read);
    this.#thunks = new OwnThunks(this.#abi.machine, this.#ranges, this.#read);
    this.#code.prepare();
  }

  /** The path of the executable; '' if it cannot be seen. */
  get executable(): string {
    return attempt(() => readlinkSync(`/proc/${this.#pid}/exe`)) ?? '';
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** The object whose code is at an address; undefined: none, or fentry's own. */
  at(address: number): ObjectPlace | undefined {
    return this.#code.at(address);
  }

  /** Whether an address is in code that fentry has put into the process. */
  isOwn(address: number): boolean {
    return this.#thunks.has(address);
  }

  /** The stack of a thread, which stands still for a moment. A text: why it cannot be read. */
  of(tid: number): ThreadStack | string {
    let snapshot = this.#snapshots.take(tid, this.#ranges);
    if (typeof snapshot !== 'string' && snapshot.stack.bytes.length === 0) {
      // A thread that has started since.
      this.#look();
      snapshot = this.#snapshots.take(tid, this.#ranges);
    }
    if (typeof snapshot === 'string') return snapshot;
    if (!this.#code.isCode(snapshot.start.pc)) this.#look();
    return this.#unwound(snapshot);
  }

  #look(): void {
    this.#ranges = processMaps(this.#pid);
    this.#code = new CodeMap(this.#pid, this.#ranges, this.#read);
    this.#thunks = new OwnThunks(this.#abi.machine, this.#ranges, this.#read);
  }

  #unwound({ start, stack }: ThreadSnapshot): ThreadStack {
    const word = (address: number): number => {
      const at = address - stack.from;
      return at >= 0 && at + WORD <= stack.bytes.length ? wordAt(stack.bytes, at) : wordAt(this.#read(address, WORD), 0);
    };
    const found = unwindStack(
      this.#abi,
      {
        row: (address) => {
          const place = this.#code.at(address);
          return place === undefined ? this.#thunks.row(address) : place.object.row(place.address);
        },
        isCode: (address) => this.#code.isCode(address),
        isStub: (address) => {
          const place = this.#code.at(address);
          return place?.object.isStub(place.address) === true;
        },
        code: (address, length) => attempt(() => this.#read(address, length)) ?? Buffer.alloc(0),
        word,
      },
      start,
    );
    return { ...found, copy: stack };
  }

  readonly #read = (address: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(length);
    if (this.#into(address, bytes) < length) throw new Error(`nothing is mapped at 0x${address.toString(16)}`);
    return bytes;
  };

  #into(address: number, bytes: Buffer): number {
    for (let done = 0; done < bytes.length; ) {
      const more = attempt(() => readSync(this.#fd, bytes, done, bytes.length - done, address + done)) ?? 0;
      if (more === 0) return done;
      done += more;
    }
    return bytes.length;
  }
}

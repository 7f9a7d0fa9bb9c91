import { read, writevSync } from 'node:fs';
import {
  IN_HEADER,
  NOTIFY_POLL,
  NOTIFY_POLL_OUT,
  NOTIFY_STORE,
  NOTIFY_STORE_OUT,
  OPCODES,
  type Opcode,
  OUT_HEADER,
} from './protocol.js';

/** The largest write that the kernel sends in one piece: 10,000 names fit. */
export const MAX_WRITE = 1 << 20;
/** Space for a write's headers. */
const MAX_HEADERS = 4096;

/** Milliseconds between checks of a device that is not mounted yet. */
const MOUNT_LOOK_MS = 2;

/** A file grows by what is stored at its end. */
const LAST_BYTE = Buffer.alloc(1);

/** One request of the kernel. */
export interface FuseRequest {
  /** Undefined for an unknown operation. */
  readonly opcode: Opcode | undefined;
  /** The id of the request, in its answer and in an interrupt. */
  readonly unique: number;
  readonly nodeid: number;
  /** Thread id of the requesting task; 0 in another pid namespace. */
  readonly pid: number;
  /** The bytes after the header; valid until the next request is read. */
  readonly body: Buffer;
}

/** What the server needs from the kernel's device. */
export interface FuseChannel {
  /** The next request; undefined if the file system is no longer mounted. */
  next(): Promise<FuseRequest | undefined>;
  /** @param error 0, or an errno's number */
  reply(unique: number, error: number, parts?: readonly Uint8Array[]): void;
  /** Tells the kernel that a poll's answer has changed. */
  notifyPoll(kh: number): void;
  /** Tells the kernel a file's size, until it asks for the size again. */
  notifySize(nodeid: number, bytes: number): void;
}

/** /dev/fuse, opened and given to mount(2). */
export class FuseDevice implements FuseChannel {
  readonly #fd: number;
  /** Before mount(2), the device cannot be read. */
  #isMounted = false;
  readonly #buffer = Buffer.allocUnsafeSlow(MAX_WRITE + MAX_HEADERS);

  constructor(fd: number) {
    this.#fd = fd;
  }

  next(): Promise<FuseRequest | undefined> {
    return new Promise((resolve, reject) => {
      const readOne = (): void =>
        read(this.#fd, this.#buffer, 0, this.#buffer.length, null, (error, length) => {
          if (error === null) {
            this.#isMounted = true;
            resolve(parse(this.#buffer.subarray(0, length)));
          } else if (error.code === 'ENODEV') resolve(undefined);
          // ENOENT: the request was cancelled while it was read.
          else if (['EINTR', 'EAGAIN', 'ENOENT'].includes(error.code ?? '')) readOne();
          else if (error.code === 'EPERM' && !this.#isMounted) setTimeout(readOne, MOUNT_LOOK_MS);
          else reject(error);
        });
      readOne();
    });
  }

  reply(unique: number, error: number, parts: readonly Uint8Array[] = []): void {
    this.#send({ error: -error, unique }, parts);
  }

  notifyPoll(kh: number): void {
    this.#send({ error: NOTIFY_POLL, unique: 0 }, [NOTIFY_POLL_OUT.write({ kh })]);
  }

  notifySize(nodeid: number, bytes: number): void {
    const store = NOTIFY_STORE_OUT.write({ nodeid, offset: bytes - LAST_BYTE.length, size: LAST_BYTE.length });
    this.#send({ error: NOTIFY_STORE, unique: 0 }, [store, LAST_BYTE]);
  }

  #send(header: { error: number; unique: number }, parts: readonly Uint8Array[]): void {
    const len = parts.reduce((sum, part) => sum + part.length, OUT_HEADER.size);
    try {
      writevSync(this.#fd, [OUT_HEADER.write({ len, ...header }), ...parts]);
    } catch (thrown) {
      // The requesting task is gone (ENOENT), or the mount is (ENODEV): the answer is not needed.
      if (!['ENOENT', 'ENODEV'].includes((thrown as NodeJS.ErrnoException).code ?? '')) throw thrown;
    }
  }
}

function parse(bytes: Buffer): FuseRequest {
  const { opcode, unique, nodeid, pid } = IN_HEADER.read(bytes, 0);
  return { opcode: OPCODES[opcode as keyof typeof OPCODES], unique, nodeid, pid, body: bytes.subarray(IN_HEADER.size) };
}

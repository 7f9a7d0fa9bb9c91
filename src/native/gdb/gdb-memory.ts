import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { hexAddress } from '../../base/address.js';
import { TraceError } from '../../base/errno.js';
import { PacketReader, packet } from './packet.js';

/** Bytes that are asked for at once: two digits each must fit into the smallest packets that stubs have. */
const MOST_BYTES = 1024;
/** Why the machine stands: the question, and its answers. */
const WHY = '?';
const STOPPED = /^[STWX][\da-f]{2}/;
/** Milliseconds without an answer. */
const PATIENCE = 5000;

/**
 * The memory of a machine behind a stub of GDB, such as qemu's (`-s`, `-gdb`), read with the page tables of one of its cpus. The
 * machine stands still from the connection to `close`. Nothing is written.
 */
export class GdbMemory {
  readonly #socket: Socket;
  readonly #where: string;
  readonly #reader = new PacketReader();
  readonly #answers: string[] = [];
  #wake: () => void = () => {};
  #end: TraceError | undefined;
  #asksWhy = false;

  private constructor(socket: Socket, where: string) {
    this.#socket = socket;
    this.#where = where;
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      try {
        const packets = this.#reader.read(piece);
        for (const _ of packets) socket.write('+');
        this.#answers.push(...packets.filter((one) => this.#isAwaited(one)));
      } catch (error) {
        this.#end = new TraceError('EIO', `${where}: ${(error as Error).message}`);
      }
      this.#wake();
    });
    const ended = (): void => {
      this.#end ??= new TraceError('EIO', `${where} has closed the connection`);
      this.#wake();
    };
    socket.on('error', ended).on('close', ended);
  }

  /**
   * Connects to a stub.
   * @param where `HOST:PORT`, `:PORT` or the path of a socket
   * @throws TraceError ENOENT if nobody listens there
   */
  static async connect(where: string): Promise<GdbMemory> {
    const tcp = /^([^/]*):(\d+)$/.exec(where);
    const socket = tcp === null ? connect(where) : connect(Number(tcp[2]), tcp[1] || 'localhost');
    try {
      await once(socket, 'connect');
    } catch (error) {
      throw new TraceError('ENOENT', `there is no stub of GDB at ${where}: ${(error as Error).message}`);
    }
    const memory = new GdbMemory(socket, where);
    const reason = await memory.#ask(WHY);
    if (!STOPPED.test(reason)) {
      socket.destroy();
      throw new TraceError('EIO', `${where} answers no stub's way: ${JSON.stringify(reason.slice(0, 40))}`);
    }
    return memory;
  }

  /** The cpus, as the stub names them. */
  async cpus(): Promise<readonly string[]> {
    const cpus: string[] = [];
    for (let answer = await this.#ask('qfThreadInfo'); answer.startsWith('m'); answer = await this.#ask('qsThreadInfo')) {
      cpus.push(...answer.slice(1).split(','));
    }
    return cpus;
  }

  /** Reads with this cpu's page tables from now on. */
  async useCpu(cpu: string): Promise<void> {
    await this.#ask(`Hg${cpu}`);
  }

  /** Memory at an address; undefined if some of it is not mapped. */
  async read(address: number, length: number): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at += MOST_BYTES) {
      const size = Math.min(MOST_BYTES, length - at);
      const answer = await this.#ask(`m${hexAddress(address + at)},${size.toString(16)}`);
      const part = Buffer.from(answer, 'hex');
      if (/^E..$/.test(answer) || part.length !== size) return undefined;
      bytes.set(part, at);
    }
    return bytes;
  }

  /** Lets the machine go on. */
  async close(): Promise<void> {
    try {
      await this.#ask('D');
    } catch {
      // It has ended.
    }
    this.#socket.destroy();
  }

  /** A stub says by itself, at any time, that the machine stands; only the first question is about that. */
  #isAwaited(answer: string): boolean {
    return !STOPPED.test(answer) || this.#asksWhy;
  }

  async #ask(data: string): Promise<string> {
    this.#asksWhy = data === WHY;
    this.#answers.length = 0;
    this.#socket.write(packet(data), 'latin1');
    const timer = setTimeout(() => {
      this.#end ??= new TraceError('ETIMEDOUT', `${this.#where} has not answered for ${PATIENCE / 1000} s`);
      this.#wake();
    }, PATIENCE);
    try {
      for (;;) {
        const answer = this.#answers.shift();
        if (answer !== undefined) return answer;
        if (this.#end !== undefined) throw this.#end;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
    }
  }
}

import { createRequire } from 'node:module';
import { getOwnPropertyDescriptor, reflectApply } from '../../realm/primordials.js';
import { handleOf } from './stream-handle.js';
import { numberOf, ownValue } from './values.js';

/** How many bytes a net.Socket has read, or has given to the system: by Node's own getter, also when it is closed. */
export class SocketBytes {
  readonly #name: 'bytesRead' | '_bytesDispatched';
  #getter: ((this: unknown) => unknown) | undefined;

  constructor(name: 'bytesRead' | '_bytesDispatched') {
    this.#name = name;
  }

  /** 0 for what is no socket of Node's. */
  of(socket: unknown): number {
    if (handleOf(socket) === undefined && ownValue(socket, '_host') === undefined) return 0;
    this.#getter ??= this.#find();
    if (this.#getter === undefined) return 0;
    try {
      return numberOf(reflectApply(this.#getter, socket, []));
    } catch {
      return 0;
    }
  }

  #find(): ((this: unknown) => unknown) | undefined {
    const { Socket } = createRequire(import.meta.url)('node:net') as typeof import('node:net');
    return getOwnPropertyDescriptor(Socket.prototype, this.#name)?.get;
  }
}

import { getPrototypeOf, reflectApply, SafeMap } from '../../realm/primordials.js';
import { numberOf, ownValue } from './values.js';

type Executed = (this: unknown, ...args: unknown[]) => unknown;

interface Hooked {
  readonly parser: Record<number, unknown>;
  readonly key: number;
  readonly own: unknown;
  readonly original: unknown;
}

/**
 * Reads of connections that Node's HTTP parser takes data from in C++, past the stream: the parser calls a function after each
 * piece. That function of each parser is replaced, as long as the parser has this connection.
 */
export class ParserReads {
  readonly #heard: (handle: object, bytes: number) => void;
  readonly #hooked = new SafeMap<object, Hooked>();

  constructor(heard: (handle: object, bytes: number) => void) {
    this.#heard = heard;
  }

  /** Hears the parser of a socket, if it has one. */
  hear(socket: unknown, handle: object): void {
    const parser = ownValue(socket, 'parser');
    if (typeof parser !== 'object' || parser === null) return;
    const key = ownValue(ownValue(getPrototypeOf(parser), 'constructor'), 'kOnExecute');
    if (typeof key !== 'number') return;
    const original = ownValue(parser, key);
    if (typeof original !== 'function' || this.#hooked.get(handle)?.own === original) return;
    const heard = this.#heard;
    const own = function (this: unknown, ...args: unknown[]): unknown {
      const ret = args[0];
      heard(handle, typeof ret === 'number' ? ret : numberOf(ownValue(ret, 'bytesParsed')));
      return reflectApply(original as Executed, this, args);
    };
    const target = parser as Record<number, unknown>;
    this.#hooked.set(handle, { parser: target, key, own, original });
    target[key] = own;
  }

  /** The connection is closed; its parser may serve another. */
  forget(handle: object): void {
    this.#restore(this.#hooked.get(handle));
    this.#hooked.delete(handle);
  }

  stop(): void {
    for (const [, one] of this.#hooked) this.#restore(one);
    this.#hooked.clear();
  }

  #restore(one: Hooked | undefined): void {
    if (one !== undefined && one.parser[one.key] === one.own) one.parser[one.key] = one.original;
  }
}

import type { IncomingMessage } from 'node:http';
import { TraceError } from '../../base/errno.js';

/** A longer body is no request of the page. */
const MOST_BYTES = 1 << 16;

/** What a request asks for: its words by their names. */
export class UiRequest {
  readonly #words: Readonly<Record<string, unknown>>;

  constructor(words: Readonly<Record<string, unknown>>) {
    this.#words = words;
  }

  /** @throws TraceError EINVAL if there is no such text */
  text(name: string): string {
    const value = this.#words[name];
    if (typeof value !== 'string') throw new TraceError('EINVAL', `the request has no text '${name}'`);
    return value;
  }

  /** A whole number. @throws TraceError EINVAL if there is none, or it is out of these bounds */
  number(name: string, least: number, most: number): number {
    const value = Number(this.#words[name] ?? Number.NaN);
    if (!Number.isInteger(value) || value < least || value > most)
      throw new TraceError('EINVAL', `the request has no number '${name}' from ${least} to ${most}`);
    return value;
  }

  get pid(): number {
    return this.number('pid', 1, 2 ** 31);
  }

  isTrue(name: string): boolean {
    return this.#words[name] === true;
  }
}

/** What the query of a GET asks for. */
export const queryOf = (query: URLSearchParams): UiRequest => new UiRequest(Object.fromEntries(query));

/** What the JSON of a POST asks for. TraceError EINVAL if it is no object of JSON, or too long. */
export async function bodyOf(request: IncomingMessage): Promise<UiRequest> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    parts.push(part as Buffer);
    bytes += (part as Buffer).length;
    if (bytes > MOST_BYTES) throw new TraceError('EINVAL', `a request has at most ${MOST_BYTES} bytes`);
  }
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new TraceError('EINVAL', 'the request is no JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TraceError('EINVAL', 'the request must be an object of JSON');
  return new UiRequest(value as Record<string, unknown>);
}

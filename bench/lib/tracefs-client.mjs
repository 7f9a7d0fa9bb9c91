import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two looks for the socket. */
const LOOK = 20;

/**
 * A process's control files over its socket, for benchmarks that cannot pay for a command's start. The process has no socket
 * before its control thread listens: the first use waits for it.
 */
export class TracefsClient {
  #socketPath;

  constructor(socketPath) {
    this.#socketPath = socketPath;
  }

  /** Milliseconds that `echo text > file` took. Rejects with the answer when it is refused. */
  async write(file, text) {
    await this.#listens();
    const started = performance.now();
    await this.#send('PUT', file, `${text}\n`);
    return performance.now() - started;
  }

  /** @param {AbortSignal} [signal] ends it */
  async read(file, signal) {
    await this.#listens();
    return this.#send('GET', file, undefined, signal);
  }

  async #listens() {
    while (!existsSync(this.#socketPath)) await sleep(LOOK);
  }

  #send(method, file, body, signal) {
    return new Promise((resolve, reject) => {
      const outgoing = request({ socketPath: this.#socketPath, method, path: `/${file}`, signal }, async (response) => {
        try {
          let text = '';
          for await (const chunk of response.setEncoding('utf8')) text += chunk;
          if (response.statusCode < 300) resolve(text);
          else reject(new Error(`${method} ${file}: ${response.statusCode} ${text}`));
        } catch (error) {
          reject(error);
        }
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

import { request } from 'node:http';

/** A process's control files over its socket, for benchmarks that cannot pay for a command's start. */
export class TracefsClient {
  #socketPath;

  constructor(socketPath) {
    this.#socketPath = socketPath;
  }

  /** Milliseconds that `echo text > file` took. Rejects with the answer when it is refused. */
  async write(file, text) {
    const started = performance.now();
    await this.#send('PUT', file, `${text}\n`);
    return performance.now() - started;
  }

  /** @param {AbortSignal} [signal] ends it */
  read(file, signal) {
    return this.#send('GET', file, undefined, signal);
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

import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

/** One keep-alive connection that sends the requests in turn, each when the last was answered, until it is told to stop. */
class Connection {
  #socket;
  #requests;
  #pending = Buffer.alloc(0);
  #sent = 0;
  #stopped = false;
  answered = 0;

  constructor(port, requests) {
    this.#requests = requests;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.ended = new Promise((resolve, reject) => {
      this.#socket.on('close', resolve);
      this.#socket.on('error', reject);
    });
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    this.#send();
  }

  stop() {
    this.#stopped = true;
  }

  #send() {
    if (this.#stopped) this.#socket.end();
    else this.#socket.write(this.#requests[this.#sent++ % this.#requests.length]);
  }

  #receive(chunk) {
    const data = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const head = data.indexOf(HEAD_END);
    const length = head < 0 ? undefined : /\r\ncontent-length: (\d+)/i.exec(data.toString('latin1', 0, head))?.[1];
    if (length === undefined || data.length < head + 4 + Number(length)) {
      this.#pending = data;
      return;
    }
    this.#pending = Buffer.alloc(0);
    this.answered += 1;
    this.#send();
  }
}

/**
 * Loads an HTTP server on loopback with ready-made request texts, costing little CPU of its own, so that the server is
 * what limits. Every answer must have a Content-Length. Resolves with requests per second.
 * @param {{ port: number, requests: string[], connections: number, milliseconds: number }} load
 */
export const requestsPerSecond = async ({ port, requests, connections, milliseconds }) => {
  const buffers = requests.map((text) => Buffer.from(text));
  const open = Array.from({ length: connections }, () => new Connection(port, buffers));
  const started = performance.now();
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const answered = open.reduce((sum, connection) => sum + connection.answered, 0);
  const seconds = (performance.now() - started) / 1000;
  for (const connection of open) connection.stop();
  await Promise.all(open.map((connection) => connection.ended));
  return answered / seconds;
};

import { once } from 'node:events';
import { createServer } from 'node:http';

/** Where the debugger of dd-trace sends its records and what becomes of its probes. */
const INPUT = '/debugger/v2/input';
const DIAGNOSTICS = '/debugger/v1/diagnostics';

/** The local agent that dd-trace reports to, as far as its debugger needs one: it keeps what the probes say. */
export class DatadogAgent {
  /** What the probes have recorded, in the order in which it came. */
  records = [];
  /** All that the debugger has said of its probes. */
  diagnostics = '';
  #server = createServer((request, response) => this.#answer(request, response));

  /** Begins to listen on this machine only. */
  async start() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** Whether a probe is in place. */
  isInstalled(id) {
    return this.diagnostics.includes(`"probeId":"${id}"`) && this.diagnostics.includes('"status":"INSTALLED"');
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname } = new URL(request.url, this.url);
    const body = Buffer.concat(chunks).toString();
    if (pathname === INPUT) this.records.push(...JSON.parse(body));
    if (pathname === DIAGNOSTICS) this.diagnostics += body;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(pathname === '/info' ? { endpoints: [INPUT, DIAGNOSTICS] } : {}));
  }
}

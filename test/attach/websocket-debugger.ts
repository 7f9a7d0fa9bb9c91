import { once } from 'node:events';
import WebSocket from 'ws';
import { InspectorThread } from '../../src/v8/inspect/inspector-thread.js';

/** A debugger as an editor has one. */
export class WebSocketDebugger {
  readonly #socket: WebSocket;
  readonly #thread: InspectorThread;
  isPaused = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#thread = new InspectorThread((message) => socket.send(message));
    socket.on('message', (data) => this.#thread.received(String(data)));
    this.#thread.on('Debugger.paused', () => {
      this.isPaused = true;
    });
  }

  static async open(address: string): Promise<WebSocketDebugger> {
    const socket = new WebSocket(address, { perMessageDeflate: false });
    await once(socket, 'open');
    return new WebSocketDebugger(socket);
  }

  async ask(method: string): Promise<void> {
    await this.#thread.ask(method);
  }

  close(): void {
    this.#socket.terminate();
  }
}

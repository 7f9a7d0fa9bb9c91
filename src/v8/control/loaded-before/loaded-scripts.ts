import { setImmediate as turn } from 'node:timers/promises';
import type { LoadedScript } from '../../breakpoints/breakpoint-text.js';
import type { ThreadConnection } from '../thread-connection.js';
import type { LinkedScript, LoadedTexts } from './loaded-texts.js';

interface Waiting {
  readonly thread: ThreadConnection;
  readonly script: LoadedScript;
}

/** Called with each script that has functions. */
type Linked = (thread: ThreadConnection, script: LinkedScript) => void;

/** Reads the scripts that threads had before fentry was attached, one in each turn of the control thread's loop. */
export class LoadedScripts {
  readonly #texts: LoadedTexts;
  readonly #linked: Linked;
  /** Scripts whose file differs from what V8 compiled: the thread is asked for their source. */
  readonly #asked = new Map<string, Waiting>();
  #reading: Promise<void> = Promise.resolve();

  constructor(texts: LoadedTexts, linked: Linked) {
    this.#texts = texts;
    this.#linked = linked;
  }

  /** Resolves when the announced scripts are listed, except those whose threads are asked for their source. */
  get settled(): Promise<void> {
    return this.#reading;
  }

  take(thread: ThreadConnection, scripts: readonly LoadedScript[]): void {
    this.#reading = this.#reading.then(() => this.#read(thread, scripts));
  }

  /** The answer to a `source` command. */
  sourceCame(thread: ThreadConnection, scriptId: string, source: string): void {
    const key = keyOf(thread, scriptId);
    const waiting = this.#asked.get(key);
    this.#asked.delete(key);
    if (waiting !== undefined) this.#link(waiting, source);
  }

  async #read(thread: ThreadConnection, scripts: readonly LoadedScript[]): Promise<void> {
    for (const script of scripts) {
      const source = this.#texts.sourceOf(script);
      if (source !== undefined) this.#link({ thread, script }, source);
      else {
        this.#asked.set(keyOf(thread, script.scriptId), { thread, script });
        thread.post({ type: 'source', scriptId: script.scriptId });
      }
      await turn();
    }
  }

  #link({ thread, script }: Waiting, source: string): void {
    const linked = this.#texts.link(script, source);
    if (linked !== undefined) this.#linked(thread, linked);
  }
}

const keyOf = ({ cpu }: ThreadConnection, scriptId: string): string => `${cpu}/${scriptId}`;

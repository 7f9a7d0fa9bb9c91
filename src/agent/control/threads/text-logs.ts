import type { LinkEvent } from '../../../arch/v8/loader/link-event.js';
import { type ControlBlock, THREAD_WORD, threadWord } from '../../control-block.js';
import { TextLog } from '../../text-log.js';
import type { ThreadConnection } from './thread-connection.js';

/** A text that a thread has linked. */
export interface AnnouncedText {
  readonly thread: ThreadConnection;
  readonly link: LinkEvent;
}

/** What the program's threads wrote down of the texts that they have linked. */
export class TextLogs {
  readonly #block: ControlBlock;
  readonly #logs = new Map<ThreadConnection, TextLog>();

  constructor(block: ControlBlock) {
    this.#block = block;
  }

  set(thread: ThreadConnection, memory: SharedArrayBuffer): void {
    this.#logs.set(thread, new TextLog(memory));
  }

  delete(thread: ThreadConnection): void {
    this.#logs.delete(thread);
  }

  /** The texts that were not taken yet. */
  take(): readonly AnnouncedText[] {
    const taken: AnnouncedText[] = [];
    for (const [thread, log] of this.#logs) {
      for (let link = log.take(); link !== undefined; link = log.take()) taken.push({ thread, link });
    }
    return taken;
  }

  /** The patches of a thread's text are sent, if it needs any: the thread may be waiting for that. */
  done({ cpu }: ThreadConnection): void {
    const done = threadWord(cpu, THREAD_WORD.LINKS_DONE);
    Atomics.add(this.#block, done, 1);
    Atomics.notify(this.#block, done);
  }
}

import type { AnnouncedText, TextAnnouncements, TracedThread } from '../../port/port.js';
import { type ControlBlock, THREAD_WORD, threadWord } from '../shared/control-block.js';
import { TextLog } from '../shared/text-log.js';
import { announcement } from './announcement.js';

/** The logs in which the program's threads announce the texts that they have linked. */
export class TextLogs implements TextAnnouncements {
  readonly #block: ControlBlock;
  readonly #logs = new Map<TracedThread, TextLog>();

  constructor(block: ControlBlock) {
    this.#block = block;
  }

  set(thread: TracedThread, memory: SharedArrayBuffer): void {
    this.#logs.set(thread, new TextLog(memory));
  }

  delete(thread: TracedThread): void {
    this.#logs.delete(thread);
  }

  /** The texts that were not read yet. */
  take(): readonly AnnouncedText[] {
    const taken: AnnouncedText[] = [];
    for (const [thread, log] of this.#logs) {
      for (let link = log.take(); link !== undefined; link = log.take()) taken.push({ thread, link: announcement(link) });
    }
    return taken;
  }

  /** The patches of a thread's text are sent, if it needs any: the thread may be waiting for that. */
  done({ cpu }: TracedThread): void {
    const done = threadWord(cpu, THREAD_WORD.LINKS_DONE);
    Atomics.add(this.#block, done, 1);
    Atomics.notify(this.#block, done);
  }
}

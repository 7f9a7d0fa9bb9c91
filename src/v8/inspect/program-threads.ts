import { type AskedThread, eachThread, silenceOf, type ThreadAsking } from './each-thread.js';
import type { InspectorThread } from './inspector-thread.js';
import { type AskedFacts, threadFacts } from './thread-facts.js';

/** What an answer says of a thread. */
interface ThreadAnswer {
  readonly thread: number;
  readonly name: string;
  /** Present if the thread was not asked: why, in words that follow "it". */
  readonly silence?: string;
}

/** What a thread is asked with. */
export interface AskedProgramThread extends AskedThread, AskedFacts {
  /** What work results in; undefined if it is not done when no thread is to be asked any more. */
  inTime<T>(work: Promise<T>): Promise<T | undefined>;
}

/**
 * Asks the threads that run the program, one after the other; fentry's own are left out.
 * @param nothing what is said of a thread that does not answer, besides why
 */
export async function askProgram<T extends ThreadAnswer>(
  main: InspectorThread,
  asking: ThreadAsking,
  nothing: Omit<T, keyof ThreadAnswer>,
  ask: (thread: AskedProgramThread) => Promise<T | undefined>,
): Promise<readonly T[]> {
  const inTime = <R>(work: Promise<R>): Promise<R | undefined> => Promise.race([work, asking.over.then(() => undefined)]);
  const answers = await eachThread(main, asking, async (asked): Promise<T | 'own' | undefined> => {
    const facts = await inTime(threadFacts(asked.session).catch(() => undefined));
    if (facts === undefined) return undefined;
    return facts.isOwn ? 'own' : ask({ ...asked, ...facts, inTime });
  });
  return [...answers].flatMap(([asked, answer]): readonly T[] => {
    if (answer === 'own') return [];
    if (answer !== undefined) return [answer];
    const silent: ThreadAnswer = { thread: asked.thread, name: asked.name, silence: silenceOf(asked, asking.pid) };
    return [{ ...silent, ...nothing } as T];
  });
}

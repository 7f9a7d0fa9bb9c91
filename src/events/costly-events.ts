/** What an event is called. */
interface Named {
  readonly system: string;
  readonly name: string;
}

/**
 * Events that cost a program more than what they record: `kmem:heap_sample` opens V8's inspector in each thread, and collects
 * garbage. Only their own name enables them. A system, `all` and patterns leave them out.
 */
const COSTLY: ReadonlySet<string> = new Set(['kmem:heap_sample']);

/** Whether only its own name enables an event. */
export const isCostly = ({ system, name }: Named): boolean => COSTLY.has(`${system}:${name}`);

/** Whether an event may be enabled by a word for the names of events, which may have `*` and the like. */
export const isMeant = (event: Named, word: string): boolean => !isCostly(event) || word === event.name;

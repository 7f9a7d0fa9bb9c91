import type { PortCommand, TracedThread } from '../../port/port.js';

type Type = PortCommand['type'];
type Posted = Parameters<TracedThread['post']>[0];

/** A thread that keeps what it is told, and has obeyed it. */
export class FakeThread {
  readonly posted: Posted[] = [];
  readonly connection: TracedThread;

  constructor(cpu = 0, tid = 100 + cpu) {
    const post = (command: Posted): number => this.posted.push(command);
    const settled = async (): Promise<undefined> => {};
    const connection: Partial<TracedThread> = {
      cpu,
      tid,
      parent: 0,
      isBehind: false,
      post,
      send: async (command: Posted) => void post(command),
      settled,
    };
    this.connection = Object.assign(connection, { sites: connection }) as TracedThread;
  }

  /** The kinds of commands that it was told, in order; takes them out. */
  types(): Type[] {
    return this.posted.splice(0).map(({ type }) => type);
  }

  /** The commands of one kind. */
  of<Wanted extends Type>(type: Wanted): Extract<PortCommand, { type: Wanted }>[] {
    return this.posted.filter((command) => command.type === type) as never;
  }

  /** The ops ids that each patched function's site calls, by function number. */
  calls(): Readonly<Record<number, readonly number[]>> {
    const calls: Record<number, readonly number[]> = {};
    const lists: (readonly number[])[] = [[]];
    for (const { patches } of this.of('patch')) {
      for (const { list, ops } of patches.added) lists[list] = ops;
      for (const [at, n] of patches.functions.entries()) calls[n] = lists[patches.lists[at]!]!;
    }
    return calls;
  }
}

import type { LiveChange } from '../../answers/live/live-answer.js';
import { TraceError } from '../../base/errno.js';
import type { TraceClient } from '../../client/trace-client.js';
import { isEmptyFilter } from '../is-empty-filter.js';
import { listedNames } from './listed-names.js';
import { type TreeWrite, type WriteKind, writeKind } from './tree-table.js';

interface KeptChange extends LiveChange {
  /** What gives it back. */
  readonly undo: readonly TreeWrite[];
}

/** What a write is about: the state before it, and how to give that back. */
interface Subject {
  readonly what: string;
  readonly before: string;
  readonly undo: readonly TreeWrite[];
  /** The state now. */
  now(): Promise<string>;
}

/** What there is before a write of each kind. */
const SUBJECTS: Readonly<Record<WriteKind, (client: TraceClient, write: TreeWrite) => Promise<readonly Subject[]>>> = {
  value: async (client, { path }) => [await singleValue(client, path)],
  words: async (client, { path }) => {
    const state = async (): Promise<string> => filterText(await client.read(path));
    const before = await state();
    const words = before.split('\n').filter((word) => word !== '');
    const undo = [
      { path, text: '', append: false },
      ...words.map((word) => ({ path, text: word.replace(/^(\S+) \[(.+)\]$/, '$1:mod:$2'), append: true })),
    ];
    return [{ what: path, before, undo, now: state }];
  },
  system: async (client, { path }) => {
    const folder = path.slice(0, -'/enable'.length);
    const events = (await client.list(folder)).filter(({ kind }) => kind === 'directory');
    return Promise.all(events.map(({ name }) => singleValue(client, `${folder}/${name}/enable`)));
  },
  trigger: async (_client, { path, text }) => {
    const [line, isRemoved] = text.startsWith('!') ? [text.slice(1), true] : [text, false];
    const [before, now] = isRemoved ? [line, ''] : ['', line];
    const undo = [{ path, text: isRemoved ? line : `!${line}`, append: true }];
    return [{ what: `${path} ${line}`, before, undo, now: async () => now }];
  },
};

async function singleValue(client: TraceClient, path: string): Promise<Subject> {
  const state = async (): Promise<string> => valueIn(await client.read(path));
  const before = await state();
  const text = path.endsWith('/filter') && before === 'none' ? '0' : before;
  return { what: path, before, undo: [{ path, text, append: false }], now: state };
}

/** The value of a file: `1*` is an event that is on, with a trigger. */
const valueIn = (text: string): string => text.trim().replace(/^([01])\*$/, '$1');

/** The words of a filter; commands, which stay when it is emptied, are none. */
const filterText = (text: string): string => (isEmptyFilter(text) ? '' : listedNames(text).join('\n'));

/** Makes a write with what must be done before and after it. */
export type AroundWrite = (write: TreeWrite, make: () => Promise<void>) => Promise<void>;

/** What the page has changed in a process: it stays, until somebody wants it back. */
export class Changes {
  readonly #client: TraceClient;
  readonly #around: AroundWrite;
  readonly #kept = new Map<string, KeptChange>();
  #busy: Promise<unknown> = Promise.resolve();

  /** @param around makes each write */
  constructor(client: TraceClient, around: AroundWrite) {
    this.#client = client;
    this.#around = around;
  }

  get all(): readonly LiveChange[] {
    return Array.from(this.#kept.values(), ({ what, before, now }) => ({ what, before, now }));
  }

  /** Makes a write of the table. @throws TraceError EACCES for another one, or as the file is refused */
  write(write: TreeWrite): Promise<void> {
    const kind = writeKind(write);
    return this.#afterOthers(async () => {
      const subjects = await SUBJECTS[kind](this.#client, write);
      await this.#send(write);
      for (const subject of subjects) this.note({ ...subject, now: await subject.now() });
    });
  }

  /** Keeps what was changed. What is as it was before the first change is none any more. */
  note(change: KeptChange): void {
    const { before, undo } = this.#kept.get(change.what) ?? change;
    if (change.now === before) this.#kept.delete(change.what);
    else this.#kept.set(change.what, { what: change.what, before, now: change.now, undo });
  }

  /** Gives everything back, the last change first. What cannot be given back stays a change; the first error is thrown. */
  putBack(): Promise<void> {
    return this.#afterOthers(async () => {
      let failed: unknown;
      for (const { what, undo } of [...this.#kept.values()].reverse()) {
        try {
          for (const write of undo) await this.#send(write);
          this.#kept.delete(what);
        } catch (error) {
          failed ??= error;
        }
      }
      if (failed !== undefined) throw failed;
    });
  }

  #send(write: TreeWrite): Promise<void> {
    return this.#around(write, () => send(this.#client, write));
  }

  /** Does something when what others have begun is done. */
  #afterOthers<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#busy.then(work);
    this.#busy = done.catch(() => {});
    return done;
  }
}

/** Writes as `echo` does. The error has what error_log says of it. */
async function send(client: TraceClient, { path, text, append }: TreeWrite): Promise<void> {
  try {
    await (append ? client.append(path, `${text}\n`) : client.write(path, `${text}\n`));
  } catch (error) {
    if (!(error instanceof TraceError)) throw error;
    const where = await logged(client, text).catch(() => '');
    throw new TraceError(error.errno, `${error.message}${where}`);
  }
}

/** The last lines of error_log, if they are of this text: the text, and a mark below the word that is wrong. */
async function logged(client: TraceClient, text: string): Promise<string> {
  const [, command, mark] = /\n {2}Command: (.*)\n( *\^)\n$/.exec(`\n${await client.read('error_log')}`) ?? [];
  return command === text ? `\n${command}\n${mark!.slice('  Command: '.length)}` : '';
}

import { TraceError } from '../../base/errno.js';
import type { TracedThread } from '../../port/port.js';
import type { Feature } from '../tracefs/feature.js';
import type { TraceDirectory, TraceNode } from '../tracefs/node.js';
import { directory } from '../tracefs/path.js';
import { readOnly, textFile } from '../tracefs/text-file.js';
import { loadScripts } from './load-scripts.js';
import { outputFile } from './output-queue.js';
import type { ScriptEntry, ScriptNeeds } from './script-entry.js';
import type { LostPlace } from './script-points.js';

/** The longest name of a file (NAME_MAX), in bytes. */
const MAX_NAME = 255;

/** Characters that a name must not have: line breaks and characters that a terminal would obey; and what is not UTF-8. */
const UNFIT = /[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffd]/;

/**
 * How long the end of the program waits for its scripts, and for who reads what they print: milliseconds. A script that a command
 * has begun with the program must first find its reader.
 */
const PATIENCE = 900;
const PATIENCE_WITH_COMMAND = 5000;
const LOOK = 5;

/** The process's scripts, by name. */
export class ProcessScripts {
  readonly #needs: ScriptNeeds;
  readonly #entries = new Map<string, ScriptEntry>();
  #last = 0;

  constructor(needs: ScriptNeeds) {
    this.#needs = needs;
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()].sort();
  }

  get(name: string): ScriptEntry | undefined {
    return this.#entries.get(name);
  }

  add(name: string): void {
    const { ScriptEntry } = loadScripts();
    this.#entries.set(name, new ScriptEntry(this.#needs, () => ++this.#last));
  }

  /** Ends a script with its `end` handlers. Resolves when no thread calls anything of it, unless one is blocked. */
  async remove(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    this.#entries.delete(name);
    await entry?.remove();
  }

  /** A thread has started, and was not told of any point yet. */
  addThread(thread: TracedThread): void {
    for (const entry of this.#entries.values()) entry.addThread(thread);
  }

  removeThread(thread: TracedThread): void {
    for (const entry of this.#entries.values()) entry.removeThread(thread);
  }

  /** Threads do not see hits somewhere from now on: scripts whose handlers stand there say so. */
  lost(place: LostPlace, warning: string): void {
    for (const entry of this.#entries.values()) entry.lost(place, warning);
  }

  /** Whether any has a reader that has not read all, or is to get one. */
  get areAwaited(): boolean {
    return [...this.#entries.values()].some(({ isAwaited }) => isAwaited);
  }

  /** Ends all of them. Resolves when no thread calls anything of them, unless one is blocked. */
  async stop(): Promise<void> {
    await Promise.race([Promise.all([...this.#entries.values()].map((entry) => entry.end())), waiting(PATIENCE)]);
  }

  /** The program has run its last code: its scripts end, and what they have printed is read. */
  async end(): Promise<void> {
    const entries = [...this.#entries.values()];
    if (entries.length === 0) return;
    const patience = entries.some(({ isWithCommand }) => isWithCommand) ? PATIENCE_WITH_COMMAND : PATIENCE;
    const deadline = performance.now() + patience;
    await Promise.race([Promise.all(entries.map((entry) => entry.programEnded())), waiting(patience)]);
    while (this.areAwaited && performance.now() < deadline) await waiting(LOOK);
  }
}

const waiting = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function scriptFiles(entry: ScriptEntry): Record<string, TraceNode> {
  return {
    globals: readOnly(() => entry.globals()),
    messages: outputFile(entry.messages),
    output: outputFile(entry.output),
    source: textFile({ mode: 0o640, show: () => entry.source, store: (text, caller) => entry.store(text, caller) }),
    status: textFile({
      mode: 0o640,
      show: () => entry.status(),
      store(text) {
        if (text.trim() !== 'exit') throw new TraceError('EINVAL', 'status takes one word: exit');
        entry.exit();
      },
    }),
  };
}

/** scripts/: a directory made here is a script. Removing it ends the script. */
function scriptsDirectory(scripts: ProcessScripts): TraceDirectory {
  const directories = new WeakMap<ScriptEntry, TraceDirectory>();
  const directoryOf = (entry: ScriptEntry): TraceDirectory => {
    let known = directories.get(entry);
    if (known === undefined) directories.set(entry, (known = directory(scriptFiles(entry))));
    return known;
  };
  return {
    kind: 'directory',
    mode: 0o750,
    names: () => scripts.names,
    subdirectories: () => scripts.names.length,
    get(name) {
      const entry = scripts.get(name);
      return entry && directoryOf(entry);
    },
    mkdir(name) {
      if (name === '..') throw new TraceError('EEXIST');
      if (UNFIT.test(name)) throw new TraceError('EINVAL', 'the name of a script must not have control characters');
      if (Buffer.byteLength(name) > MAX_NAME) throw new TraceError('ENAMETOOLONG');
      scripts.add(name);
    },
    async rmdir(name) {
      if (scripts.get(name) === undefined) throw new TraceError('ENOENT');
      await scripts.remove(name);
    },
  };
}

/** The directory of scripts. */
export const scriptsFeature: Feature<{ readonly scripts: ProcessScripts }> = {
  name: 'scripts',
  files: ({ scripts }) => ({ scripts: scriptsDirectory(scripts) }),
  help: `
  scripts/             - mkdir scripts/NAME makes room for a script in the language of bpftrace or SystemTap; rmdir ends it
      source           - what is written here is compiled and begins; its first line is #!/usr/bin/env bpftrace, or stap
      output           - what the script prints: a read takes it away, and waits for more; messages has what it says besides
      globals          - the values of its maps and global variables now
      status           - how far it is, and its counts; echo exit > status ends it
`,
};

import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Undo } from '../realm/undo.js';
import { loadsFromHooksThread } from './es-modules.js';
import { afterRegistrations } from './hook-order.js';
import type { LinkEvent } from './link-event.js';
import type { LinkDetail, Linker } from './linker.js';
import { nodeModule } from './node-module.js';
import { nodeWords } from './node-words.js';

/** The data for fentry's hook in the hooks thread (esm-hooks.ts). */
export interface HooksThreadData {
  readonly links: SharedArrayBuffer;
  readonly fentryFolder: string;
  readonly cacheFolder: string | undefined;
  readonly preparedFolders: readonly string[];
  /** Value of `instrument=`. */
  readonly packages: string | undefined;
  /** Value of `statement_sites=`. */
  readonly statementSites: string | undefined;
  /** The option `module_sites`. */
  readonly hasModuleSites: boolean;
  readonly port: MessagePort;
  /** One word: 1 when texts from the hooks thread must have no sites. */
  readonly stopped: SharedArrayBuffer;
  /** Id at the operating system of the thread at the port's other end. */
  readonly tid: number;
}
/** The message for each text that it has instrumented. */
export interface HooksThreadLink {
  readonly link: LinkEvent;
  readonly detail: LinkDetail | undefined;
}

/** What fentry's files are loaded by where it is required: then no module was imported before it. */
const OWN_REQUIRES: readonly string[] = ['fentry', 'preload.cjs'];

/** Whether Node was told to start the hooks thread. */
const isTold = (words: readonly string[]): boolean => words.some((word) => /^--(experimental-)?loader(=|$)/.test(word));

const isImport = (word: string): boolean => /^--import(=|$)/.test(word);

/**
 * Whether a module that was imported before fentry may have started it. Node 20 imports them side by side, later ones in their
 * order.
 */
const mayBeRunning = (words: readonly string[], fentryFolder: string): boolean => {
  if (words.some((word) => OWN_REQUIRES.some((name) => word.endsWith(name)))) return false;
  const folder = fileURLToPath(fentryFolder);
  const own = loadsFromHooksThread ? words.findIndex((word) => word.includes(fentryFolder) || word.includes(folder)) : -1;
  const before = own < 0 ? words : words.slice(0, own + 1);
  return before.filter(isImport).length > 1;
};

/** What follows the hooks thread. */
export interface HooksThread {
  /** From now on texts from there get no sites: hooks in this thread are to see them as the program's own hooks leave them. */
  readonly stop: () => void;
  readonly undo: Undo;
}

/**
 * Once the program uses the hooks thread (tsx does), where that gives texts to this thread: on Node 20 past this one's file
 * reading, on Node 22 while this thread goes on, which load hooks in this thread would block. A hook there, registered after each
 * of the program's so that it sees what theirs have made, gives the sites, and lets the module go when this thread has defined
 * its cells.
 *
 * @param used called when the hooks thread is used for the first time
 */
export const followHooksThread = (
  linker: Linker,
  data: Omit<HooksThreadData, 'port' | 'stopped'>,
  used = (): void => {},
): HooksThread => {
  const { register } = nodeModule();
  const stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let isUsed = false;
  const add = (): void => {
    if (stopped[0] !== 0) return;
    if (!isUsed) used();
    isUsed = true;
    const { port1, port2 } = new MessageChannel();
    const adopt = ({ link, detail }: HooksThreadLink): void => {
      linker.adopt(link, detail);
      port1.postMessage(link.firstFunction);
    };
    port1.on('message', adopt);
    port1.unref();
    linker.beforeLink(() => {
      for (let got = receiveMessageOnPort(port1); got !== undefined; got = receiveMessageOnPort(port1))
        adopt(got.message as HooksThreadLink);
    });
    register(new URL('esm-hooks.js', data.fentryFolder), {
      data: { ...data, port: port2, stopped: stopped.buffer } satisfies HooksThreadData,
      transferList: [port2],
    });
  };
  const undo = afterRegistrations(['register'], add);
  const words = nodeWords();
  if (mayBeRunning(words, data.fentryFolder)) add();
  // Node must be the first to wait for that thread, which reports then whether the loader could be loaded. It asks for no text
  // before the next tick.
  else if (isTold(words)) queueMicrotask(() => process.nextTick(add));
  return { stop: () => void Atomics.store(stopped, 0, 1), undo };
};

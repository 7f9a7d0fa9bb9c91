import * as module from 'node:module';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Undo } from '../realm/undo.js';
import { afterRegistrations } from './hook-order.js';
import type { LinkEvent } from './link-event.js';
import type { LinkDetail, Linker } from './linker.js';
import { nodeWords } from './node-words.js';

/** The data for fentry's hook in the hooks thread (esm-hooks.ts). */
export interface HooksThreadData {
  readonly links: SharedArrayBuffer;
  readonly ownFolder: string;
  readonly cacheFolder: string | undefined;
  /** Value of `instrument=`. */
  readonly packages: string | undefined;
  /** Value of `statement_sites=`. */
  readonly statementSites: string | undefined;
  readonly port: MessagePort;
  /** Id at the operating system of the thread at the port's other end. */
  readonly tid: number;
}
/** The message for each text that it has instrumented. */
export interface HooksThreadLink {
  readonly link: LinkEvent;
  readonly detail: LinkDetail | undefined;
}

/** Whether a module before fentry on the command line may already have started the hooks thread. */
const othersMayHaveRegistered = (): boolean => {
  const words = nodeWords();
  const imports = words.filter((word) => /^--import(=|$)/.test(word)).length;
  return imports > 1 || words.some((word) => /^--(experimental-)?loader(=|$)/.test(word));
};

/**
 * Node 20, once the program uses the hooks thread (tsx does): ES modules then come from that thread, past this one's file
 * reading. A hook there, registered after each of the program's so that it sees what theirs have made, gives the sites, and
 * lets the module go when this thread has defined its cells.
 */
export const followHooksThread = (linker: Linker, data: Omit<HooksThreadData, 'port'>): Undo => {
  // Node adds its function when the module is loaded by name.
  const name = 'node:module';
  const { register } = process.getBuiltinModule?.(name) ?? (module.createRequire(import.meta.url)(name) as typeof module);
  const add = (): void => {
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
    register(new URL('esm-hooks.js', data.ownFolder), { data: { ...data, port: port2 }, transferList: [port2] });
  };
  const undo = afterRegistrations(['register'], add);
  if (othersMayHaveRegistered()) add();
  return undo;
};

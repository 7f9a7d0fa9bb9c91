import type { Verb } from './verb.js';

/** Verbs for which people wait, loaded without the others: all of them take as long to load as Node takes to start. */
export const VERBS_ALONE: Readonly<Record<string, () => Promise<Verb>>> = {
  start: async () => (await import('./verbs/start.js')).start,
  stop: async () => (await import('./verbs/stop.js')).stop,
  show: async () => (await import('./verbs/show.js')).show,
  cat: async () => (await import('./verbs/cat.js')).cat,
  write: async () => (await import('./verbs/write.js')).write,
  append: async () => (await import('./verbs/write.js')).append,
  attach: async () => (await import('./verbs/attach.js')).attach,
  detach: async () => (await import('./verbs/detach.js')).detach,
};

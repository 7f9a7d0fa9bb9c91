import type { TestContext } from 'node:test';
import { seededRandom } from '../../base/testing/random.js';
import { ENTRY_RESUMED, EXIT_SUSPENDED } from '../../events/ftrace-events.js';
import { graphEntry, graphExit, PageBuilder } from '../../output/trace-dat/testing/page-builder.js';
import { temporaryFolder, writeRecording } from '../../output/trace-dat/testing/recording.js';

const BASE = 0xffffffff81000000n;
const NAMES = ['main', 'parse', 'load', 'save', 'render', 'fail'];
const recorded = {
  version: '0',
  kallsyms: [NAMES.map((name, i) => `${(BASE + BigInt(i * 0x100)).toString(16)} t ${name}\n`).join('')],
  cmdlines: [[7, 'node']] as const,
};
/** The address of a function. */
export const addressOf = (func: number): bigint => BASE + BigInt(func * 0x100);

/** What is recorded of random calls. */
export interface RandomGraph {
  readonly seed: number;
  /** Only the ends of calls, as with `tracing_thresh`. */
  readonly exitsOnly?: boolean;
  /** Records are lost now and then. */
  readonly losses?: boolean;
  /** The recording begins within calls. */
  readonly beginsInside?: boolean;
}

/** One CPU with random calls, some of which wait and go on, and some of which are open at the end. */
export function randomCalls({ seed, exitsOnly = false, losses = false, beginsInside = false }: RandomGraph): PageBuilder {
  const random = seededRandom(seed);
  const pages = new PageBuilder();
  const open: { readonly func: number; readonly start: bigint }[] = [];
  let time = 1_000_000n;
  let isOn = !beginsInside;
  const put = (payload: Uint8Array): void => {
    if (isOn) pages.event(time, payload);
  };
  for (let i = 0; i < 3000; i++) {
    time += BigInt(1 + random(i % 50 === 0 ? 1_000_000 : 900));
    if (i === 40) isOn = true;
    if (losses && random(400) === 0) {
      isOn = false;
      pages.missed(random(2) === 0 ? 'unknown' : 5);
    } else if (i > 40 && random(5) === 0) isOn = true;
    const top = open.at(-1);
    if (top === undefined || (open.length < 8 && random(2) === 0)) {
      const func = random(NAMES.length);
      open.push({ func, start: time });
      const flags = !exitsOnly && random(9) === 0 ? ENTRY_RESUMED : 0;
      if (!exitsOnly) put(graphEntry(7, addressOf(func), open.length - 1, flags));
      continue;
    }
    open.pop();
    const flags = !exitsOnly && random(9) === 0 ? EXIT_SUSPENDED : 0;
    put(graphExit(7, addressOf(top.func), open.length, top.start, time, flags, random(7) === 0 ? 'a result' : undefined));
  }
  return pages;
}

/** Writes a recording of some CPUs; returns its path. */
export const recordPages = (t: TestContext, ...cpus: readonly PageBuilder[]): string =>
  writeRecording(
    temporaryFolder(t),
    cpus.map((pages) => pages.bytes()),
    recorded,
  );

/** What a walk must get right. */
export const GRAPHS: Readonly<Record<string, RandomGraph>> = {
  'calls that wait and go on': { seed: 1 },
  'a recording that begins inside of calls': { seed: 2, beginsInside: true },
  'lost records': { seed: 3, losses: true },
  'exits only': { seed: 4, exitsOnly: true },
};

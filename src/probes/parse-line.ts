import { parseEprobe } from './parse-eprobe.js';
import { parseFprobe, parseKprobe, parseTprobe } from './parse-kprobe.js';
import { parseUprobe } from './parse-uprobe.js';
import type { ProbeDefinition } from './probe-definition.js';
import type { ProbeNeeds } from './probe-needs.js';

type Parser = (words: readonly string[], env: ProbeNeeds) => ProbeDefinition | undefined;

const kprobe: Parser = (words, env) => parseKprobe(words, env, true);
const kprobeWithoutPath: Parser = (words, env) => parseKprobe(words, env, false);

/** What each file takes, in the order in which it is tried: the first that takes a line defines the probe. */
const PARSERS = {
  kprobe_events: [kprobe, parseFprobe, parseTprobe],
  uprobe_events: [parseUprobe],
  dynamic_events: [parseEprobe, kprobeWithoutPath, parseUprobe, parseFprobe, parseTprobe],
} as const satisfies Readonly<Record<string, readonly Parser[]>>;

/** A file that takes lines which define probes. */
export type ProbeFile = keyof typeof PARSERS;

/**
 * The probe that a line defines.
 * @param words those of the line, at least one
 * @returns undefined if the file takes no such line
 * @throws ProbeError, with what error_log shows
 */
export function parseProbe(file: ProbeFile, words: readonly string[], env: ProbeNeeds): ProbeDefinition | undefined {
  for (const parse of PARSERS[file]) {
    const probe = parse(words, env);
    if (probe !== undefined) return probe;
  }
  return undefined;
}

import type { OptionSpecs, OptionValues } from './arguments.js';
import { UsageError } from './verb.js';

const MAX_CPU = 65535;

/** Which recording is read, and what of it. */
export const INPUT_OPTIONS = {
  input: { type: 'string', short: 'i' },
  cpu: { type: 'string', multiple: true },
} as const satisfies OptionSpecs;

/** What --help says of them. */
export const INPUT_HELP = `  -i FILE     the recording (trace.dat)
  --cpu CPUS  only these cpus, such as 0,2-3
`;

/** The file that -i or a word names, and the CPUs of --cpu; undefined for all. */
export function recordingInput(
  { input, cpu }: OptionValues<typeof INPUT_OPTIONS>,
  words: readonly string[],
): { readonly file: string; readonly cpus: ReadonlySet<number> | undefined } {
  const [file = 'trace.dat', ...more] = input === undefined ? words : [input, ...words];
  if (more.length > 0) throw new UsageError(`one recording at a time: ${[file, ...more].join(', ')}`);
  return { file, cpus: cpu && new Set(cpu.flatMap(cpusOf)) };
}

/** The CPUs of a list: `0,2-3`. */
function cpusOf(list: string): readonly number[] {
  return list.split(',').flatMap((range) => {
    const [first = '', last = first, ...more] = range.split('-');
    const [from, to] = [first, last].map((word) => (/^\d+$/.test(word) ? Number(word) : Number.NaN)) as [number, number];
    if (more.length > 0 || !(from <= to && to <= MAX_CPU)) {
      throw new UsageError(`--cpu must be cpus like 0,2-3, up to ${MAX_CPU}, not '${list}'`);
    }
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}

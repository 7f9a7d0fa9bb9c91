import { numberOption, type OptionSpecs, type OptionValues } from './arguments.js';
import { UsageError } from './verb.js';

/** Which recording is read, and what of it. */
export const INPUT_OPTIONS = {
  input: { type: 'string', short: 'i' },
  cpu: { type: 'string', multiple: true },
} as const satisfies OptionSpecs;

/** What --help says of them. */
export const INPUT_HELP = `  -i FILE     the recording (trace.dat)
  --cpu N     only this cpu; may be repeated
`;

/** The file that -i or a word names, and the CPUs of --cpu; undefined for all. */
export function recordingInput(
  { input, cpu }: OptionValues<typeof INPUT_OPTIONS>,
  words: readonly string[],
): { readonly file: string; readonly cpus: ReadonlySet<number> | undefined } {
  const [file = 'trace.dat', ...more] = input === undefined ? words : [input, ...words];
  if (more.length > 0) throw new UsageError(`one recording at a time: ${[file, ...more].join(', ')}`);
  return { file, cpus: cpu && new Set(cpu.map((word) => numberOption('--cpu', word))) };
}

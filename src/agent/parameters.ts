import { fileURLToPath } from 'node:url';
import { TRACERS } from '../tracers/runtime.js';

/** What the environment variable FENTRY asks for, with the names of the kernel's command line and some of fentry's own. */
export interface Parameters {
  readonly ftrace?: string;
  readonly ftrace_filter?: readonly string[];
  readonly ftrace_notrace?: readonly string[];
  readonly ftrace_graph_filter?: readonly string[];
  readonly ftrace_graph_notrace?: readonly string[];
  readonly ftrace_graph_max_depth?: number;
  /** Bytes of each thread's ring buffer. */
  readonly trace_buf_size?: number;
  readonly trace_options?: readonly string[];
  /** Microseconds. */
  readonly tracing_thresh?: number;
  readonly trace_clock?: string;
  /** Packages to instrument; `app` is the application's own. */
  readonly instrument?: readonly string[];
  /** Folder that the control thread writes the trace to; a file: URL in FENTRY where the path has blanks. */
  readonly record?: string;
}

/** A parameter that could not be used, and why. */
export interface ParameterError {
  readonly parameter: string;
  readonly message: string;
}

type Parser = (value: string) => unknown;

/** Thrown by the parsers below; the message says what would be right. */
class BadValue extends Error {}

const word: Parser = (value) => {
  if (value === '') throw new BadValue('needs a value');
  return value;
};

const path: Parser = (value) => {
  if (!value.startsWith('file:')) return word(value);
  try {
    return fileURLToPath(value);
  } catch {
    throw new BadValue('must be a path or a file: URL');
  }
};

const oneOf =
  (...known: readonly string[]): Parser =>
  (value) => {
    if (!known.includes(value)) throw new BadValue(`must be one of ${known.join(', ')}`);
    return value;
  };

const list: Parser = (value) => {
  const words = value.split(',').filter((one) => one !== '');
  if (words.length === 0) throw new BadValue('needs a value: words separated by commas');
  return words;
};

const wholeNumber: Parser = (value) => {
  if (!/^\d{1,9}$/.test(value)) throw new BadValue('must be a whole number');
  return Number(value);
};

const SIZE_UNITS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** memparse() of the kernel: bytes, or with K, M or G after them. */
const bytes: Parser = (value) => {
  const [, digits = '', unit = ''] = /^(\d{1,12})([kmg]?)$/i.exec(value) ?? [];
  const size = Number(digits) * (SIZE_UNITS[unit.toLowerCase()] ?? 0);
  if (digits === '' || size === 0 || size > 2 ** 32) throw new BadValue('must be a size, as 4096K or 8M, up to 4G');
  return size;
};

const PARSERS = {
  ftrace: oneOf(...TRACERS),
  ftrace_filter: list,
  ftrace_notrace: list,
  ftrace_graph_filter: list,
  ftrace_graph_notrace: list,
  ftrace_graph_max_depth: wholeNumber,
  trace_buf_size: bytes,
  trace_options: list,
  tracing_thresh: wholeNumber,
  trace_clock: word,
  instrument: list,
  record: path,
} as const satisfies Readonly<Record<keyof Parameters, Parser>>;

/** Names that the parser knows, in the order of the documentation. */
const PARAMETER_NAMES = Object.keys(PARSERS) as readonly (keyof Parameters)[];

/** Reads FENTRY: `name=value` words separated by white space. A bad word is left out and told of; the others hold. */
export function parseParameters(text: string): { parameters: Parameters; errors: readonly ParameterError[] } {
  const parameters: Record<string, unknown> = {};
  const errors: ParameterError[] = [];
  for (const parameter of text.split(/\s+/).filter((one) => one !== '')) {
    const equals = parameter.indexOf('=');
    const name = equals < 0 ? parameter : parameter.slice(0, equals);
    if (!Object.hasOwn(PARSERS, name)) {
      errors.push({ parameter, message: `unknown parameter; known are ${PARAMETER_NAMES.join(', ')}` });
      continue;
    }
    try {
      if (equals < 0) throw new BadValue(`needs a value: ${name}=...`);
      parameters[name] = PARSERS[name as keyof Parameters](parameter.slice(equals + 1));
    } catch (error) {
      errors.push({ parameter, message: (error as Error).message });
    }
  }
  return { parameters: parameters as Parameters, errors };
}

/** Whether the parameters ask for tracing from the first module on. */
export const tracesFromStart = (parameters: Parameters): boolean =>
  parameters.ftrace !== undefined && parameters.ftrace !== 'nop';

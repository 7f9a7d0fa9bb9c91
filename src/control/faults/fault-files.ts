import { TraceError } from '../../base/errno.js';
import { functionText } from '../ftrace/filter-files.js';
import type { FunctionTable } from '../ftrace/function-table.js';
import type { Feature } from '../tracefs/feature.js';
import type { TraceDirectory, TraceFile, TraceNode } from '../tracefs/node.js';
import { directory, dynamicDirectory } from '../tracefs/path.js';
import { readOnly, textFile } from '../tracefs/text-file.js';
import { userText } from '../tracefs/user-text.js';
import type { FaultAttribute, FaultInjection, InjectedFunction } from './fault-injection.js';

/** What the files of error injection need of the process. */
export interface FaultyProcess {
  readonly faults: FaultInjection;
  functions(): FunctionTable;
}

const MODE = 0o600;

/** The files of struct fault_attr; times may be negative: for ever. */
const ATTRIBUTES = {
  interval: 'INTERVAL',
  probability: 'PROBABILITY',
  space: 'SPACE',
  times: 'TIMES',
  verbose: 'VERBOSE',
} as const satisfies Record<string, FaultAttribute>;

/** Attributes that are an atomic_t. */
const SIGNED: readonly FaultAttribute[] = ['TIMES', 'SPACE'];

/** How many characters of a number are read (struct simple_attr's set_buf); the rest is ignored. */
const NUMBER_SIZE = 23;

/**
 * A number as a debugfs attribute takes it (simple_attr_write: kstrtoull, or kstrtoll if it is signed, with base 0): decimal,
 * `0x` hexadecimal, `0` octal. EINVAL, or ERANGE beyond 64 bits.
 */
function parseAttribute(text: string, isSigned: boolean): bigint {
  const [, sign, digits] = /^([+-]?)(0x[\da-f]+|0[0-7]*|[1-9]\d*)\n?$/i.exec(userText(text, NUMBER_SIZE)) ?? [];
  if (digits === undefined || (sign === '-' && !isSigned)) throw new TraceError('EINVAL', `not a number: ${text.trim()}`);
  const size = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = sign === '-' ? -size : size;
  if (value !== (isSigned ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value)))
    throw new TraceError('ERANGE', `not a number of 64 bits: ${text.trim()}`);
  return value;
}

const attributeFile = (faults: FaultInjection, attribute: FaultAttribute): TraceFile =>
  textFile({
    mode: MODE,
    show: () => `${faults.get(attribute)}\n`,
    store: (text) => faults.set(attribute, parseAttribute(text, SIGNED.includes(attribute))),
  });

/** inject: the functions that are made to fail; a name adds one, `!name` removes it, an empty line removes all (fei_write). */
const injectFile = (faults: FaultInjection): TraceFile =>
  textFile({
    mode: MODE,
    show: () => faults.injected.map(({ name }) => `${name}\n`).join(''),
    async store(text) {
      const name = text.trim();
      if (name === '') await faults.removeAll();
      else if (name.startsWith('!')) await faults.remove(name.slice(1));
      else await faults.inject(name);
    },
  });

/** Every function that can be replaced, and that its calls may return or throw anything. */
const injectableFile = (process: FaultyProcess): TraceFile =>
  readOnly(function* () {
    const functions = process.functions();
    for (const n of functions.numbers()) if (isInjectable(functions, n)) yield `${functionText(functions, n)}\tANY\n`;
  });

const isInjectable = (functions: FunctionTable, n: number): boolean =>
  functions.reason(n) === undefined && !functions.isLoadedBefore(n) && functions.kept(n) === undefined;

const settingFile = (faults: FaultInjection, { name }: InjectedFunction, setting: 'retval' | 'condition'): TraceFile =>
  textFile({
    mode: MODE,
    show() {
      const text = faults.injected.find((one) => one.name === name)?.[setting] ?? '';
      return text === '' ? '' : `${text}\n`;
    },
    store: (text) => faults.change(name, { [setting]: text.trim() }),
  });

/** fail_function/: error injection (Documentation/fault-injection/fault-injection.rst). */
function failFunctionDirectory(process: FaultyProcess): TraceDirectory {
  const { faults } = process;
  const fixed: [string, TraceNode][] = [
    ['inject', injectFile(faults)],
    ['injectable', injectableFile(process)],
    ...Object.entries(ATTRIBUTES).map(([name, attribute]): [string, TraceNode] => [name, attributeFile(faults, attribute)]),
  ];
  return dynamicDirectory(() => {
    const functions = faults.injected.map((one): [string, TraceNode] => [
      one.name,
      directory({ retval: settingFile(faults, one, 'retval'), condition: settingFile(faults, one, 'condition') }),
    ]);
    return new Map([...fixed, ...functions]);
  }, 0o700);
}

/** Error injection's files. */
export const faultsFeature: Feature<FaultyProcess> = {
  name: 'faults',
  files: (process) => ({ fail_function: failFunctionDirectory(process) }),
  help: `
  fail_function/       - echo NAME > inject makes a function fail: NAME/retval is what its calls throw or return
`,
};

import { StapSyntaxError } from './syntax-error.js';
import type { StapToken } from './token.js';

/** What `%( condition %? %)` can ask of. */
export interface ScriptFacts {
  readonly arch: string;
  /** `6.1.0` */
  readonly kernelVersion: string;
  /** `6.1.0-18-amd64` */
  readonly kernelRelease: string;
  /** The version of the language. */
  readonly systemtapVersion: string;
  /** `stapdev`, `stapsys`, `stapusr` */
  readonly privilege: string;
  readonly runtime: string;
  readonly isGuru: boolean;
  /** `y`, `m` or a value of a `CONFIG_` name; "" for one that is not set. */
  config(name: string): string;
}

/** What `%( kernel_v ... %)` is told: the kernel and the language that scripts find here, as verdicts were recorded. */
export const OFFERED_FACTS: ScriptFacts = {
  arch: 'x86_64',
  kernelVersion: '6.1.0',
  kernelRelease: '6.1.0',
  systemtapVersion: '4.8',
  privilege: 'stapdev',
  runtime: 'kernel',
  isGuru: false,
  config: () => '',
};

type FactText = Exclude<keyof ScriptFacts, 'isGuru' | 'config'>;
const VERSIONS: Readonly<Record<string, FactText>> = {
  kernel_v: 'kernelVersion',
  kernel_vr: 'kernelRelease',
  systemtap_v: 'systemtapVersion',
};
const NAMES: Readonly<Record<string, FactText>> = { arch: 'arch', runtime: 'runtime', systemtap_privilege: 'privilege' };

const COMPARE: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
};

/** Whether `left operator right` holds. */
export function isConditionTrue(left: StapToken, operator: StapToken, right: StapToken, facts: ScriptFacts): boolean {
  if (left.kind === 'identifier' && Object.hasOwn(VERSIONS, left.text)) {
    need(right, 'string', 'expected string literal');
    return isVersion(facts[VERSIONS[left.text]!], operator, right.text);
  }
  if (left.kind === 'identifier' && Object.hasOwn(NAMES, left.text)) {
    need(right, 'string', 'expected string literal');
    return isSame(facts[NAMES[left.text]!] === right.text, operator);
  }
  if (left.kind === 'identifier' && left.text === 'guru_mode') {
    need(right, 'number', 'expected number');
    return isSame(Number(facts.isGuru) === Number(right.text), operator);
  }
  if (left.kind === 'identifier' && left.text.startsWith('CONFIG_')) {
    const value = facts.config(left.text);
    if (right.kind !== 'identifier' || !right.text.startsWith('CONFIG_')) return isSame(value === right.text, operator);
    if (!Object.hasOwn(COMPARE, operator.text)) throw complaint('expected comparison operator', operator);
    return COMPARE[operator.text]!(compareNumbers(value, facts.config(right.text)));
  }
  const compare = operator.kind === 'operator' && Object.hasOwn(COMPARE, operator.text) ? COMPARE[operator.text] : undefined;
  if (compare !== undefined && left.kind === 'string') {
    need(right, 'string', 'expected string literal as right value');
    return compare(left.text < right.text ? -1 : Number(left.text > right.text));
  }
  if (compare !== undefined && left.kind === 'number') {
    need(right, 'number', 'expected number literal as right value');
    return compare(Number(left.text) - Number(right.text));
  }
  throw complaint(
    `expected 'arch', 'kernel_v', 'kernel_vr', 'systemtap_v',
             'runtime', 'systemtap_privilege', 'CONFIG_...', or
             comparison between strings or integers`,
    left,
  );
}

/** Two settings: as numbers if both are. */
function compareNumbers(left: string, right: string): number {
  const areNumbers = /^\d+$/.test(left) && /^\d+$/.test(right);
  return areNumbers ? Number(left) - Number(right) : Number(left > right) - Number(left < right);
}

function complaint(message: string, token: StapToken): StapSyntaxError {
  return new StapSyntaxError(token.problem ?? message, 'at', token, token.source, `condition: ${message}`);
}
function need(token: StapToken, kind: StapToken['kind'], message: string): void {
  if (token.kind !== kind) throw complaint(message, token);
}

function isSame(isEqual: boolean, operator: StapToken): boolean {
  if (operator.kind !== 'operator' || (operator.text !== '==' && operator.text !== '!=')) {
    throw complaint("expected '==' or '!='", operator);
  }
  return isEqual === (operator.text === '==');
}

function isVersion(version: string, operator: StapToken, wanted: string): boolean {
  if (operator.kind !== 'operator' || !Object.hasOwn(COMPARE, operator.text)) {
    throw complaint('expected comparison operator', operator);
  }
  if (!/[*?[]/.test(wanted)) return COMPARE[operator.text]!(compareVersions(version, wanted));
  if (operator.text !== '==' && operator.text !== '!=') {
    throw complaint('wildcard not allowed with order comparison operators', operator);
  }
  return isSame(globPattern(wanted).test(version), operator);
}

/** A shell's pattern as an expression: `*`, `?`, `[a-z]`, `[!a]`. */
function globPattern(glob: string): RegExp {
  const parts = glob.match(/\[[!^]?\]?[^\]]*\]|[\s\S]/g) ?? [];
  const pattern = parts.map((part) => {
    if (part === '*') return '[\\s\\S]*';
    if (part === '?') return '[\\s\\S]';
    if (part.length === 1) return part.replace(/\W/, '\\$&');
    const inside = part.slice(1, -1);
    const negation = /^[!^]/.test(inside) ? '^' : '';
    return `[${negation}${inside.slice(negation.length).replace(/[\\[\]^]/g, '\\$&')}]`;
  });
  try {
    return new RegExp(`^${pattern.join('')}$`);
  } catch {
    // A range whose end is before its start matches nothing.
    return /(?!)/;
  }
}

/** Less than 0 if `left` is the older version: numbers in it count as such. */
export function compareVersions(left: string, right: string): number {
  const lefts = left.match(/\d+|\D+/g) ?? [];
  const rights = right.match(/\d+|\D+/g) ?? [];
  for (let index = 0; index < Math.min(lefts.length, rights.length); index++) {
    const [a, b] = [lefts[index]!, rights[index]!];
    const order = /^\d/.test(a) && /^\d/.test(b) ? Number(a) - Number(b) : Number(a > b) - Number(a < b);
    if (order !== 0) return order;
  }
  return lefts.length - rights.length;
}

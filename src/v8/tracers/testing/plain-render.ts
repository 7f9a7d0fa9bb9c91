import { types } from 'node:util';
import { textLimits } from '../text-limits.js';

/**
 * What renderValue() is to write, in the plainest way: a string put together, and cut at the end. It may run the program's
 * code, and is for values without Dates, Maps and other built-in classes.
 */
export function plainRender(value: unknown): string {
  return firstBytes(text(value, false));
}

const isControl = (c: string): boolean => /[\p{Cc}\u2028\u2029]/u.test(c);
const isLone = (c: string): boolean => c.length === 1 && c >= '\ud800' && c <= '\udfff';
const ESCAPES: Record<string, string> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const shown = (name: string, most: number, of: (character: string) => string): string =>
  [...name.slice(0, most)].map((c) => (isLone(c) ? '\ufffd' : of(c))).join('') + (name.length > most ? '…' : '');
const plain = (name: string, most = Infinity): string => shown(name, most, (c) => (isControl(c) ? '?' : c));
const quoted = (name: string): string => `"${shown(name, 40, (c) => ESCAPES[c] ?? (isControl(c) ? '\\?' : c))}"`;

function text(value: unknown, nested: boolean): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'function') return value.name === '' ? '[function]' : `[function ${plain(value.name, 40)}]`;
  if (typeof value === 'symbol') return `Symbol(${plain(value.description ?? '', 40)})`;
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'object' || value === null) return String(value);
  if (types.isProxy(value)) return '[Proxy]';
  return Array.isArray(value) ? arrayText(value, nested) : objectText(value, nested);
}

function arrayText(value: unknown[], nested: boolean): string {
  if (nested) return value.length === 0 ? '[]' : `[… ${value.length}]`;
  const first = ['0', '1', '2'].slice(0, value.length).map((key) => memberText(value, key));
  return `[${first.join(', ')}${value.length > 3 ? `, … of ${value.length}` : ''}]`;
}

function objectText(value: object, nested: boolean): string {
  const name = className(value);
  const keys = Object.keys(value);
  const before = name === 'Object' ? '' : plain(name, 40);
  if (nested || keys.length > 64) return `${before}{…}`;
  const first = keys.slice(0, 3).map((key) => `${plain(key, 24)}: ${memberText(value, key)}`);
  return `${before}{${first.join(', ')}${keys.length > 3 ? ', …' : ''}}`;
}

function memberText(object: object, key: string): string {
  const descriptor = Object.getOwnPropertyDescriptor(object, key);
  if (descriptor === undefined) return '';
  return descriptor.get !== undefined || descriptor.set !== undefined ? '[getter]' : text(descriptor.value, true);
}

function className(object: object): string {
  let prototype: object | null = Object.getPrototypeOf(object);
  for (let i = 0; i < 4 && prototype !== null; i++) {
    const maker: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
    if (typeof maker === 'function') return maker.name;
    prototype = Object.getPrototypeOf(prototype);
  }
  return '';
}

function firstBytes(whole: string): string {
  let bytes = 0;
  let cut = '';
  for (const character of whole) {
    bytes += Buffer.byteLength(character);
    if (bytes > textLimits.value) break;
    cut += character;
  }
  return cut;
}

import { C_TYPES, type Long } from '../c-types.js';
import type { EventDefinition, ValuesOf } from '../define.js';
import type { FieldSpec } from '../fields.js';
import { type RecordBytes, readersOf } from '../read-fields.js';

type Random = (below: number) => number;

const TEXT = 'aZ0 _äß→😀';

function randomInteger({ type, isAddress }: FieldSpec, random: Random): Long {
  const { size } = C_TYPES[type];
  const signed = C_TYPES[type].signed || isAddress;
  const bits = BigInt(size * 8);
  const value = ((BigInt(random(2 ** 32)) << 32n) | BigInt(random(2 ** 32))) >> BigInt(random(size * 8));
  const integer = signed ? BigInt.asIntN(size * 8, value) : value & ((1n << bits) - 1n);
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
}

function randomValue(spec: FieldSpec, random: Random): unknown {
  if (spec.shape === 'one') return randomInteger(spec, random);
  if (spec.type === 'char') {
    if (spec.shape === 'rest') return Uint8Array.from({ length: random(9) * 4 }, () => random(256));
    const text = Array.from({ length: random(spec.shape === 'array' ? 4 : 20) }, () => [...TEXT][random(9)]).join('');
    return Buffer.byteLength(text) < spec.count || spec.shape === 'dynamic' ? text : '';
  }
  const count = spec.shape === 'array' ? spec.count : random(5) * 4;
  return Array.from({ length: count }, () => randomInteger(spec, random));
}

/** Any values that a record of the event can have. */
export const randomValues = <E extends EventDefinition>(event: E, random: Random): ValuesOf<E> =>
  Object.fromEntries(Object.entries(event.specs).map(([name, spec]) => [name, randomValue(spec, random)])) as ValuesOf<E>;

/** All values of a record. */
export const readValues = <E extends EventDefinition>(event: E, record: RecordBytes): ValuesOf<E> =>
  Object.fromEntries(
    Object.entries(readersOf(event)).map(([name, read]) => [name, (read as (record: RecordBytes) => unknown)(record)]),
  ) as ValuesOf<E>;

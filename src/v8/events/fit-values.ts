import { C_TYPES } from '../../events/c-types.js';
import type { TraceEvent } from '../../events/define.js';
import { isArray, isText, limitOf, type Slot, slotsOf } from './record-slots.js';

/** Integers of up to 32 bits: what the type keeps of an integer of 32 bits. */
const NARROW: Readonly<Record<string, (value: string) => string>> = {
  '1true': (value) => `${value} << 24 >> 24`,
  '1false': (value) => `${value} & 0xff`,
  '2true': (value) => `${value} << 16 >> 16`,
  '2false': (value) => `${value} & 0xffff`,
  '4true': (value) => `${value} | 0`,
  '4false': (value) => `${value} >>> 0`,
};

function fitted(slot: Slot, limit: number): string {
  const { spec, value } = slot;
  const { size, signed } = C_TYPES[spec.type];
  if (isText(slot)) {
    const text = `if (typeof ${value} !== "string") ${value} = textOf(${value});`;
    const cut = spec.shape === 'array' ? `cutText(${value}, ${spec.count})` : `shortText(${value})`;
    return `${text} ${value} = ${cut};`;
  }
  if (isArray(slot)) {
    const most = spec.shape === 'array' ? spec.count : Math.floor(limit / size);
    return `${value} = elementsOf(${value}, ${most}, ${signed});`;
  }
  if (size === 8) {
    // An address is the number that its 64 bits are with their sign.
    const isSigned = signed || spec.isAddress;
    const isExact = `typeof ${value} === "number" && ${value} === floor(${value}) && ${value} < 9007199254740992`;
    const least = isSigned ? `${value} > -9007199254740992` : `${value} >= 0`;
    return `if (!(${isExact} && ${least})) ${value} = ${isSigned ? 's64Of' : 'u64Of'}(${value});`;
  }
  const narrow = NARROW[`${size}${signed}`]!;
  if (spec.type === 'bool') return `${value} = ${value} === true || (typeof ${value} === "number" && ${value} !== 0) ? 1 : 0;`;
  return `${value} = ${narrow(`(typeof ${value} === "number" ? ${value} : intOf(${value}))`)};`;
}

/** Statements that make each value one of its field's type: what the record will hold. */
export function fitValues(event: TraceEvent): string {
  const slots = slotsOf(event);
  const limit = limitOf(slots);
  return slots.map((slot) => fitted(slot, limit)).join('\n');
}

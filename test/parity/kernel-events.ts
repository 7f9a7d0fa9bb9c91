import { readFileSync } from 'node:fs';
import type { CType } from '../../src/events/c-types.js';
import { defineEvent, type EventDefinition } from '../../src/events/define.js';
import { array, dynamic, type EventField, type FieldSpec, one } from '../../src/events/fields.js';
import { parseFormat } from '../../src/events/format-parse.js';

const FORMATS = new URL('../../../test/parity/golden/kernel-events.txt', import.meta.url);

function specOf({ type, array: count }: EventField): FieldSpec {
  const [, element] = /^__data_loc (.*)\[\]$/.exec(type) ?? [];
  if (element !== undefined) return dynamic(element as CType);
  return count === '' ? one(type as CType) : array(type as CType, Number(count.slice(1, -1)));
}

function eventOf(system: string, text: string): EventDefinition {
  const { name, fields, print } = parseFormat(system, text);
  const specs = Object.fromEntries(Object.entries(fields).map(([field, shown]) => [field, specOf(shown)]));
  return defineEvent(system, name, { fields: specs, print, hasId: true, hasTrigger: true });
}

/** Some of the real kernel's events, of which the scripts speak, in the kernel's order. */
export const kernelEvents = (): readonly EventDefinition[] =>
  readFileSync(FORMATS, 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((text) => eventOf(text.slice(0, text.indexOf('\n')), text));

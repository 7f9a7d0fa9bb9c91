import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FTRACE_EVENTS } from './ftrace-events.js';

test('addresses are the fields that an event prints as symbols', () => {
  for (const event of Object.values(FTRACE_EVENTS)) {
    const fields: Readonly<Record<string, { readonly offset: number }>> = event.fields;
    const printed = Array.from(event.print.matchAll(/\(void \*\)REC->(\w+)/g), ([, field]) => fields[field!]!.offset);
    assert.deepEqual(
      event.addresses.map(({ offset }) => offset),
      [...new Set(printed)],
      event.name,
    );
  }
});

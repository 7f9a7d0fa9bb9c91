import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressFields } from './address-fields.js';
import { type EventFormat, FTRACE_EVENTS } from './ftrace-events.js';

test('addresses are the fields that an event prints as symbols', () => {
  for (const [name, format] of Object.entries(FTRACE_EVENTS) as [string, EventFormat][]) {
    const printed = Array.from(format.print.matchAll(/\(void \*\)REC->(\w+)/g), ([, field]) => format.fields[field!]);
    assert.deepEqual(addressFields(format), [...new Set(printed)], name);
  }
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERRNO, TraceError } from '../../src/base/errno.js';
import { defineEvent } from '../../src/events/define.js';
import { dynamic, one } from '../../src/events/fields.js';
import { eventSwitchOf } from '../../src/events/set-event-word.js';
import { parseTrigger, type Trigger } from '../../src/events/trigger/parse-trigger.js';
import { AVAILABLE_TRIGGERS } from '../../src/events/trigger/trigger-commands.js';
import { addTrigger, triggerLine, triggerToRemove } from '../../src/events/trigger/trigger-list.js';

/** Each thing that was written, and the kernel's answer. */
const golden = (name: string): readonly (readonly [written: string, answer: string])[] =>
  readFileSync(new URL(`../../../test/parity/golden/${name}.txt`, import.meta.url), 'utf8')
    .split(/^--- /m)
    .slice(1)
    .map((fact) => [fact.slice(0, fact.indexOf('\n')), fact.slice(fact.indexOf('\n') + 1)]);

test('triggers are added, removed, refused and listed as in Linux', () => {
  const event = defineEvent('kprobes', 'pe', { fields: { a: one('s32'), d: dynamic('char') }, print: '""' });
  const known = ['task:task_rename', 'task:task_newtask', 'signal:signal_generate', 'signal:signal_deliver', 'kprobes:pe'];
  const scope = { event, hasEvent: (one: { system: string; event: string }) => known.includes(`${one.system}:${one.event}`) };
  let triggers: readonly Trigger[] = [];
  const write = (text: string): string => {
    try {
      const written = parseTrigger(text, scope);
      if (written.action === 'add') triggers = addTrigger(triggers, written.trigger);
      else if (written.action === 'remove') {
        const gone = triggerToRemove(triggers, written);
        triggers = triggers.filter((one) => one !== gone);
      }
      return '';
    } catch (error) {
      assert.ok(error instanceof TraceError, String(error));
      return ERRNO[error.errno][1];
    }
  };
  const facts = golden('triggers');
  assert.ok(facts.length > 90);
  for (const [written, answer] of facts) {
    const refused = write(`${written}\n`);
    const list = triggers.map((one) => triggerLine(one)).join('') || AVAILABLE_TRIGGERS;
    assert.equal(`${refused}\n${list}`, answer, written);
  }
});

test('words of set_event mean the events that they mean in Linux', () => {
  const [[, all], ...facts] = golden('set-event-words') as [readonly [string, string], ...(readonly [string, string])[]];
  const events = all
    .trim()
    .split('\n')
    .map((line) => ({ system: line.split(':')[0]!, name: line.split(':')[1]! }));
  const enabled = new Set<(typeof events)[number]>();
  const write = (words: string): string => {
    for (const word of words.split(' ')) {
      const { enable, events: meant } = eventSwitchOf(word, events);
      if (meant.length === 0) return ERRNO.EINVAL[1];
      for (const event of meant) {
        if (enable) enabled.add(event);
        else enabled.delete(event);
      }
    }
    return '';
  };
  assert.ok(facts.length > 35);
  for (const [words, answer] of facts) {
    const refused = write(words);
    const shown = events.filter((event) => enabled.has(event)).map(({ system, name }) => `${system}:${name}\n`);
    assert.equal(`${refused}\n${shown.join('')}`, answer, words);
  }
});

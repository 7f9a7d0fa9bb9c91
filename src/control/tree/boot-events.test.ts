import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TraceError } from '../../base/errno.js';
import { nextTurn } from '../../base/next-turn.js';
import { directory } from '../tracefs/path.js';
import { textFile } from '../tracefs/text-file.js';
import { BootEvents } from './boot-events.js';

/** The control files of events of a tree that only logs, and what was complained of. */
function createEvents() {
  const log: string[] = [];
  const complaints: string[] = [];
  const file = (path: string) =>
    textFile({
      mode: 0o640,
      show: () => '',
      store(text) {
        if (text.includes('bad')) throw new TraceError('EINVAL', 'Field not found');
        log.push(`${text.trim()} > ${path}`);
      },
    });
  const order = directory(Object.fromEntries(['enable', 'filter', 'trigger'].map((name) => [name, file(name)])));
  const tree = directory({ events: directory({ shop: directory({ order }) }) });
  return { events: new BootEvents(tree, (message) => complaints.push(message)), log, complaints };
}

test('what is asked of an event holds when it comes', async () => {
  const { events, log, complaints } = createEvents();
  events.add('', [
    { pattern: 'shop:*', enable: true, filter: 'id > 2' },
    { pattern: 'gc', enable: true },
    { pattern: ':order', triggers: ['traceoff:1'] },
  ]);
  events.came({ system: 'shop', name: 'order' });
  await nextTurn();
  assert.deepEqual(log, ['id > 2 > filter', '1 > enable', 'traceoff:1 > trigger']);
  assert.deepEqual(complaints, []);
});

test('what is refused is said, and the rest holds; an instance that is gone asks for nothing', async () => {
  const { events, log, complaints } = createEvents();
  events.add('', [{ pattern: 'order', enable: true, filter: 'bad == 1' }]);
  events.add('instances/gone/', [{ pattern: 'order', enable: true }]);
  events.came({ system: 'shop', name: 'order' });
  await nextTurn();
  assert.deepEqual(log, ['1 > enable']);
  assert.deepEqual(complaints, [`writing 'bad == 1' to events/shop/order/filter: Field not found`]);
});

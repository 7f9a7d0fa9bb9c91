import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnnouncedText, PortEvent, TracedThread } from '../../port/port.js';
import { createControlBlock, THREAD_WORD, threadWord, WORD } from '../shared/control-block.js';
import type { ThreadEvent } from '../shared/protocol.js';
import { TextLog } from '../shared/text-log.js';
import { linkEvent } from './testing/link-event.js';
import { TextLogs } from './text-logs.js';
import type { ThreadConnection } from './thread-connection.js';
import { takeThreadEvent } from './thread-events.js';

/** A port with one thread, which reports `event`s, and what its listener was told. */
function createPort() {
  const thread = { cpu: 2, tid: 7 } as ThreadConnection;
  const block = createControlBlock();
  const announcements = new TextLogs(block);
  const names: string[] = [];
  const log: PortEvent[] = [];
  const take = (texts: readonly AnnouncedText[]): void => {
    for (const { thread: from, link } of texts) {
      for (const { name } of link.read().functions) names.push(name);
      announcements.done(from);
    }
  };
  const listener = {
    announced: () => take(announcements.take()),
    linked: take,
    told: (_thread: TracedThread, event: PortEvent) => void log.push(event),
  };
  const port = {
    block,
    announcements,
    listener,
    threads: { reachWorkers: async () => {} },
    loadedScripts: undefined,
    beats: new Map(),
    lostCycles() {},
  };
  return { block, names, log, tell: (event: ThreadEvent) => takeThreadEvent(port, thread, event) };
}

describe('what JavaScript threads report', () => {
  it('a text is linked, and a thread that waits for its patches can continue', () => {
    const { tell, block, names } = createPort();
    tell({ type: 'link', link: linkEvent(0, ['read', 'write']) });
    assert.deepEqual([names, block[threadWord(2, THREAD_WORD.LINKS_DONE)]], [['read', 'write'], 1]);
  });

  it('a text that a thread has written down is taken before anything else that it tells', () => {
    const { tell, block, names, log } = createPort();
    const memory = TextLog.create();
    const written = new TextLog(memory);
    written.put(linkEvent(0, ['read', 'write']));
    tell({ type: 'texts', memory });
    written.put(linkEvent(2, ['close']));
    tell({ type: 'end' });
    assert.deepEqual([names, log], [['read', 'write', 'close'], [{ type: 'end' }]]);
    assert.equal(block[threadWord(2, THREAD_WORD.LINKS_DONE)], 2);
  });

  it('a dump is counted when it is written, so that the thread goes on', () => {
    const { tell, log, block } = createPort();
    tell({ type: 'dump', cpu: 2 });
    assert.deepEqual([log, block[WORD.DUMPS_DONE]], [[{ type: 'dump', cpu: 2 }], 1]);
  });

  it('a function without a place for a breakpoint is one that cannot be reached, and why', () => {
    const { tell, log } = createPort();
    tell({ type: 'unreached', n: 3 });
    assert.deepEqual(log, [{ type: 'unreached', n: 3, why: 'V8 has no place for a breakpoint, or there are too many' }]);
  });
});

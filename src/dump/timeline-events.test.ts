import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadValue, Track, VisitedEvent } from '../output/trace-dat/calls/call-visitor.js';
import { TimelineEvents, type TimelineSink } from './timeline-events.js';

const TRACK: Track = {
  index: 0,
  name: 'node',
  tid: 7,
  number: 7,
  process: { pid: 7, name: 'node' },
  instance: '',
  hasContexts: false,
};
const ids = new Map<string, number>();

/** An event `system:name` with these fields. */
function anEvent(time: number, full: string, values: Readonly<Record<string, ReadValue>>): VisitedEvent {
  const [system = '', name = ''] = full.split(':');
  if (!ids.has(full)) ids.set(full, 2000 + ids.size);
  const field = { type: 'u64', array: '', offset: 8, size: 8, signed: false };
  const fields = Object.fromEntries(Object.keys(values).map((one) => [one, field]));
  return {
    track: TRACK,
    time,
    format: { id: ids.get(full)!, system, name, fields, print: '' },
    context: 7,
    fields: Object.keys(values),
    read: (one) => values[one],
    text: () => '',
  };
}

/** What a viewer is told of events, without the events themselves. */
function told(events: readonly VisitedEvent[]): readonly string[] {
  const lines: string[] = [];
  const sink: TimelineSink = {
    event: ({ format, time }, flow) => void (flow !== undefined && lines.push(`${time} ${format.name} begins flow ${flow}`)),
    begin: ({ kind, lane, title }, time) => void lines.push(`${time} ${kind}/${lane} begins: ${title}`),
    end: ({ kind, lane }, time, event) =>
      void lines.push(`${time} ${kind}/${lane} ends${event === undefined ? ' without an event' : ''}`),
    run: (_track, { pid, comm }, time, flow) =>
      void lines.push(`${time} ${comm}-${pid} runs${flow === undefined ? '' : `, flow ${flow}`}`),
    pause: (_track, { pid, comm }, time) => void lines.push(`${time} ${comm}-${pid} pauses`),
    counter: (_track, { name }, time, value) => void lines.push(`${time} ${name}: ${value}`),
  };
  const timeline = new TimelineEvents(sink);
  timeline.hasContexts = true;
  for (const event of events) timeline.take(event);
  timeline.finish();
  return lines;
}

const request = (time: number, name: string, id: number, url = ''): VisitedEvent =>
  anEvent(time, `http:server_request_${name}`, name === 'start' ? { id, method: 'GET', url } : { id, status: 200 });

test('stretches that overlap have lanes, and a free lane is used again', () => {
  const events = [request(1, 'start', 1, '/a'), request(2, 'start', 2, '/b'), request(3, 'end', 1), request(4, 'start', 3, '/c')];
  assert.deepEqual(told([...events, request(5, 'end', 3)]), [
    '1 requests/0 begins: GET /a',
    '2 requests/1 begins: GET /b',
    '3 requests/0 ends',
    '4 requests/0 begins: GET /c',
    '5 requests/0 ends',
    '5 requests/1 ends without an event',
  ]);
});

test('an end without a beginning is nothing, and a beginning without its end ends with the next one', () => {
  assert.deepEqual(
    told([request(1, 'end', 9), request(2, 'start', 1, '/a'), request(3, 'start', 1, '/b'), request(4, 'end', 1)]),
    ['2 requests/0 begins: GET /a', '3 requests/0 ends without an event', '3 requests/0 begins: GET /b', '4 requests/0 ends'],
  );
});

test('a collection is where it was, and so is what was in use then', () => {
  const gc = { kind: 'scavenge', start: 100, duration: 20, heap_before: 5000, heap_after: 3000 };
  assert.deepEqual(told([anEvent(900, 'gc:gc', gc)]), [
    '100 collections/0 begins: scavenge',
    '120 collections/0 ends without an event',
    '100 heap used: 5000',
    '120 heap used: 3000',
  ]);
});

test('a context runs from one switch to the next, because of the first event that let it', () => {
  const waking = (time: number, pid: number): VisitedEvent => anEvent(time, 'sched:sched_waking', { pid });
  const next = (time: number, pid: number): VisitedEvent =>
    anEvent(time, 'sched:sched_switch', { next_pid: pid, next_comm: pid === 0 ? 'swapper/0' : 'PROMISE' });
  assert.deepEqual(told([waking(1, 5), waking(2, 5), next(3, 5), next(4, 0), next(5, 6), next(6, 5)]), [
    '1 sched_waking begins flow 1',
    '3 PROMISE-5 runs, flow 1',
    '4 PROMISE-5 pauses',
    '5 PROMISE-6 runs',
    '6 PROMISE-6 pauses',
    '6 PROMISE-5 runs',
    '6 PROMISE-5 pauses',
  ]);
});

test('the loop is used as much as it does not sleep between two awakenings', () => {
  const idle = (time: number, isAwake: boolean): VisitedEvent =>
    anEvent(time, 'power:cpu_idle', { state: isAwake ? 4_294_967_295 : 1 });
  const events = [idle(0, false), idle(100, true), idle(125, false), idle(200, true), idle(300, false), idle(300, true)];
  assert.deepEqual(told(events), ['100 event loop utilization: 25', '200 event loop utilization: 100']);
});

test('handles and requests of the thread pool are counted while they are open', () => {
  const fork = (time: number, pid: number, comm: string): VisitedEvent =>
    anEvent(time, 'sched:sched_process_fork', { child_pid: pid, child_comm: comm });
  const exit = (time: number, pid: number): VisitedEvent => anEvent(time, 'sched:sched_process_exit', { pid });
  const work = (time: number, name: string, id: number): VisitedEvent =>
    anEvent(time, `workqueue:workqueue_${name}`, { work: id });
  assert.deepEqual(
    told([fork(1, 10, 'TCPWRAP'), fork(2, 11, 'PROMISE'), fork(3, 12, 'Timeout'), exit(4, 12), exit(5, 11), exit(6, 99)]),
    ['1 handles: 1', '3 handles: 2', '4 handles: 1'],
  );
  assert.deepEqual(
    told([work(1, 'queue_work', 1), work(2, 'queue_work', 2), work(3, 'execute_end', 1), work(4, 'execute_end', 7)]),
    ['1 thread pool queue: 1', '2 thread pool queue: 2', '3 thread pool queue: 1'],
  );
});

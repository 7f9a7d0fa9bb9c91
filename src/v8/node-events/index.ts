import { defineEvent, type EventDefinition } from '../../events/define.js';
import { nameCells } from '../../tracepoint/define-trace.js';
import { TRACEPOINT_CELLS } from '../shared/tracepoint-cells.js';
import { diagnosticsChannels } from './channels/diagnostics-channel.js';
import { cpuhp } from './cpuhp.js';
import { dns } from './dns.js';
import { exceptions } from './exceptions.js';
import { fieldSpecs } from './field-specs.js';
import { fs } from './fs.js';
import { gc } from './gc.js';
import { http } from './http.js';
import { irq } from './irq.js';
import { kmem } from './kmem.js';
import { module } from './module.js';
import { net } from './net.js';
import type { NodeEventSystem, SourceThread } from './node-event-system.js';
import { otel } from './otel/otel.js';
import { power } from './power.js';
import { printk } from './printk.js';
import { sched } from './sched/sched.js';
import { signal } from './signal.js';
import { sock } from './sock.js';
import { rawSyscalls, syscalls } from './syscalls.js';
import { task } from './task.js';
import { timer } from './timer.js';
import { workqueue } from './workqueue.js';

/** All systems of Node's own events. */
export const NODE_EVENTS: readonly NodeEventSystem[] = [
  cpuhp,
  diagnosticsChannels,
  dns,
  exceptions,
  fs,
  gc,
  http,
  irq,
  kmem,
  module,
  net,
  otel,
  power,
  printk,
  rawSyscalls,
  sched,
  signal,
  sock,
  syscalls,
  task,
  timer,
  workqueue,
];

export { shareUntracedFileWork } from '../../base/untraced-fs.js';
export { shareStandIns } from '../realm/lookalike.js';

/** Declares the events of a system in a thread of the program; nothing if it is not one of Node's. */
export function loadNodeEvents(system: string, thread: SourceThread): void {
  nameCells(TRACEPOINT_CELLS);
  NODE_EVENTS.find((one) => one.system === system)?.declare(thread);
}

/** Declares an event that another thread has found. */
export function meetNodeEvent(system: string, event: string, source: string, thread: SourceThread): void {
  NODE_EVENTS.find((one) => one.system === system)?.meet?.(thread, event, source);
}

/** The definitions of all these events, for the control side. */
export const nodeEventDefinitions = (): readonly EventDefinition[] =>
  NODE_EVENTS.flatMap(({ system, events }) =>
    Object.entries(events).map(([name, { args, fields, print, takesFunctions }]) =>
      defineEvent(system, name, {
        args: args as readonly string[],
        fields: fieldSpecs(fields),
        print,
        hasId: true,
        hasTrigger: true,
        ...(takesFunctions && { takesFunctions }),
      }),
    ),
  );

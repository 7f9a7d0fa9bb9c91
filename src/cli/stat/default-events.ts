import type { EventRequest } from '../../events/event-request.js';

/**
 * What is counted if nothing is named: what a server does, from events whose sources cost little. Those of sched, task, irq,
 * timer, workqueue and power need an async hook, which slows promises down.
 */
const NAMES = [
  'gc:gc',
  'module:module_load',
  'cpuhp:cpuhp_enter',
  'fs:op_start',
  'net:net_dev_queue',
  'net:netif_receive_skb',
  'dns:lookup_start',
  'http:server_request_start',
  'http:client_request_start',
  'exceptions:uncaught_exception',
  'exceptions:unhandled_rejection',
  'exceptions:warning',
  'printk:console',
] as const;

/** Node's own events that `fentry stat` counts by default. */
export const DEFAULT_EVENTS: readonly EventRequest[] = NAMES.map((pattern) => ({ pattern }));

import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline } from './deadline.js';
import { listeningPorts } from './listening-ports.js';

/** How long an inspector may take to close, and how often it is looked at: milliseconds. */
const CLOSING = 1000;
const LOOK = 10;

/** What to tell of an inspector that listens although it should be closed; undefined when it is. */
export async function inspectorLeft(pid: number, port: number): Promise<string | undefined> {
  for (const deadline = new Deadline(CLOSING); listeningPorts(pid).includes(port); await sleep(LOOK)) {
    if (deadline.isOver) return `the inspector of process ${pid} listens on port ${port}, open to every user of this machine`;
  }
  return undefined;
}

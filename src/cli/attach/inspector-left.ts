import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline } from './deadline.js';
import { listeningPorts } from './listening-ports.js';

/** How long an inspector may take to close, and the interval between checks: milliseconds. */
const CLOSING = 1000;
const LOOK = 10;

/** The warning about an inspector that still listens although it should be closed; undefined if it is closed. */
export async function inspectorLeft(pid: number, port: number): Promise<string | undefined> {
  for (const deadline = new Deadline(CLOSING); listeningPorts(pid).includes(port); await sleep(LOOK)) {
    if (deadline.isOver) return `the inspector of process ${pid} listens on port ${port}, open to every user of this machine`;
  }
  return undefined;
}

import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { attempt } from '../base/attempt.js';

const NODE = /^node(js)?[\d.]*$/;

/** The pids of the user's processes of Node, in the order of /proc. */
export function nodePids(uid = process.geteuid?.() ?? 0): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    const isNode = NODE.test(basename(attempt(() => readlinkSync(`/proc/${pid}/exe`)) ?? ''));
    return isNode && attempt(() => statSync(`/proc/${pid}`))?.uid === uid ? [pid] : [];
  });
}

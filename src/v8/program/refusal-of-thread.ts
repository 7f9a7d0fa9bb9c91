import { PAGE } from '../../base/page.js';
import { readFileSync } from '../../base/untraced-fs.js';
import { nodeWords, optionName } from '../loader/node-words.js';

const SNAPSHOT = 'snapshot';
const STREAMS = 'Internal Binding stream_wrap';
/** The first major version whose workers do not have this defect. */
const MENDED = 26;

/** Whether the program was started from a snapshot of the user's, or is an application of one file, which may have one inside. */
const isFromSnapshot = (): boolean => {
  const { argv, execPath } = process;
  return argv[1] === execPath || nodeWords().some((word) => optionName(word) === SNAPSHOT);
};

/**
 * Whether Node would abort the process if a worker loaded `net`, as the control thread does: workers of a program that was
 * started from a snapshot find Node's templates of streams in the snapshot, where the program had loaded them, and make them a
 * second time.
 */
const hasSnapshotOfStreams = (): boolean => {
  if (Number.parseInt(process.versions.node, 10) >= MENDED || !isFromSnapshot()) return false;
  const { moduleLoadList = [] } = process as unknown as { moduleLoadList?: readonly string[] };
  return moduleLoadList.includes(STREAMS);
};

/** Bytes that V8 reserves for one more thread, rounded up: 545 MB on Node 20 and 22, up to 860 MB on Node 24 and 26. */
const THREAD_RESERVES = 2 ** 30;

/**
 * What the limit of the process's address space (`ulimit -v`) leaves, in bytes, if that may be too little for a thread: V8 would
 * end the process, and no JavaScript could catch it. Undefined if it is enough.
 */
function scarceAddressSpace(): number | undefined {
  try {
    const limit = /^Max address space +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (limit === undefined) return undefined;
    const left = Number(limit) - Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[0]) * PAGE;
    return left < THREAD_RESERVES ? Math.max(0, left) : undefined;
  } catch {
    return undefined;
  }
}

const SNAPSHOT_REFUSED =
  'nothing is traced: the program was started from a snapshot that has loaded streams, and Node before 26 would abort it when another thread loads them';

/** Why Node or V8 would end the process when another thread starts; undefined if one can. */
export function refusalOfThread(): string | undefined {
  if (hasSnapshotOfStreams()) return SNAPSHOT_REFUSED;
  const left = scarceAddressSpace();
  return left === undefined
    ? undefined
    : `nothing is traced: the limit of the address space (ulimit -v) leaves ${Math.floor(left / 2 ** 20)} MiB, and V8 ends a process that cannot reserve some 1024 MiB for another thread`;
}

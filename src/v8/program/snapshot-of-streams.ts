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
export const hasSnapshotOfStreams = (): boolean => {
  if (Number.parseInt(process.versions.node, 10) >= MENDED || !isFromSnapshot()) return false;
  const { moduleLoadList = [] } = process as unknown as { moduleLoadList?: readonly string[] };
  return moduleLoadList.includes(STREAMS);
};

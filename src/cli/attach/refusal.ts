import { TraceError } from '../../base/errno.js';
import { describeWait } from '../../base/thread-state.js';
import type { ProcessFacts } from './process-facts.js';

/** Node releases that fentry runs in. */
const OLDEST = 20;

interface Rule {
  readonly errno: ConstructorParameters<typeof TraceError>[0];
  /** Why fentry cannot attach to the process; undefined if this rule allows it. */
  readonly against: (facts: ProcessFacts, uid: number) => string | undefined;
}

const RULES: readonly Rule[] = [
  {
    errno: 'ESRCH',
    against: ({ state }) => (state === 'Z' || state === 'X' ? 'has ended' : undefined),
  },
  {
    errno: 'EPERM',
    against: ({ uid: owner }, uid) =>
      uid !== 0 && owner !== uid ? `belongs to user ${owner}: only that user and root may attach to it` : undefined,
  },
  {
    errno: 'EINVAL',
    against: ({ node, executable }) =>
      node === undefined ? `does not run Node.js: it runs ${executable || 'no program'}` : undefined,
  },
  {
    errno: 'EINVAL',
    against: ({ node = '' }) =>
      Number.parseInt(node, 10) < OLDEST ? `runs Node.js ${node}: fentry needs ${OLDEST} or newer` : undefined,
  },
  {
    errno: 'EXDEV',
    against: ({ pids, seesAgent, sameNetwork, pid }) => {
      if (pids.length <= 1 && seesAgent && sameNetwork) return undefined;
      if (pids.length > 1) return `is process ${pids.at(-1)} of a container: install fentry in the container and run it there`;
      if (!sameNetwork) return `is in another network namespace: nsenter -t ${pid} -n fentry attach ${pid}`;
      return 'does not see the files of this fentry (chroot, or another mount namespace): install fentry where the process sees it';
    },
  },
  {
    errno: 'EAGAIN',
    against: ({ state }) =>
      state === 'T' || state === 't' ? describeWait({ state, syscall: undefined, wchan: '', children: [] }) : undefined,
  },
];

/** Why fentry cannot attach to a process, by the first rule that forbids it. */
export function refusal(facts: ProcessFacts, uid: number): TraceError | undefined {
  for (const { errno, against } of RULES) {
    const words = against(facts, uid);
    if (words !== undefined) return new TraceError(errno, `process ${facts.pid} ${words}`);
  }
  return undefined;
}

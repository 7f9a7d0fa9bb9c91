import { readFileSync } from 'node:fs';
import { attempt } from '../../base/attempt.js';
import { type Errno, TraceError } from '../../base/errno.js';
import { threadName } from './tasks.js';

/** What decides whether a process may be changed. */
export interface AccessFacts {
  readonly pid: number;
  /** The process that it is, or is a thread of. */
  readonly process: number;
  /** How many threads it has. */
  readonly threads: number;
  /** The process that started it. */
  readonly parent: number;
  /** The letter of its main thread's state. */
  readonly state: string;
  /** The process's effective user id. */
  readonly uid: number;
  /** The process that traces it by ptrace; 0: none. */
  readonly tracer: number;
  /** 0: none; 1: strict; 2: filters. */
  readonly seccomp: number;
  /** Whether the process has memory of its own: it is no thread of the kernel. */
  readonly hasMemory: boolean;
}

interface Rule {
  readonly errno: Errno;
  readonly against: (facts: AccessFacts, uid: number) => string | undefined;
}

const HAS_ENDED: ReadonlySet<string> = new Set(['Z', 'X']);

const FILTER =
  'a seccomp filter (/proc/PID/status): a system call that the filter does not expect could end it, so fentry makes none there. Start it without the filter; ' +
  'what gives itself one can be traced from its start (fentry record --native)';

const RULES: readonly Rule[] = [
  {
    errno: 'EINVAL',
    against: (facts) => (facts.process === facts.pid ? undefined : `is a thread of process ${facts.process}: name that one`),
  },
  {
    errno: 'ESRCH',
    against: ({ state, threads, parent }) => {
      if (!HAS_ENDED.has(state)) return undefined;
      return threads > 1
        ? `goes on without its main thread, which has ended: the system lets nobody reach the memory of such a process`
        : `has ended: it is a zombie, which its parent ${parent} has not waited for`;
    },
  },
  {
    errno: 'EINVAL',
    against: ({ hasMemory }) =>
      hasMemory
        ? undefined
        : "is a thread of the kernel, which has no text of its own: the kernel's functions are in /sys/kernel/tracing",
  },
  {
    errno: 'EPERM',
    against: ({ uid: owner }, uid) =>
      uid !== 0 && uid !== owner ? `belongs to user ${owner}: only that user and root may change it` : undefined,
  },
  {
    errno: 'EPERM',
    against: ({ seccomp }) => (seccomp === 0 ? undefined : `has ${FILTER}`),
  },
  {
    errno: 'EBUSY',
    against: ({ tracer }) =>
      tracer === 0
        ? undefined
        : `is traced by process ${tracer} (${threadName(tracer, tracer) || 'of another user'}), as debuggers and strace do: let that one leave it, then attach`,
  },
  {
    errno: 'EAGAIN',
    against: ({ state }) => (state === 'T' ? 'is stopped: let it go on (kill -CONT), then attach' : undefined),
  },
];

const ownUid = (): number => process.geteuid?.() ?? 0;

/** Why a process may not be changed, by the first rule that forbids it. */
export function accessRefusal(facts: AccessFacts, uid: number): TraceError | undefined {
  for (const { errno, against } of RULES) {
    const words = against(facts, uid);
    if (words !== undefined) return new TraceError(errno, `process ${facts.pid} ${words}`);
  }
  return undefined;
}

/** The facts that /proc/PID/status states. */
export function accessFacts(pid: number, status: string): AccessFacts {
  const field = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
  return {
    pid,
    process: Number(field('Tgid')),
    threads: Number(field('Threads')),
    parent: Number(field('PPid')),
    state: field('State').slice(0, 1),
    uid: Number(field('Uid').split('\t')[1]),
    tracer: Number(field('TracerPid')),
    seccomp: Number(field('Seccomp')),
    hasMemory: field('VmSize') !== '' || /^[ZX]/.test(field('State')),
  };
}

/** Whether a thread has a seccomp filter, or the strict mode. One that has ended has none. */
export function isFiltered(pid: number, tid: number): boolean {
  const status = attempt(() => readFileSync(`/proc/${pid}/task/${tid}/status`, 'latin1'));
  return status !== undefined && accessFacts(tid, status).seccomp !== 0;
}

/** What is refused when all threads of a process are filtered. */
export const filteredRefusal = (pid: number): TraceError =>
  new TraceError('EPERM', `each thread of process ${pid} has ${FILTER}`);

const noProcess = (pid: number): TraceError =>
  new TraceError('ESRCH', `there is no process ${pid}: ps -e lists those that there are`);

/** @throws TraceError when a process may not be changed: ESRCH, EPERM, EINVAL, EBUSY, EAGAIN and the reason */
export function checkAccess(pid: number): void {
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, 'latin1'));
  if (status === undefined) throw noProcess(pid);
  const refused = accessRefusal(accessFacts(pid, status), ownUid());
  if (refused !== undefined) throw refused;
}

/** Why Yama (kernel.yama.ptrace_scope) lets only some processes reach others, by its number. */
const YAMA: Readonly<Record<string, string>> = {
  1: 'kernel.yama.ptrace_scope is 1: only its parents and root may change it (start it with fentry record --native, or attach as root)',
  2: 'kernel.yama.ptrace_scope is 2: only root may change it (run this as root)',
  3: 'kernel.yama.ptrace_scope is 3: nobody may change it until the system starts again',
};

const PRIVILEGED = 'the system does not let this user change it: it has more privileges, or is not dumpable (attach as root)';
const NO_CAPABILITY =
  'the system does not let root change it here: root has no CAP_SYS_PTRACE (in a container: docker run --cap-add SYS_PTRACE), or a security module forbids it';

/** Why /proc/PID/mem could not be opened. @param uid of this process */
export function openRefusal(
  pid: number,
  { code, message }: NodeJS.ErrnoException,
  yama: string = yamaScope(),
  uid: number = ownUid(),
): TraceError {
  if (code === 'ENOENT') return noProcess(pid);
  if (code !== 'EACCES' && code !== 'EPERM') return new TraceError('EIO', `the memory of process ${pid}: ${message}`);
  const why = uid === 0 && yama !== '3' ? NO_CAPABILITY : (YAMA[yama] ?? PRIVILEGED);
  return new TraceError(code, `process ${pid}: ${why}`);
}

const yamaScope = (): string => attempt(() => readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'latin1').trim()) ?? '0';

/** Why a write to /proc/PID/mem failed. */
export function writeRefusal(pid: number, { code, message }: NodeJS.ErrnoException): TraceError {
  if (code !== 'EIO' && code !== 'EFAULT') return new TraceError('EIO', `the memory of process ${pid}: ${message}`);
  return new TraceError(
    'EIO',
    `process ${pid}: the system does not let its text be written: nothing is mapped there, or the kernel was started with proc_mem.force_override=ptrace or never (start it with always)`,
  );
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accessFacts, accessRefusal, checkAccess, openRefusal, writeRefusal } from './access.js';

const OWN = 1000;
/** What /proc/PID/status says of a process of user 1000 that may be changed. */
const STATUS = `Name:	server
State:	S (sleeping)
Tgid:	7
PPid:	6
TracerPid:	0
Uid:	1000	1000	1000	1000
VmSize:	  5736 kB
Threads:	1
Seccomp:	0
`;

const refusalOf = (status: string, uid = OWN): string | undefined => {
  const refused = accessRefusal(accessFacts(7, status), uid);
  return refused && `${refused.errno}: ${refused.message}`;
};

const failed = (code: string): NodeJS.ErrnoException => Object.assign(new Error(`${code}: some words`), { code });

describe('which process may be changed', () => {
  it('is one of the same user, or any for root', () => {
    assert.equal(refusalOf(STATUS), undefined);
    assert.equal(refusalOf(STATUS, 0), undefined);
    assert.equal(refusalOf(STATUS, 1001), 'EPERM: process 7 belongs to user 1000: only that user and root may change it');
  });

  it('is none with a seccomp filter', () => {
    assert.match(refusalOf(STATUS.replace('Seccomp:\t0', 'Seccomp:\t2'), 0)!, /^EPERM: process 7 has a seccomp filter/);
  });

  it('is none that a debugger has, is stopped, has ended or belongs to the kernel', () => {
    assert.match(
      refusalOf(STATUS.replace('TracerPid:\t0', `TracerPid:\t${process.pid}`))!,
      new RegExp(
        `^EBUSY: process 7 is traced by process ${process.pid} \\(node.*\\), as debuggers and strace do: let that one leave it`,
      ),
    );
    assert.match(refusalOf(STATUS.replace('S (sleeping)', 'T (stopped)'))!, /^EAGAIN: process 7 is stopped/);
    const ended = STATUS.replace('S (sleeping)', 'Z (zombie)').replace(/^VmSize.*\n/m, '');
    assert.equal(refusalOf(ended), 'ESRCH: process 7 has ended: it is a zombie, which its parent 6 has not waited for');
    assert.match(refusalOf(ended.replace('Threads:\t1', 'Threads:\t2'))!, /^ESRCH: process 7 goes on without its main thread/);
    assert.match(refusalOf(STATUS.replace(/^VmSize.*\n/m, ''), 0)!, /^EINVAL: process 7 is a thread of the kernel/);
    assert.equal(refusalOf(STATUS.replace('Tgid:\t7', 'Tgid:\t5')), 'EINVAL: process 7 is a thread of process 5: name that one');
  });

  it('is told of the running system', () => {
    assert.throws(() => checkAccess(2 ** 22 + 1), { errno: 'ESRCH' });
  });
});

describe('why the memory of a process cannot be changed', () => {
  it('names the rule of Yama', () => {
    const why = (code: string, yama: string, uid = OWN): string => openRefusal(7, failed(code), yama, uid).message;
    assert.match(why('EACCES', '1'), /^process 7: kernel.yama.ptrace_scope is 1: only its parents and root/);
    assert.match(why('EPERM', '2'), /only root/);
    assert.match(why('EACCES', '0'), /not dumpable/);
    assert.match(why('EACCES', '3', 0), /nobody may change it/);
    assert.match(why('EACCES', '1', 0), /root has no CAP_SYS_PTRACE/);
    assert.equal(openRefusal(7, failed('ENOENT')).errno, 'ESRCH');
  });

  it('names the parameter of the kernel that forbids writing text', () => {
    const refused = writeRefusal(7, failed('EIO'));
    assert.equal(refused.errno, 'EIO');
    assert.match(refused.message, /proc_mem.force_override=ptrace or never/);
  });
});

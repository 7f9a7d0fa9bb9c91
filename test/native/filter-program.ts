/** What a seccomp filter does with a system call that it does not allow. */
export const FILTER_ACTIONS = { deny: 'SECCOMP_RET_ERRNO | EPERM', kill: 'SECCOMP_RET_KILL_PROCESS' } as const;

/** System calls by which a process is changed, by itself or by another one. */
const FORBIDDEN = ['ptrace', 'process_vm_readv', 'process_vm_writev', 'membarrier', 'memfd_create', 'pidfd_open'];

/**
 * In C: `install_filter(flags)` gives the calling thread a seccomp filter, which forbids the system calls by which fentry works,
 * and nothing that Node needs; SECCOMP_FILTER_FLAG_TSYNC gives it to all threads. Returns 0, or -1.
 */
export const filterSource = (action: keyof typeof FILTER_ACTIONS): string => `
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
static int install_filter(unsigned flags) {
  static struct sock_filter filter[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
${FORBIDDEN.map((name, i) => `    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_${name}, ${FORBIDDEN.length - i}, 0),`).join('\n')}
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    BPF_STMT(BPF_RET | BPF_K, ${FILTER_ACTIONS[action]}),
  };
  static struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0 ? 0 : -1;
}`;

/** In C: gives itself the filter and runs another program: `PROGRAM ARGUMENTS...`. */
export const launcherSource = (action: keyof typeof FILTER_ACTIONS): string => `${filterSource(action)}
int main(int count, char **words) {
  if (install_filter(0)) return 1;
  execv(words[1], words + 1);
  return 2;
}`;

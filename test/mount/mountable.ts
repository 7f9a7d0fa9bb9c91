import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** Why nothing can be mounted here, for a test to say when it is skipped; false where it can. */
export const CANNOT_MOUNT: string | false = whyNot();

function whyNot(): string | false {
  if (process.getuid?.() !== 0) return 'mounting needs root';
  try {
    closeSync(openSync('/dev/fuse', 'r+'));
  } catch {
    return '/dev/fuse cannot be opened';
  }
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
  } catch {
    return 'no mount namespace can be made';
  }
  return false;
}

/** Why `command` cannot be run by tests that need a tracefs of the kernel below the mount. */
export function cannotExec(command: string): string | false {
  if (CANNOT_MOUNT !== false) return CANNOT_MOUNT;
  try {
    execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' });
  } catch {
    return `${command} is not installed`;
  }
  try {
    const script = 'grep -q " /sys/kernel/tracing tracefs " /proc/mounts || mount -t tracefs tracefs /sys/kernel/tracing';
    execFileSync('unshare', ['--mount', 'sh', '-c', script], { stdio: 'ignore' });
  } catch {
    return 'this kernel has no tracefs';
  }
  return false;
}

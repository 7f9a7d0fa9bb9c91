import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { TraceError } from '../../base/errno.js';
import { MOUNT_SOURCE } from './mount-table.js';

/**
 * Mounts as a user who is not root, then becomes the server. fusermount3 passes the opened device over a socket, as a right of
 * the message, which Node cannot receive; perl, which nearly every Linux has, can: it calls recvmsg(2) with a msghdr that it
 * packs itself.
 */
const SCRIPT = `
use Socket; use Fcntl; use POSIX ();
my ($options, $directory, @server) = @ARGV;
my $recvmsg = (POSIX::uname())[4] eq 'aarch64' ? 212 : 47;
socketpair(my $mine, my $theirs, AF_UNIX, SOCK_STREAM, 0) or die "socketpair: $!\\n";
fcntl($theirs, F_SETFD, 0);
my $child = fork // die "fork: $!\\n";
if ($child == 0) {
  $ENV{_FUSE_COMMFD} = fileno $theirs;
  exec 'fusermount3', '-o', $options, '--', $directory or die "fusermount3: $!\\n";
}
close $theirs;
my $byte = "\\0" x 1;
my $rights = "\\0" x 64;
my $piece = pack 'P Q', $byte, 1;
my $message = pack 'Q L x4 P Q P Q L x4', 0, 0, $piece, 1, $rights, length $rights, 0;
my $got = syscall($recvmsg, fileno $mine, $message, 0);
waitpid $child, 0;
exit 1 if $? != 0 || $got <= 0;
my ($length, $level, $type, $fd) = unpack 'Q l l l', $rights;
die "fusermount3 passed no device\\n" if $length != 20;
POSIX::dup2($fd, 3) if $fd != 3;
syswrite STDOUT, "mounted\\n";
open STDOUT, '>', '/dev/null';
open STDERR, '>', '/dev/null';
exec @server or die;
`;

/** Mounts with fusermount3 and starts the server. Returns the server's process. */
export async function serveByFusermount(directory: string, server: readonly string[], detached: boolean): Promise<ChildProcess> {
  const options = `fsname=${MOUNT_SOURCE},subtype=fentry,default_permissions`;
  const { NODE_OPTIONS: _options, FENTRY: _parameters, ...env } = process.env;
  const child = spawn('perl', ['-e', SCRIPT, options, directory, ...server], {
    cwd: '/',
    env,
    detached,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = text(child.stderr).catch(() => '');
  const isMounted = await new Promise<boolean>((resolve) => {
    child.stdout.once('data', () => resolve(true));
    child.once('exit', () => resolve(false));
    child.once('error', () => resolve(false));
  });
  if (!isMounted) throw new TraceError('EPERM', refusal((await said).trim()));
  return child;
}

const refusal = (said: string): string =>
  said === '' || /No such file/.test(said)
    ? 'only root can mount without fusermount3 (package fuse3) and perl; fentry sh needs no mount'
    : said;

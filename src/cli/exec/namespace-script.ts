import { MOUNT_SOURCE, MOUNT_TYPE } from '../mount/mount-table.js';

const TRACING = '/sys/kernel/tracing';
const DEBUG = '/sys/kernel/debug';
const SYSCTL = '/proc/sys/kernel';
/** Exit code of the script if the namespace could not be created. */
const NO_NAMESPACE = 125;

/**
 * Makes the mounts in a new mount namespace, then becomes the command: `sh -c SCRIPT sh OPTIONS COUNT SPARE SOURCE TARGET...
 * COMMAND...` with /dev/fuse as descriptor 3; SPARE is an empty directory.
 *
 * Tools find tracefs by the type of a mount, so a real one is mounted first and the process's tree is mounted over it. Other
 * mounts of that name would be found first. If there is no debugfs, trace-cmd mounts one over the directory that older tools
 * read. No file can be created in /proc: if the host's kernel lacks a file in /proc/sys/kernel, a directory with links to all
 * the others replaces that directory.
 */
export const NAMESPACE_SCRIPT = `
fail() { echo "fentry exec: $1" >&2; exit ${NO_NAMESPACE}; }
options=$1 count=$2
shift 2
while read -r source directory type rest; do
  [ "$type" = ${MOUNT_TYPE} ] && umount -i -l "$(printf %b "$directory")" 2>/dev/null
done </proc/mounts
[ -d ${TRACING} ] || fail 'this kernel has no ${TRACING}'
grep -q ' ${TRACING} tracefs ' /proc/mounts || mount -t tracefs tracefs ${TRACING} 2>/dev/null
if [ -d ${DEBUG} ]; then
  grep -q ' ${DEBUG} debugfs ' /proc/mounts || mount -t debugfs debugfs ${DEBUG} 2>/dev/null
  if ! [ -d ${DEBUG}/tracing ]; then mount -t tmpfs tmpfs ${DEBUG} && mkdir ${DEBUG}/tracing; fi
fi
mount -i -t ${MOUNT_TYPE} -o "$options" ${MOUNT_SOURCE} ${TRACING} || fail 'FUSE could not be mounted'
exec 3>&-
[ -d ${DEBUG}/tracing ] && mount --bind ${TRACING} ${DEBUG}/tracing
while read -r source directory type rest; do
  case $type:$directory in
    tracefs:${TRACING} | tracefs:${DEBUG}/tracing) ;;
    tracefs:*) mount --bind ${TRACING} "$(printf %b "$directory")" ;;
  esac
done <<MOUNTS
$(cat /proc/mounts)
MOUNTS
spare=$1
shift
while [ "$count" -gt 0 ]; do
  case $1 in /*) source=$1;; *) source=${TRACING}/$1;; esac
  if [ "\${2%/*}" = ${SYSCTL} ] && ! [ -e "$2" ]; then
    if [ -n "$spare" ]; then
      mount --rbind ${SYSCTL} "$spare" && mount -t tmpfs tmpfs ${SYSCTL} && ln -s "$spare"/* ${SYSCTL}
      spare=
    fi
    : 2>/dev/null >"$2"
  fi
  [ -e "$2" ] && mount --bind "$source" "$2"
  shift 2
  count=$((count - 1))
done
exec "$@"
`;

import { MOUNT_SOURCE, MOUNT_TYPE } from '../mount/mount-table.js';

const TRACING = '/sys/kernel/tracing';
const DEBUG = '/sys/kernel/debug';
const SYSCTL = '/proc/sys/kernel';
/** Exit code of the script when the namespace could not be made. */
const NO_NAMESPACE = 125;

/**
 * Makes the mounts, in a mount namespace of its own, then becomes the command: `sh -c SCRIPT sh OPTIONS COUNT SPARE SOURCE
 * TARGET... COMMAND...` with /dev/fuse as descriptor 3; SPARE is an empty directory.
 *
 * Tools find tracefs by the type of a mount, so a real one lies below; its path leads to what lies on top of it. Other mounts
 * of that name would be found first. trace-cmd mounts a debugfs of its own where there is none, over the directory
 * that older tools look into. No file can be made in /proc: where the host's kernel lacks one that is to be in /proc/sys/kernel,
 * a directory of links to all the others takes its place.
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

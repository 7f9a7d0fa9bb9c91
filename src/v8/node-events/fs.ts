import { readlinkSync } from '../../base/untraced-fs.js';
import type { TraceField } from '../../tracepoint/fields.js';
import { s32, s64, string, u8, u64 } from '../../tracepoint/fields.js';
import { SafeMap } from '../realm/primordials.js';
import { type FsRequest, listenToFs } from './boundary/fs-hook.js';
import { pathText } from './boundary/values.js';
import { type NodeEventSource, nodeEventSystem } from './node-event-system.js';

type Start = [id: number, op: string, path: string, newPath: string, fd: number, bytes: number, offset: unknown, via: number];
type End = [id: number, op: string, path: string, fd: number, ret: number, error: string, duration: number];
type FsEvents = { op_start: Start; op_end: End };

const VIA = '__print_symbolic(REC->via, { 0, "sync" }, { 1, "callback" }, { 2, "promise" })';

/** File operations with the file's name, whichever of Node's three interfaces they came by. */
export const fs = nodeEventSystem<FsEvents>('fs', {
  events: {
    op_start: {
      args: ['id', 'op', 'path', 'new_path', 'fd', 'bytes', 'offset', 'via'],
      fields: {
        id: u64((id) => id),
        op: string((_id, op) => op),
        path: string((_id, _op, path) => path),
        new_path: string((_id, _op, _path, newPath) => newPath),
        fd: s32((_id, _op, _path, _newPath, fd) => fd),
        bytes: s64((_id, _op, _path, _newPath, _fd, bytes) => bytes),
        offset: s64((_id, _op, _path, _newPath, _fd, _bytes, offset) => offset as number),
        via: u8((_id, _op, _path, _newPath, _fd, _bytes, _offset, via) => via),
      } satisfies Record<string, TraceField<Start>>,
      print: `"id=%llu op=%s path=\\"%s\\" new_path=\\"%s\\" fd=%d bytes=%lld offset=%lld via=%s", REC->id, __get_str(op), __get_str(path), __get_str(new_path), REC->fd, REC->bytes, REC->offset, ${VIA}`,
    },
    op_end: {
      args: ['id', 'op', 'path', 'fd', 'ret', 'error', 'duration'],
      fields: {
        id: u64((id) => id),
        op: string((_id, op) => op),
        path: string((_id, _op, path) => path),
        fd: s32((_id, _op, _path, fd) => fd),
        ret: s64((_id, _op, _path, _fd, ret) => ret),
        error: string((_id, _op, _path, _fd, _ret, error) => error),
        duration: u64((_id, _op, _path, _fd, _ret, _error, duration) => duration),
      } satisfies Record<string, TraceField<End>>,
      print:
        '"id=%llu op=%s path=\\"%s\\" fd=%d ret=%lld error=%s duration=%llu", REC->id, __get_str(op), __get_str(path), REC->fd, REC->ret, __get_str(error), REC->duration',
    },
  },
  sources: [source()],
});

/** The most open files whose names are kept. */
const MOST_NAMES = 4096;
const STDERR = 2;

function source(): NodeEventSource<FsEvents> {
  return {
    events: ['op_start', 'op_end'],
    start({ op_start: started, op_end: ended }, { clock }) {
      const names = new SafeMap<number, string>();
      return listenToFs({
        enter(request) {
          const { id, call, args, via } = request;
          const fd = fdOf(request);
          request.path = call.path === undefined ? nameOf(names, fd) : pathText(args[call.path]) || nameOf(names, fd);
          if (call.op === 'close') names.delete(fd);
          request.begun = clock();
          const newPath = call.newPath === undefined ? '' : pathText(args[call.newPath]);
          started(id, call.op, request.path, newPath, fd, call.bytes?.(args) ?? 0, call.position?.(args) ?? -1, via);
        },
        exit(request, ret, error) {
          const { id, call, path, begun } = request;
          const fd = fdOf(request);
          const isOpen = call.op === 'open' && ret >= 0;
          if (isOpen) rememberName(names, ret, path);
          ended(id, call.op, path, isOpen ? ret : fd, ret, error, begun === 0 ? 0 : clock() - begun);
        },
      });
    },
  };
}

function fdOf({ call, args }: FsRequest): number {
  const value = args[call.fd ?? call.path ?? 0];
  return typeof value === 'number' ? value : -1;
}

function rememberName(names: Map<number, string>, fd: number, path: string): void {
  if (names.size >= MOST_NAMES) names.clear();
  names.set(fd, path);
}

/** The file that a descriptor is open for; of one that was opened before, what the system says. */
function nameOf(names: Map<number, string>, fd: number): string {
  if (fd < 0) return '';
  const known = names.get(fd);
  if (known !== undefined) return known;
  const name = nameFromSystem(fd);
  // Others are not kept: they may be closed unseen.
  if (fd <= STDERR) names.set(fd, name);
  return name;
}

function nameFromSystem(fd: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

import { TraceError } from '../../base/errno.js';
import type { TraceDirectory, TraceNode } from './node.js';

const parts = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');

/** The node at `path` (slash separated, relative to `root`). ENOENT when there is none, ENOTDIR below a file. */
export function lookup(root: TraceDirectory, path: string): TraceNode {
  let node: TraceNode = root;
  for (const part of parts(path)) {
    if (node.kind !== 'directory') throw new TraceError('ENOTDIR');
    const child: TraceNode | undefined = node.get(part);
    if (child === undefined) throw new TraceError('ENOENT', `${path}: no such file`);
    node = child;
  }
  return node;
}

/** Creates the directory `path`: EPERM if the kernel does not allow it there. */
export async function mkdir(root: TraceDirectory, path: string): Promise<void> {
  const [parent, name] = parentOf(root, path);
  if (parent.get(name) !== undefined) throw new TraceError('EEXIST');
  if (parent.mkdir === undefined) throw new TraceError('EPERM');
  await parent.mkdir(name);
}

/** Removes the directory `path`. */
export async function rmdir(root: TraceDirectory, path: string): Promise<void> {
  const [parent, name] = parentOf(root, path);
  const node = parent.get(name);
  if (node === undefined) throw new TraceError('ENOENT');
  if (node.kind !== 'directory') throw new TraceError('ENOTDIR');
  if (parent.rmdir === undefined) throw new TraceError('EPERM');
  await parent.rmdir(name);
}

function parentOf(root: TraceDirectory, path: string): [TraceDirectory, string] {
  const names = parts(path);
  const name = names.pop();
  if (name === undefined) throw new TraceError('EPERM');
  const parent = lookup(root, names.join('/'));
  if (parent.kind !== 'directory') throw new TraceError('ENOTDIR');
  return [parent, name];
}

/** A directory of fixed children, listed in the order of their names. */
export function directory(children: Readonly<Record<string, TraceNode>>, mode = 0o750): TraceDirectory {
  const map = new Map(Object.entries(children).sort(([a], [b]) => (a < b ? -1 : 1)));
  const subdirectories = directoriesIn(map);
  return { kind: 'directory', mode, names: () => map.keys(), subdirectories: () => subdirectories, get: (name) => map.get(name) };
}

const directoriesIn = (nodes: ReadonlyMap<string, TraceNode>): number =>
  [...nodes.values()].filter(({ kind }) => kind === 'directory').length;

/** What a directory has whose children are made one by one: there may be tens of thousands. */
export interface NamedChildren {
  /** The names of its files, and of its directories. */
  readonly files: () => readonly string[];
  readonly directories: () => readonly string[];
  readonly get: (name: string) => TraceNode | undefined;
}

/** A directory that makes a child when it is asked for it; listed in the order of their names. */
export const lazyDirectory = ({ files, directories, get }: NamedChildren, mode = 0o750): TraceDirectory => ({
  kind: 'directory',
  mode,
  names: () => [...files(), ...directories()].sort(),
  subdirectories: () => directories().length,
  get,
});

/** A directory whose children are asked for each time: per_cpu, where threads come and go. */
export function dynamicDirectory(children: () => ReadonlyMap<string, TraceNode>, mode = 0o750): TraceDirectory {
  return {
    kind: 'directory',
    mode,
    names: () => children().keys(),
    subdirectories: () => directoriesIn(children()),
    get: (name) => children().get(name),
  };
}

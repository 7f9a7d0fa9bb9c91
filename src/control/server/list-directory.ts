import type { DirectoryEntry } from '../../base/socket-protocol.js';
import type { TraceDirectory } from '../tracefs/node.js';

/** The entries of a directory, in the order that it gives them. */
export function directoryEntries(directory: TraceDirectory): DirectoryEntry[] {
  const entries: DirectoryEntry[] = [];
  for (const name of directory.names()) {
    const node = directory.get(name);
    if (node === undefined) continue;
    const size = node.kind === 'file' ? (node.size ?? 0) : 0;
    entries.push({ name, kind: node.kind, mode: node.mode, size });
  }
  return entries;
}

/** A listing for people: one name a line, directories with a slash. */
export const listingText = (entries: readonly DirectoryEntry[]): string =>
  entries.map(({ name, kind }) => `${name}${kind === 'directory' ? '/' : ''}\n`).join('');

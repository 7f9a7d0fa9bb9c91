/** The nodes of the tree. Their servers (socket, FUSE) open, read, write and release them, as the VFS does in the kernel. */

/** The flags of open(2) that tracefs uses. */
export interface OpenFlags {
  readonly read: boolean;
  readonly write: boolean;
  /** O_TRUNC: the shell's `>`. */
  readonly truncate: boolean;
  /** O_APPEND: the shell's `>>`. */
  readonly append: boolean;
  /** O_NONBLOCK: a read that would wait is EAGAIN. */
  readonly nonblock: boolean;
  /** O_EXCL: who opens it wants it alone. Absent: not so. */
  readonly exclusive?: boolean;
}

/** How `cat`, the shell's `>` and its `>>` open a file. */
export const O_RDONLY: OpenFlags = { read: true, write: false, truncate: false, append: false, nonblock: false };
export const O_WRONLY_TRUNC: OpenFlags = { read: false, write: true, truncate: true, append: false, nonblock: false };
export const O_WRONLY_APPEND: OpenFlags = { read: false, write: true, truncate: false, append: true, nonblock: false };

/** The task that opens a file; a write to trace_marker belongs to it. */
export interface FileOpener {
  /** Thread id of the client, 0 when the transport cannot tell. */
  readonly pid: number;
  readonly comm: string;
}

/** An open file. Every method may throw (or reject with) a TraceError. */
export interface FileHandle {
  /**
   * Up to `size` bytes; none at the end of the file. Waits where the kernel's read waits (trace_pipe),
   * until `signal` aborts it: then EINTR.
   * @param nonblock O_NONBLOCK as it is now: fcntl(2) changes it after open. Absent: as the file was opened
   */
  read(size: number, signal?: AbortSignal, nonblock?: boolean): Uint8Array | Promise<Uint8Array>;
  /** The next read begins at this byte of what the file shows then. Absent where bytes have no places. */
  seek?(offset: number): void;
  /**
   * Takes all of the bytes or throws; returns when the write has taken effect in every thread.
   * @param caller the writing task, if the transport knows it; else the task that opened the file
   */
  write(bytes: Uint8Array, caller?: FileOpener): void | Promise<void>;
  /**
   * One of several descriptors of the file is closed. Takes effect like a release, but more may be written afterwards, which
   * continues the last write. Absent if nothing waits for a release.
   */
  flush?(): void | Promise<void>;
  /** Whether a read would return at once (poll). Absent: always. */
  isReadable?(): boolean;
  /** Resolves when that may have changed; EINTR when `signal` aborts it. */
  untilReadable?(signal: AbortSignal): Promise<void>;
  /** close(2): filters take effect here. In the kernel an error is lost here; a client of the socket gets it. */
  release(): void | Promise<void>;
}

/** A control file. */
export interface TraceFile {
  readonly kind: 'file';
  /** Permission bits, as `0o640`. */
  readonly mode: number;
  /** Bytes that stat shows; all but trace_pipe_raw are 0. */
  readonly size?: number;
  /** Whether an instance is in use while the file is open. Absent: it is. */
  readonly holdsInstance?: boolean;
  open(flags: OpenFlags, caller: FileOpener): FileHandle | Promise<FileHandle>;
}

/** A directory of the tree. */
export interface TraceDirectory {
  readonly kind: 'directory';
  readonly mode: number;
  /** The names, in the order that a listing shows them. */
  names(): Iterable<string>;
  /** How many of them are directories. */
  subdirectories(): number;
  get(name: string): TraceNode | undefined;
  /** Absent if the kernel answers EPERM: everywhere except in instances/. */
  mkdir?(name: string): void | Promise<void>;
  rmdir?(name: string): void | Promise<void>;
}

/** What a path leads to. */
export type TraceNode = TraceFile | TraceDirectory;

import type { DirectoryEntry } from './socket-protocol.js';

/**
 * A file session: open files of a process's tree over one connection, as a kernel's VFS holds them. It begins as an HTTP
 * request with this word as `Upgrade`; docs/agent.md describes it. Requests are begun in the order in which they come;
 * one that waits (a read of trace_pipe) holds up no other, but a release holds up what comes after it until it took effect.
 */
export const SESSION_UPGRADE = 'fentry-session';

/** How a file is opened: open(2)'s flags that tracefs looks at. */
export interface SessionOpenFlags {
  readonly read: boolean;
  readonly write: boolean;
  readonly truncate: boolean;
  readonly append: boolean;
  readonly nonblock: boolean;
}

/** The process that opens a file. */
export interface SessionCaller {
  readonly pid: number;
  readonly comm: string;
}

/** What is written to a file when a session ends. */
export interface UndoStep {
  readonly path: string;
  readonly text: string;
}

/** More steps than this are a client's mistake. */
export const MOST_UNDO_STEPS = 256;

type Path = { readonly path: string };
type Handle = { readonly handle: number };
type Nothing = Record<never, never>;

/** The request and the answer of each operation; the bytes of a read and a write are the message's body. */
export interface SessionOperations {
  readonly stat: { readonly request: Path; readonly answer: Omit<DirectoryEntry, 'name'> & { readonly nlink: number } };
  readonly list: { readonly request: Path; readonly answer: { readonly entries: readonly DirectoryEntry[] } };
  /** `temporary`: the directory is removed when the session ends, also when the client is killed. */
  readonly mkdir: { readonly request: Path & { readonly temporary?: boolean }; readonly answer: Nothing };
  readonly rmdir: { readonly request: Path; readonly answer: Nothing };
  readonly open: { readonly request: Path & SessionCaller & { readonly flags: SessionOpenFlags }; readonly answer: Handle };
  readonly read: {
    readonly request: Handle & {
      readonly size: number;
      /** Where the read begins, if not where the last one ended. */
      readonly offset?: number;
      readonly nonblock?: boolean;
    };
    readonly answer: Nothing;
  };
  readonly write: { readonly request: Handle & Partial<SessionCaller>; readonly answer: Nothing };
  /** One of several descriptors was closed: what was written takes effect. */
  readonly flush: { readonly request: Handle; readonly answer: Nothing };
  readonly poll: { readonly request: Handle; readonly answer: { readonly readable: boolean } };
  /** Answered when a read would not wait (any more). */
  readonly wait: { readonly request: Handle; readonly answer: Nothing };
  readonly release: { readonly request: Handle; readonly answer: Nothing };
  /** What the process writes when the session ends, also when the client is killed; replaces what was asked before. */
  readonly undo: { readonly request: { readonly steps: readonly UndoStep[] }; readonly answer: Nothing };
  /** Ends a request that waits, with EINTR; one that was answered already stays answered. */
  readonly cancel: { readonly request: { readonly request: number }; readonly answer: Nothing };
}
export type SessionOperation = keyof SessionOperations;

/** The most that one read gives. */
export const MAX_READ_BYTES = 1 << 20;

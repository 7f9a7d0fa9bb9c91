import type { WaitKind } from './requests-answer.js';

/** What a type of async contexts waits for; types are cut at 15 characters, as names of tasks are. */
const KINDS: readonly (readonly [WaitKind, RegExp])[] = [
  ['timer', /^Timeout$/],
  ['dns', /^(?:GETADDRINFO|GETNAMEINFO|QUERYWRAP)/],
  ['file', /^(?:FSREQ|FILEHANDLE|DIRHANDLE|FSEVENT|STATWATCHER)/],
  ['pool', /^(?:ZLIB|.*REQUEST$|.*JOB)/],
  ['child process', /^PROCESSWRAP/],
  ['message', /^(?:MESSAGEPORT|WORKER)/],
  ['loop', /^(?:Immediate|TickObject|Microtask)$/],
  ['socket', /^(?:TCP|TLS|PIPE|UDP|HTTP|STREAM|SHUTDOWN|WRITE|JSSTREAM|CONNECTION)/],
];
/** Kinds that end in REQUEST and are no work of the thread pool. */
const SOCKETS = /^HTTP/;

/** What is waited for when a context of this type goes on. */
export function waitKind(comm: string): WaitKind {
  if (SOCKETS.test(comm)) return 'socket';
  return KINDS.find(([, type]) => type.test(comm))?.[0] ?? 'other';
}

import { timingSafeEqual } from 'node:crypto';

/** The header that carries the token. */
export const TOKEN_HEADER = 'x-fentry-token';

/** What is known of a request before anything is done for it. Headers that did not come are undefined. */
export interface PageRequest {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, `-Mode` and `-Dest`: who asks in a browser, and what for. */
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
  readonly fetchDest: string | undefined;
  readonly token: string | undefined;
  readonly contentType: string | undefined;
  /** What is asked for: the document itself, a part of the page that is the same for everybody, or data. */
  readonly asks: 'document' | 'page' | 'data';
}

/** The server that decides. */
export interface PageHost {
  /** `127.0.0.1:PORT` */
  readonly host: string;
  readonly token: string;
}

/** A reason to refuse a request. */
interface Refusal {
  readonly words: string;
  isRefused(request: PageRequest, server: PageHost): boolean;
}

/** A person may come to the document from anywhere, such as a link in a terminal's page: it holds nothing without the token. */
const isVisit = ({ asks, fetchMode, fetchDest }: PageRequest): boolean =>
  asks === 'document' && fetchMode === 'navigate' && fetchDest === 'document';

/** Compares in a time that says nothing about where texts differ. */
function isSame(given: string | undefined, expected: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The reasons, in the order in which they are checked. */
export const REFUSALS = [
  {
    // Another name for this address is one that a foreign site has bound to it (DNS rebinding).
    words: 'the page has only the address that fentry printed',
    isRefused: ({ host }, server) => host !== server.host,
  },
  {
    words: 'another site asks',
    isRefused: ({ origin }, server) => origin !== undefined && origin !== `http://${server.host}`,
  },
  {
    words: 'another site asks',
    isRefused: (request) =>
      request.fetchSite !== undefined &&
      request.fetchSite !== 'same-origin' &&
      !(request.fetchSite === 'none' && request.asks !== 'data') &&
      !isVisit(request),
  },
  {
    words: 'only GET and POST',
    isRefused: ({ method, asks }) => method !== 'GET' && !(method === 'POST' && asks === 'data'),
  },
  {
    words: 'the token is missing or wrong: open the link that fentry printed',
    isRefused: ({ asks, token }, server) => asks === 'data' && !isSame(token, server.token),
  },
  {
    // A form of another site can send text, but no JSON.
    words: 'what is posted must be JSON',
    isRefused: ({ method, contentType }) => method === 'POST' && contentType !== 'application/json',
  },
] as const satisfies readonly Refusal[];

/** Why a request is refused, in words; undefined: it is admitted. */
export const refusalOf = (request: PageRequest, server: PageHost): string | undefined =>
  REFUSALS.find(({ isRefused }) => isRefused(request, server))?.words;

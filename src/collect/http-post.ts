import { request as httpRequest, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';

/** Milliseconds after which a receiver that says nothing counts as down. */
const PATIENCE = 15_000;

type Headers = Readonly<Record<string, string>>;

/** What a receiver has answered. */
export interface PostAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Posts a body. Rejects with words for a user if the receiver does not answer, or answers with an error; a part of its answer is
 * in these.
 */
export async function post(url: URL, body: string | Uint8Array, headers: Headers, signal?: AbortSignal): Promise<PostAnswer> {
  const { status, text: answer } = await send(url, body, headers, signal);
  if (status < 200 || status > 299) throw new Error(`${url.origin} answers ${status}: ${answer.trim().slice(0, 300)}`);
  return { status, text: answer };
}

async function send(url: URL, body: string | Uint8Array, headers: Headers, signal: AbortSignal | undefined): Promise<PostAnswer> {
  // TLS is large, and few need it.
  const request = url.protocol === 'https:' ? (await import('node:https')).request : httpRequest;
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    timeout: PATIENCE,
    ...(signal && { signal }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      text(answer).then((words) => resolve({ status: answer.statusCode ?? 0, text: words }), reject);
    });
    sent.on('timeout', () => sent.destroy(new Error(`${url.origin} does not answer within ${PATIENCE / 1000} s`)));
    sent.on('error', (error) => reject(signal?.aborted ? new Error(`${url.origin} does not answer`) : error));
    sent.end(body);
  });
}

/** The URL behind `KIND+` of a target, and the headers of the name and the password in it. */
export function receiverOf(target: string): { readonly url: URL; readonly headers: Readonly<Record<string, string>> } {
  const url = new URL(target.replace(/^\w+\+/, ''));
  const { username, password } = url;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  url.username = '';
  url.password = '';
  return { url, headers: username === '' ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` } };
}

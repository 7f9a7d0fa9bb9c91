/** A field of a message: a property of it, or of a property of it and so on, as `request.method`. */
export interface MessageField {
  readonly type: 'text' | 'int';
  readonly path: readonly string[];
}

/** What the records of a channel hold of its messages; without a field, the whole message as text. */
export type MessageFields = Readonly<Record<string, MessageField>>;

const text = (path: string): MessageField => ({ type: 'text', path: path.split('.') });
const int = (path: string): MessageField => ({ type: 'int', path: path.split('.') });

const NOTHING: MessageFields = {};
const CLIENT_REQUEST = { method: text('request.method'), host: text('request.host'), path: text('request.path') };
const SERVER_REQUEST = { method: text('request.method'), url: text('request.url') };
const STATUS = { status: int('response.statusCode') };
const STREAM_HEADERS = { method: text('headers.:method'), path: text('headers.:path'), status: int('headers.:status') };
const FETCH = { method: text('request.method'), origin: text('request.origin'), path: text('request.path') };
const CONNECT = { host: text('connectParams.host'), protocol: text('connectParams.protocol') };
const ERROR = { error: text('error') };
const LOCK = { name: text('name'), mode: text('mode') };
const SPAWN = { file: text('options.file') };
const REQUIRE = { id: text('id'), parent: text('parentFilename') };
const IMPORT = { url: text('url'), parent: text('parentURL') };

/** The channels that Node's documentation and undici's name, and what their messages hold. */
export const KNOWN_CHANNELS: Readonly<Record<string, MessageFields>> = {
  'http.client.request.created': CLIENT_REQUEST,
  'http.client.request.start': CLIENT_REQUEST,
  'http.client.request.error': { ...CLIENT_REQUEST, ...ERROR },
  'http.client.response.finish': { ...CLIENT_REQUEST, ...STATUS },
  'http.server.request.start': SERVER_REQUEST,
  'http.server.response.created': SERVER_REQUEST,
  'http.server.response.finish': { ...SERVER_REQUEST, ...STATUS },
  'http2.client.stream.created': STREAM_HEADERS,
  'http2.client.stream.start': STREAM_HEADERS,
  'http2.client.stream.error': ERROR,
  'http2.client.stream.finish': STREAM_HEADERS,
  'http2.client.stream.bodyChunkSent': NOTHING,
  'http2.client.stream.bodySent': NOTHING,
  'http2.client.stream.close': NOTHING,
  'http2.server.stream.created': STREAM_HEADERS,
  'http2.server.stream.start': STREAM_HEADERS,
  'http2.server.stream.error': ERROR,
  'http2.server.stream.finish': STREAM_HEADERS,
  'http2.server.stream.close': NOTHING,
  'undici:request:create': FETCH,
  'undici:request:bodySent': FETCH,
  'undici:request:bodyChunkSent': FETCH,
  'undici:request:bodyChunkReceived': FETCH,
  'undici:request:headers': { ...FETCH, ...STATUS },
  'undici:request:trailers': FETCH,
  'undici:request:error': { ...FETCH, ...ERROR },
  'undici:client:sendHeaders': FETCH,
  'undici:client:beforeConnect': CONNECT,
  'undici:client:connected': CONNECT,
  'undici:client:connectError': { ...CONNECT, ...ERROR },
  'undici:proxy:connected': CONNECT,
  'undici:websocket:open': { protocol: text('protocol') },
  'undici:websocket:close': { code: int('code'), reason: text('reason') },
  'undici:websocket:socket_error': NOTHING,
  'undici:websocket:ping': NOTHING,
  'undici:websocket:pong': NOTHING,
  'net.client.socket': NOTHING,
  'net.server.socket': NOTHING,
  'tracing:net.server.listen:asyncStart': { port: int('options.port'), path: text('options.path') },
  'tracing:net.server.listen:asyncEnd': NOTHING,
  'tracing:net.server.listen:error': ERROR,
  'udp.socket': { type: text('socket.type') },
  child_process: NOTHING,
  'tracing:child_process.spawn:start': SPAWN,
  'tracing:child_process.spawn:end': SPAWN,
  'tracing:child_process.spawn:error': { ...SPAWN, ...ERROR },
  'process.execve': { file: text('execPath') },
  worker_threads: NOTHING,
  'tracing:module.require:start': REQUIRE,
  'tracing:module.require:end': REQUIRE,
  'tracing:module.require:error': { ...REQUIRE, ...ERROR },
  'tracing:module.import:start': IMPORT,
  'tracing:module.import:end': IMPORT,
  'tracing:module.import:asyncStart': IMPORT,
  'tracing:module.import:asyncEnd': IMPORT,
  'tracing:module.import:error': { ...IMPORT, ...ERROR },
  'console.log': NOTHING,
  'console.info': NOTHING,
  'console.debug': NOTHING,
  'console.warn': NOTHING,
  'console.error': NOTHING,
  'locks.request.start': LOCK,
  'locks.request.grant': LOCK,
  'locks.request.miss': LOCK,
  'locks.request.end': LOCK,
};

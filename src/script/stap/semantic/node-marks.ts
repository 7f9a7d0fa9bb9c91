/** An event in the place of a mark of Node's own probes: `$argN` are these fields of it. */
export interface NodeMark {
  readonly event: string;
  readonly args: readonly string[];
}

/** The marks that Node.js had for SystemTap until version 18, by their names (src/node_provider.d). */
export const NODE_MARKS: Readonly<Record<string, NodeMark>> = {
  http__server__request: { event: 'http:server_request_start', args: ['id', 'method', 'url', 'skaddr'] },
  http__server__response: { event: 'http:server_request_end', args: ['id', 'skaddr', 'status', 'url'] },
  http__client__request: { event: 'http:client_request_start', args: ['id', 'method', 'url', 'skaddr', 'host'] },
  http__client__response: { event: 'http:client_response', args: ['id', 'skaddr', 'status'] },
  gc__done: { event: 'gc:gc', args: ['kind', 'flags'] },
};

import { compileGlob } from '../base/glob.js';
import type { ScriptTarget, TargetEvent } from './target.js';

/** An event in the place of a mark of Node's own probes, and the fields that are its arguments. */
interface NodeMark {
  readonly event: `${string}:${string}`;
  readonly args: readonly string[];
}

const CONNECTION = ['skaddr', 'remote', 'port', 'fd'] as const;
const SERVER_REQUEST = ['id', 'skaddr', 'remote', 'port', 'method', 'url', 'fd'] as const;
const CLIENT_REQUEST = ['id', 'skaddr', 'host', 'port', 'method', 'url', 'fd'] as const;
/** The third, the isolate's address, stands for nothing here. */
const COLLECTION = ['type', 'flags'] as const;

/** The marks that Node.js had for SystemTap and DTrace until version 18, with its arguments in their order (node_provider.d). */
const NODE_MARKS: Readonly<Record<string, NodeMark>> = {
  gc__done: { event: 'gc:gc', args: COLLECTION },
  gc__start: { event: 'gc:gc', args: COLLECTION },
  http__client__request: { event: 'http:client_request_start', args: CLIENT_REQUEST },
  http__client__response: { event: 'http:client_response', args: ['skaddr', 'host', 'port', 'fd'] },
  http__server__request: { event: 'http:server_request_start', args: SERVER_REQUEST },
  http__server__response: { event: 'http:server_request_end', args: CONNECTION },
  net__server__connection: { event: 'net:server_connection', args: CONNECTION },
  net__stream__end: { event: 'net:stream_end', args: CONNECTION },
};

/** The names of all marks. */
export const MARK_NAMES: readonly string[] = Object.keys(NODE_MARKS);

/** A mark that the program has. */
export interface FoundMark {
  readonly name: string;
  readonly event: TargetEvent;
  /** Names of the event's fields: the arguments, in their order. */
  readonly args: readonly string[];
}

/** The marks that match a glob, by their names. */
export function marksOf(glob: string, target: ScriptTarget): readonly FoundMark[] {
  const { test } = compileGlob(glob);
  return Object.entries(NODE_MARKS).flatMap(([name, { event, args }]) => {
    if (!test(name)) return [];
    const [system, own] = event.split(':') as [string, string];
    return target.events(system, own).map((found) => ({ name, event: found, args }));
  });
}

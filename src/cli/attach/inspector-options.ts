/** What a process's arguments and NODE_OPTIONS say of its inspector. */
export interface InspectorOptions {
  /** Where SIGUSR1 opens it; 0: on a port that the system chooses. */
  readonly port: number;
  /** Whether the inspector listens from the start. */
  readonly listens: boolean;
}

const DEFAULT_PORT = 9229;
const OPTION = /^--(inspect(?:-brk|-wait)?|inspect-port|debug-port)(?:=(.*))?$/;

/** Node's options end at the first word that is not an option. */
function nodeArguments(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word, i) => i > 0 && !word.startsWith('-'));
  return words.slice(1, end < 0 ? undefined : end);
}

/** Reads them as Node does: the last one counts, and the command line comes before NODE_OPTIONS. */
export function inspectorOptions(args: readonly string[], nodeOptions = ''): InspectorOptions {
  let port = DEFAULT_PORT;
  let listens = false;
  for (const word of [...nodeOptions.split(/\s+/), ...nodeArguments(args)]) {
    const [, name, address] = OPTION.exec(word) ?? [];
    if (name === undefined) continue;
    listens ||= name !== 'inspect-port' && name !== 'debug-port';
    const given = address === undefined ? undefined : /(?:^|:)(\d+)$/.exec(address)?.[1];
    if (given !== undefined) port = Number(given);
  }
  return { port, listens };
}

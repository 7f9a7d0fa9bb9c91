/** A place, and the names that a probe there can read, as kprobes/vars has them. */
export interface ListedVariables {
  /** `0xffffffff81000067` */
  readonly address: string;
  readonly symbol: string;
  /** `0x1b` */
  readonly offset: string;
  readonly variables: readonly { readonly kind: string; readonly name: string; readonly type?: string }[];
}

/** Reads a file of kprobes/vars. Pure. */
export function placeVariables(text: string): ListedVariables {
  const [head = '', ...rows] = text.split('\n');
  const {
    address = '',
    symbol = '',
    offset = '',
  } = /^(?<address>\w+) (?<symbol>\S+)\+(?<offset>0x\w+) /.exec(head)?.groups ?? {};
  const variables = rows.flatMap((row) => {
    const [, kind, name, type] = row.split('\t');
    return kind === undefined || name === undefined ? [] : [{ kind, name, ...(type !== undefined && { type }) }];
  });
  return { address: `0x${address}`, symbol, offset, variables };
}

const isExtern = (kind: string): boolean => kind.startsWith('module ');

/** What perf probe -V prints. @param externs with the variables of the module */
export function variablesText(place: string, { symbol, offset, variables }: ListedVariables, externs: boolean): string {
  const rows = variables
    .filter(({ kind }) => externs || !isExtern(kind))
    .map(({ kind, name, type }) => `\t\t${kind}\t${name}${type === undefined ? '' : `\t${type}`}\n`);
  const nothing = rows.length === 0 ? '\t\t(No variables)\n' : '';
  return `Available variables at ${place}\n\t@<${symbol}+${Number(offset)}>\n${rows.join('')}${nothing}`;
}

/** The kinds of variables that the arguments `$vars` and `$params` stand for. */
const MEANT: Readonly<Record<string, (kind: string) => boolean>> = {
  $vars: (kind) => !isExtern(kind) && !['closure', 'receiver', 'result'].includes(kind),
  $params: (kind) => kind === 'parameter',
};

/** The arguments with `$vars` and `$params` written out. */
export const writtenOut = (args: readonly string[], { variables }: Pick<ListedVariables, 'variables'>): readonly string[] =>
  args.flatMap((arg) => {
    const isMeant = Object.hasOwn(MEANT, arg) ? MEANT[arg] : undefined;
    return isMeant === undefined ? [arg] : variables.filter(({ kind }) => isMeant(kind)).map(({ name }) => name);
  });

import type { TransformPlugin } from 'just-bash';

type Script = Parameters<TransformPlugin['transform']>[0]['ast'];
type Statement = Script['statements'][number];
type Pipeline = Statement['pipelines'][number];
type Command = Pipeline['commands'][number];
type Redirection = Command['redirections'][number];
type Word = Extract<Command, { type: 'SimpleCommand' }>['args'][number];

/** The command that writes what it reads to a file, `redirect OPERATOR FILE`. */
export const REDIRECT = 'fentry-redirect';

const literal = (value: string): Word => ({ type: 'Word', parts: [{ type: 'Literal', value }] });

const isOutput = ({ fd, operator, target }: Redirection): boolean =>
  (fd === null || fd === 1) && (operator === '>' || operator === '>>' || operator === '>|') && target.type === 'Word';

/**
 * Turns `command > file` into the pipeline `command | fentry-redirect > file`, because a refused write must become the status
 * of the command: just-bash aborts the whole line if a file cannot be written.
 */
export const redirectionPlugin: TransformPlugin = {
  name: 'fentry-redirections',
  transform: ({ ast }) => ({ ast: { ...ast, statements: ast.statements.map(statement) } }),
};

const statement = (node: Statement): Statement => {
  // It no longer matches the text that it was parsed from.
  const { sourceText: _text, ...rest } = node;
  return { ...rest, pipelines: node.pipelines.map(pipeline) };
};

function pipeline(node: Pipeline): Pipeline {
  const commands = node.commands.flatMap((command) => split(inner(command)));
  if (commands.length === node.commands.length) return { ...node, commands };
  // Numbers say which of the pipes take stderr too.
  const { pipeStderr: _pipes, ...rest } = node;
  return { ...rest, commands };
}

/** A command without its output redirection, and the one that does it. */
function split(command: Command): Command[] {
  const output = command.redirections.findLast(isOutput);
  if (output === undefined) return [command];
  const redirections = command.redirections.filter((one) => one !== output);
  const args = [literal(output.operator), output.target as Word];
  return [
    { ...command, redirections },
    { type: 'SimpleCommand', assignments: [], name: literal(REDIRECT), args, redirections: [] },
  ];
}

/** The statements within a compound command. */
function inner(command: Command): Command {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(command)) {
    if (name === 'body' || name === 'condition' || name === 'elseBody') changed[name] = statements(value);
    if (name === 'clauses' || name === 'items') changed[name] = (value as object[]).map((part) => inner(part as Command));
  }
  return { ...command, ...changed } as Command;
}

const statements = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one: Statement) => (one.type === 'Statement' ? statement(one) : one));
  return typeof value === 'object' && value !== null && 'redirections' in value ? inner(value as Command) : value;
};

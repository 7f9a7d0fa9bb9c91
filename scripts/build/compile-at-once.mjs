import { parse } from 'acorn';

/**
 * Has V8 compile the functions of a script together with the script. Else it parses each of them twice: to find its end, and when
 * it is first called. V8 does so with a function whose keyword stands behind a parenthesis.
 *
 * @param text functions without `this` and `arguments`, which are declared, or variables, at its top level or in such functions
 * @param seldom names of functions that most programs do not call
 */
export function compileAtOnce(text, seldom) {
  const { body } = parse(text, { ecmaVersion: 'latest', allowReturnOutsideFunction: true });
  const edits = [...functionsIn(body)].filter(({ name }) => !seldom.includes(name)).flatMap((one) => editsOf(one, text));
  return edits.sort((a, b) => b.from - a.from).reduce((so, { from, to, by }) => so.slice(0, from) + by + so.slice(to), text);
}

function* functionsIn(body) {
  for (const statement of body) {
    if (statement.type === 'FunctionDeclaration') yield* withInner(statement.id.name, statement, 'declared');
    for (const { id, init } of statement.declarations ?? [])
      if (init?.type === 'ArrowFunctionExpression') yield* withInner(id.name, init, 'variable');
  }
}

function* withInner(name, made, kind) {
  yield { name, made, kind };
  if (made.body.type === 'BlockStatement') yield* functionsIn(made.body.body);
}

function editsOf({ name, made: { start, end, params, body }, kind }, text) {
  const words = params.map((one) => text.slice(one.start, one.end)).join(',');
  const isBlock = body.type === 'BlockStatement';
  const bodyAt = isBlock ? body.start : text.indexOf('=>', params.at(-1)?.end ?? start) + 2;
  return [
    {
      from: start,
      to: bodyAt,
      by: `${kind === 'declared' ? `var ${name}=` : ''}(function(${words})${isBlock ? '' : '{return '}`,
    },
    { from: end, to: end, by: `${isBlock ? '' : '}'})${kind === 'declared' ? ';' : ''}` },
  ];
}

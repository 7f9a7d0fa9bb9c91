import { FUNCTION_KIND, type JsFunction, type NoSiteReason } from '../../js-text.js';
import { encodeFunctions } from '../../loader/function-table.js';
import type { LinkEvent } from '../../loader/link-event.js';

/** The announcement of a text with functions of these names; a name in `without` has no site, for that reason. */
export function linkEvent(
  firstFunction: number,
  names: readonly string[],
  rest: Partial<LinkEvent> = {},
  without: Readonly<Record<string, NoSiteReason>> = {},
): LinkEvent {
  const functions = names.map((name, index): JsFunction => {
    const reason = without[name];
    const place = { start: index * 16, end: index * 16 + 12, line: index + 1, column: 1 };
    return { name, kind: FUNCTION_KIND.function, params: [], hasThis: false, ...place, ...(reason && { reason }) };
  });
  return {
    file: `/app/${firstFunction}.js`,
    module: '',
    length: names.length * 16,
    base: 0x81000000 + firstFunction * 16,
    firstFunction,
    functionCount: names.length,
    functions: encodeFunctions(functions),
    ...rest,
  };
}

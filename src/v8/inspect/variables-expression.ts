/** A variable and its text. */
export type VariableText = readonly [name: string, text: string];

/** Limits of the texts: characters of a string, members of an object, levels of objects in objects, variables of a scope. */
const LIMITS = { string: 200, members: 8, levels: 2, variables: 50 } as const;

/**
 * The source of a statement for Node 20, whose V8 has `undefined` in place of what it has optimized away, unless this flag is on.
 * Later ones have no such flag.
 */
const TELLS_UNAVAILABLE = (isOn: boolean): string =>
  `if (process.version.startsWith('v20.'))
    (process.getBuiltinModule?.('node:v8') ?? require('node:v8')).setFlagsFromString('--${isOn ? '' : 'no-'}experimental-value-unavailable');`;

/** The source of an expression that ends what VARIABLES_EXPRESSION begins, when the scopes are read. */
export const VARIABLES_READ_EXPRESSION = `{ ${TELLS_UNAVAILABLE(false)} }`;

/**
 * The source of an expression whose value is a function from an object, a scope of a paused call, to its variables as
 * VariableText in JSON. It reads own data properties only: it calls no getter, and asks no Proxy. Values look as in events
 * (tracers/render.ts); a variable that has none yet, or whose value V8 has optimized away, is `(unavailable)`.
 */
export const VARIABLES_EXPRESSION = `(() => {
  const { types } = process.getBuiltinModule?.('node:util') ?? require('node:util');
  ${TELLS_UNAVAILABLE(true)}
  const { getOwnPropertyDescriptor, getPrototypeOf, keys } = Object;
  const { apply, ownKeys } = Reflect;
  const getter = (holder, name) => getOwnPropertyDescriptor(holder, name).get;
  const sizes = [['Map', types.isMap, getter(Map.prototype, 'size')], ['Set', types.isSet, getter(Set.prototype, 'size')]];
  const { get: bytes } = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), 'length');
  const { get: source } = getOwnPropertyDescriptor(RegExp.prototype, 'source');
  const { get: flags } = getOwnPropertyDescriptor(RegExp.prototype, 'flags');
  const { toISOString, getTime } = Date.prototype;
  const data = (object, name) => {
    const found = types.isProxy(object) ? undefined : getOwnPropertyDescriptor(object, name);
    return found !== undefined && 'value' in found ? found.value : undefined;
  };
  const ownText = (object, name) => {
    const value = data(object, name);
    return typeof value === 'string' ? value : '';
  };
  const classOf = (object) => {
    let holder = getPrototypeOf(object);
    for (let i = 0; i < 4 && holder !== null && !types.isProxy(holder); i++) {
      const maker = data(holder, 'constructor');
      if (typeof maker === 'function') return ownText(maker, 'name');
      holder = getPrototypeOf(holder);
    }
    return '';
  };
  const quoted = (text) => JSON.stringify(text.length > ${LIMITS.string} ? text.slice(0, ${LIMITS.string}) + '…' : text);
  const listed = (parts, more) => (more > 0 ? [...parts, '… ' + more + ' more'] : parts).join(', ');
  const member = (object, key, level) => {
    const found = getOwnPropertyDescriptor(object, key);
    return found === undefined ? '' : 'value' in found ? textOf(found.value, level + 1) : '[getter]';
  };
  const elements = (list, level) => {
    const { length } = list;
    if (level >= ${LIMITS.levels}) return length === 0 ? '[]' : '[… ' + length + ']';
    const shown = Math.min(length, ${LIMITS.members});
    return '[' + listed(Array.from({ length: shown }, (_, i) => member(list, i, level)), length - shown) + ']';
  };
  const members = (object, level) => {
    const name = classOf(object);
    const head = name === 'Object' ? '' : name;
    const names = keys(object);
    if (names.length === 0) return head + '{}';
    if (level >= ${LIMITS.levels}) return head + '{…}';
    const shown = names.slice(0, ${LIMITS.members});
    return head + '{' + listed(shown.map((key) => key + ': ' + member(object, key, level)), names.length - shown.length) + '}';
  };
  const sizeOf = (value) => {
    for (const [name, is, size] of sizes) if (is(value)) return name + '(' + apply(size, value, []) + ')';
    if (!types.isTypedArray(value)) return undefined;
    return (classOf(value) || 'TypedArray') + '(' + apply(bytes, value, []) + ')';
  };
  const objectText = (value, level) => {
    if (types.isProxy(value)) return '[Proxy]';
    if (Array.isArray(value)) return elements(value, level);
    const size = sizeOf(value);
    if (size !== undefined) return size;
    if (types.isDate(value)) return isNaN(apply(getTime, value, [])) ? 'Invalid Date' : apply(toISOString, value, []);
    if (types.isRegExp(value)) return '/' + apply(source, value, []).slice(0, ${LIMITS.string}) + '/';
    if (types.isPromise(value)) return 'Promise{}';
    if (types.isNativeError(value)) return (classOf(value) || 'Error') + ': ' + quoted(ownText(value, 'message'));
    return members(value, level);
  };
  const textOf = (value, level) => {
    if (typeof value === 'string') return quoted(value);
    if (typeof value === 'bigint') return value > -(10n ** 30n) && value < 10n ** 30n ? value + 'n' : '[bigint]';
    if (typeof value === 'symbol') return 'Symbol(' + (value.description ?? '').slice(0, ${LIMITS.string}) + ')';
    if (typeof value === 'object' && value !== null) return objectText(value, level);
    if (typeof value !== 'function') return Object.is(value, -0) ? '-0' : String(value);
    return types.isProxy(value) ? '[Proxy]' : '[function' + (ownText(value, 'name') && ' ' + ownText(value, 'name')) + ']';
  };
  // A scope has no getters: V8 puts one in place of what is not there.
  const hasValue = (scope, name) => 'value' in getOwnPropertyDescriptor(scope, name);
  return (scope) => {
    const found = [];
    for (const name of ownKeys(scope).slice(0, ${LIMITS.variables})) {
      try {
        if (typeof name === 'string') found.push([name, hasValue(scope, name) ? member(scope, name, -1) : '(unavailable)']);
      } catch {
        found.push([name, '(unavailable)']);
      }
    }
    return JSON.stringify(found);
  };
})()`;

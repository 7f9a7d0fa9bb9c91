/** A value of another thread, as the inspector describes it. */
export interface RemoteValue {
  readonly type: string;
  readonly subtype?: string;
  readonly className?: string;
  readonly value?: unknown;
  readonly unserializableValue?: string;
  readonly description?: string;
  readonly objectId?: string;
  readonly preview?: RemotePreview;
}

interface RemotePreview {
  readonly description?: string;
  readonly overflow: boolean;
  readonly properties: readonly { readonly name: string; readonly type: string; readonly value?: string }[];
}

/** The most characters of a value. */
const MOST = 120;

/** A value as a program would write it, in one line: `7`, `"text"`, `Pool { size: 4, … }`, `[Function: f]`. */
export function remoteText({ type, subtype, value, unserializableValue, description = '', preview }: RemoteValue): string {
  if (unserializableValue !== undefined) return unserializableValue;
  if (type === 'string') return cut(JSON.stringify(value));
  if (type === 'undefined' || type === 'boolean' || type === 'number') return String(value);
  if (subtype === 'null') return 'null';
  if (type === 'function') return `[Function: ${cut(functionName(description))}]`;
  if (preview === undefined) return cut(description);
  const isArray = subtype === 'array' || subtype === 'typedarray';
  const parts = preview.properties.map((property) =>
    isArray ? previewText(property) : `${property.name}: ${previewText(property)}`,
  );
  const inside = [...parts, ...(preview.overflow ? ['…'] : [])].join(', ');
  if (isArray) return cut(`[${inside}]`);
  return cut(`${description === 'Object' ? '' : `${description} `}${inside === '' ? '{}' : `{ ${inside} }`}`);
}

const previewText = ({ type, value = '' }: RemotePreview['properties'][number]): string =>
  type === 'string' ? JSON.stringify(value) : type === 'function' ? '[Function]' : value;

/** The name in a function's text, which is what the inspector describes it by. */
const functionName = (text: string): string =>
  /^(?:async\s+)?(?:function\s*\*?|class)\s*([\w$]+)/.exec(text)?.[1] ??
  /^(?:async\s+)?\*?\s*([\w$]+)\s*\(/.exec(text)?.[1] ??
  '(anonymous)';

const cut = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MOST ? `${line.slice(0, MOST)}…` : line;
};

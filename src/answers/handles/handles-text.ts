import { grouped } from '../../base/grouped.js';
import { visibleLine } from '../../base/visible.js';
import type { AnswerStyle } from '../answer.js';
import type { Frame } from '../place.js';
import { placeText } from '../place-text.js';
import { threadTitle } from '../thread-title.js';
import type { Handle, HandleFunction, HandleOrigin, HandlesAnswer, HandlesThread } from './handles-answer.js';

/** Variables, and calls of a stack, that are shown of a handle. */
const VARIABLES = 6;
const CALLS = 8;

/** Makes a paragraph for each handle: those that keep a thread alive, then those that do not. */
export function handlesText(value: HandlesAnswer, style: AnswerStyle): readonly string[] {
  const placed = { folder: value.application, ...style };
  return value.threads.flatMap((thread, i) => [...(i > 0 ? [''] : []), ...threadLines(thread, placed)]);
}

function threadLines(thread: HandlesThread, style: AnswerStyle): readonly string[] {
  const title = threadTitle(thread);
  if (thread.silence !== undefined) return [`${title}: it ${visibleLine(thread.silence)}`];
  const keeping = thread.handles.filter(({ keeps }) => keeps);
  const others = thread.handles.filter(({ keeps }) => !keeps);
  const shown = style.all ? others : others.filter(isOwn);
  const folded = others.length - shown.length;
  const kept =
    keeping.length === 0
      ? 'nothing keeps it alive'
      : `${things(keeping.length)} ${keeping.length === 1 ? 'keeps' : 'keep'} it alive`;
  return [
    `${title}: ${kept}`,
    ...(thread.noTimers === undefined ? [] : [`Timers are not listed: ${visibleLine(thread.noTimers)}`]),
    ...(thread.noUnrefed === undefined
      ? []
      : [`Workers, jobs of the thread pool, and unref'd handles are not listed: ${visibleLine(thread.noUnrefed)}`]),
    ...paragraphs(keeping, style),
    ...(shown.length > 0 ? ['', "unref'd, and harmless:"] : []),
    ...paragraphs(shown, style),
    ...(folded > 0
      ? [
          '',
          `${things(folded)} more of packages and of Node ${folded === 1 ? 'is' : 'are'} unref'd; --all shows ${folded === 1 ? 'it' : 'them'}`,
        ]
      : []),
    ...(keeping.length > 0 && !thread.hasOrigins
      ? ['', 'Who made them is kept in a process that is started with FENTRY=handles.']
      : []),
  ];
}

const things = (count: number): string => `${grouped(count)} ${count === 1 ? 'thing' : 'things'}`;

/** A paragraph for each handle; those that differ only in when they are due and in their ages have one, with their number. */
function paragraphs(handles: readonly Handle[], style: AnswerStyle): readonly string[] {
  const alike = new Map<string, { readonly handle: Handle; count: number }>();
  for (const handle of handles) {
    const { kind, what, calls, made } = handle;
    const key = JSON.stringify([kind, what.replace(/due in .*$|overdue$/, ''), calls, made?.stack]);
    const counted = alike.get(key) ?? { handle, count: 0 };
    counted.count++;
    alike.set(key, counted);
  }
  return [...alike.values()].flatMap(({ handle, count }) => {
    const [title, ...lines] = handleLines(handle, style);
    return ['', count === 1 ? title! : `${grouped(count)} × ${title}`, ...lines];
  });
}

const isOwn = ({ calls, made }: Handle): boolean => calls?.isOwn === true || made?.stack.some((frame) => frame.isOwn) === true;

function handleLines(handle: Handle, style: AnswerStyle): readonly string[] {
  const { kind, what, calls, made } = handle;
  return [
    `${visibleLine(kind)}${what === '' ? '' : ` ${visibleLine(what)}`}${calls === undefined ? '' : `, calls ${functionText(calls, style)}`}`,
    ...(calls?.source === undefined ? [] : [`    ${visibleLine(calls.source)}`]),
    ...(calls?.variables.slice(0, VARIABLES) ?? []).map(({ name, value }) => `    ${visibleLine(name)} = ${visibleLine(value)}`),
    ...(made === undefined ? [] : originLines(made, style)),
  ];
}

function functionText(called: HandleFunction, style: AnswerStyle): string {
  const inside = called.inside === undefined ? '' : ` in ${visibleLine(called.inside)}`;
  return frameText({ ...called, name: `${called.name}${inside}` }, style);
}

function frameText({ name, place, package: from }: Frame, style: AnswerStyle): string {
  const where = place === undefined ? '' : `  ${placeText(place, style)}`;
  return `${visibleLine(name)}${from === undefined ? '' : ` [${visibleLine(from)}]`}${where}`;
}

/** The stack without Node's functions at its inner end, unless there are no others. */
function originLines({ ageMs, stack }: HandleOrigin, style: AnswerStyle): readonly string[] {
  const first = stack.findIndex(({ package: from }) => from !== 'node');
  const from = style.all || first < 0 ? 0 : first;
  const calls = stack.slice(from, style.all ? undefined : from + CALLS);
  return [`    made ${(ageMs / 1000).toFixed(1)} s ago by`, ...calls.map((frame) => `      ${frameText(frame, style)}`)];
}

import type { InspectorThread } from './inspector-thread.js';
import { type RawFrame, type RawStack, STACK_EXPRESSION } from './stack-expression.js';

interface Evaluated {
  readonly result?: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
}

/** The stack of a thread, where it runs; undefined while it starts, or if it says nothing. */
export async function readStack(session: InspectorThread): Promise<RawStack | undefined> {
  const answer = (await session.ask('Runtime.evaluate', {
    expression: STACK_EXPRESSION,
    includeCommandLineAPI: true,
    returnByValue: true,
    silent: true,
  })) as Evaluated | undefined;
  const value = answer?.result?.value;
  if (typeof value === 'string') return JSON.parse(value) as RawStack;
  // The stack is full: nothing can be called, but the error has its innermost calls.
  const frames = thrownAt(answer?.exceptionDetails?.exception?.description ?? '');
  return frames.length === 0 ? undefined : { tid: 0, frames, omitted: 'unknown' };
}

/** `    at async Cart.add (file:///app/cart.mjs:4:9)`, `    at file:///app/cart.mjs:9:1` */
const CALL = /^ {4}at (async )?(?:(.*) \((.*):(\d+):(\d+)\)|(.*):(\d+):(\d+))$/gm;

/** The calls that the text of an error names. */
const thrownAt = (text: string): readonly RawFrame[] =>
  Array.from(text.matchAll(CALL), ([, isAsync, name = '', named = '', line1, column1, unnamed, line2, column2]) => ({
    name,
    url: unnamed ?? named,
    line: Number(line2 ?? line1),
    column: Number(column2 ?? column1),
    isAsync: isAsync !== undefined,
  }));

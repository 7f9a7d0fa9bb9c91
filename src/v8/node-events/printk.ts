import { Console } from 'node:console';
import { stripVTControlCharacters } from 'node:util';
import { string, u8 } from '../../tracepoint/fields.js';
import { replaceMethod } from '../realm/lookalike.js';
import { includes, reflectApply } from '../realm/primordials.js';
import { undoAll } from '../realm/undo.js';
import { nodeEventSystem } from './node-event-system.js';

/** The kernel's level of what each method writes. The other methods of a console call one of these. */
const LEVELS = { debug: 7, log: 6, info: 6, dir: 6, dirxml: 6, warn: 4, error: 3 } as const;

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Node's own method that every method of a console calls with its text, once it is formatted. */
const WRITE = Object.getOwnPropertySymbols(Console.prototype).find(({ description }) => description === 'kWriteToConsole');
/** What it is called with for stderr. */
const STDERR = 'kUseStderr';
const descriptionOf = Object.getOwnPropertyDescriptor(Symbol.prototype, 'description')!.get!;

const withoutColours = (text: string): string => (includes(text, '\x1b') ? stripVTControlCharacters(text) : text);

/**
 * What the program writes to its consoles: the text that the console itself has formatted, so nothing of the program runs a
 * second time. The record comes before the console writes.
 */
export const printk = nodeEventSystem<{ console: [msg: string, level: number] }>('printk', {
  events: {
    console: {
      args: ['msg', 'level'],
      fields: { msg: string((msg) => withoutColours(msg)), level: u8((_msg, level) => level) },
      print: '"%s", __get_str(msg)',
    },
  },
  sources: [
    {
      events: ['console'],
      start({ console: written }) {
        let isOn = true;
        /** The level of the method that runs. */
        let level: number | undefined;
        const withLevel =
          (own: number) =>
          (original: Method): Method =>
            ({
              method(this: unknown, ...args: unknown[]): unknown {
                const outer = level;
                level = own;
                try {
                  return reflectApply(original, this, args);
                } finally {
                  level = outer;
                }
              },
            }).method;
        const seen = (original: Method): Method =>
          ({
            method(this: unknown, stream: unknown, text: unknown, ...rest: unknown[]): unknown {
              if (isOn && typeof text === 'string') written(text, level ?? levelOf(stream));
              return reflectApply(original, this, [stream, text, ...rest]);
            },
          }).method;
        const undo = undoAll([
          ...Object.entries(LEVELS).map(([name, own]) => replaceMethod<Method>(console, name, withLevel(own))),
          ...(WRITE === undefined ? [] : [console, Console.prototype].map((one) => replaceMethod<Method>(one, WRITE!, seen))),
        ]);
        return () => {
          isOn = false;
          undo();
        };
      },
    },
  ],
});

/** The level of a console of the program's own, whose methods are bound to Node's: only its streams tell them apart. */
const levelOf = (stream: unknown): number =>
  typeof stream === 'symbol' && reflectApply(descriptionOf, stream, []) === STDERR ? LEVELS.error : LEVELS.log;

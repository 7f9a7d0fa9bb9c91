import { string, u8 } from '../../../tracepoint/fields.js';
import { replaceMethod } from '../realm/lookalike.js';
import { reflectApply } from '../realm/primordials.js';
import type { Undo } from '../realm/undo.js';
import { nodeEventSystem } from './node-event-system.js';

/** The kernel's level of what each method of a console writes. */
const LEVELS = { debug: 7, log: 6, info: 6, warn: 4, error: 3 } as const;

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** What the program writes to its console. The record comes before the console writes. */
export const printk = nodeEventSystem<{ console: [level: number, msg: unknown] }>('printk', {
  events: {
    console: {
      args: ['level', 'msg'],
      fields: { level: u8((level) => level), msg: string((_level, msg) => msg as string) },
      print: '"%s", __get_str(msg)',
    },
  },
  sources: [
    {
      events: ['console'],
      start({ console: written }) {
        const undos: Undo[] = Object.entries(LEVELS).map(([name, level]) =>
          replaceMethod<Method>(
            console,
            name,
            (original) =>
              ({
                [name](this: unknown, ...args: unknown[]): unknown {
                  written(level, args[0]);
                  return reflectApply(original, this, args);
                },
              })[name]!,
          ),
        );
        return () => {
          for (const undo of undos) undo();
        };
      },
    },
  ],
});

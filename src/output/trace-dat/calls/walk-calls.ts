import type { ParsedFormat } from '../../../events/format-parse.js';
import { APPENDED } from '../../../events/ftrace-events.js';
import type { CpuCursor } from '../cpu-cursor.js';
import { isFentrys } from '../is-fentrys.js';
import { Merge } from '../merge.js';
import { type OpenTraceDat, openTraceDat } from '../open.js';
import { OpenCursors } from '../open-cursors.js';
import { AppendedEntry, AppendedExit } from '../report/appended.js';
import { ExitFields } from '../report/exit-fields.js';
import { fieldWord } from '../report/field.js';
import { KallsymsTable } from '../report/kallsyms-table.js';
import type { CallVisitor } from './call-visitor.js';
import { CalledFunctions } from './called-functions.js';
import { TrackStack } from './track-stack.js';

/**
 * Tells a visitor of every call in a trace.dat. Memory does not grow with the file, but for what the visitor keeps.
 * Throws TraceDatError for a file that cannot be read.
 * @param cpus only these when given
 * @returns what the reader should be told: damage, a cut file
 */
export function walkCalls<Place>(
  path: string,
  cpus: ReadonlySet<number> | undefined,
  visitor: CallVisitor<Place>,
): readonly string[] {
  const dat = openTraceDat(path);
  try {
    const walk = new CallWalk(dat, visitor);
    const open = dat.buffers.map((buffer) => {
      const cursors = new OpenCursors(dat, buffer, cpus, 0);
      walk.buffer(cursors.cursors);
      return cursors;
    });
    const warnings = [...dat.warnings, ...open.flatMap((cursors) => cursors.warnings())];
    if (!walk.hasTimes && visitor.hit === undefined) warnings.push('there is no call with a time: record with -p function_graph');
    return warnings;
  } finally {
    dat.file.close();
  }
}

class CallWalk<Place> {
  readonly #visitor: CallVisitor<Place>;
  readonly #functions: CalledFunctions;
  readonly #cmdlines: ReadonlyMap<number, string>;
  readonly #isFentrys: boolean;
  /** What takes an event, by its common_type. */
  readonly #takers: (((cursor: CpuCursor) => void) | undefined)[] = [];
  readonly #appendedEntry = new AppendedEntry();
  readonly #appendedExit = new AppendedExit();
  #stacks = new Map<number, TrackStack<Place>>();
  #tracks = 0;
  /** Whether there was an event of function_graph. */
  hasTimes = false;

  constructor(dat: OpenTraceDat, visitor: CallVisitor<Place>) {
    this.#visitor = visitor;
    this.#cmdlines = dat.cmdlines;
    this.#isFentrys = isFentrys(dat);
    this.#functions = new CalledFunctions(new KallsymsTable(dat.kallsyms, this.#isFentrys));
    for (const format of dat.formats) {
      const taker = this.#takerOf(format);
      if (taker !== undefined) this.#takers[format.id] = taker;
    }
  }

  /** The events of the top level, or of an instance. */
  buffer(cursors: readonly CpuCursor[]): void {
    this.#stacks = new Map();
    const visitor = this.#visitor;
    for (const merge = new Merge(cursors); merge.current !== undefined && visitor.isDone !== true; merge.advance()) {
      const cursor = merge.current;
      if (cursor.missed !== 0) this.#stackOf(cursor).lost(cursor.time);
      this.#takers[cursor.words[cursor.word]! & 0xffff]?.(cursor);
    }
    for (const stack of this.#stacks.values()) stack.finish();
  }

  /** In fentry's recordings a CPU is a thread; in a kernel's tasks move from one to another, but for the idle ones. */
  #stackOf(cursor: CpuCursor): TrackStack<Place> {
    const pid = cursor.words[cursor.word + 1]!;
    const key = this.#isFentrys ? cursor.cpu : pid === 0 ? -1 - cursor.cpu : pid;
    let stack = this.#stacks.get(key);
    if (stack === undefined) {
      const comm = pid === 0 ? '<idle>' : (this.#cmdlines.get(pid) ?? '<...>');
      const since = this.#isFentrys ? cursor.time : -Infinity;
      stack = new TrackStack({ index: this.#tracks++, comm, pid }, this.#visitor, since);
      this.#stacks.set(key, stack);
    }
    return stack;
  }

  #takerOf(format: ParsedFormat): ((cursor: CpuCursor) => void) | undefined {
    try {
      return this.#makers[format.name]?.(format);
    } catch {
      // A format without the fields: its events are passed over.
      return undefined;
    }
  }

  readonly #makers: Readonly<Record<string, (format: ParsedFormat) => (cursor: CpuCursor) => void>> = {
    function: (format) => {
      const ip = fieldWord(format, 'ip');
      return ({ words, word }) => this.#visitor.hit?.(this.#functions.find(words[word + ip + 1]!, words[word + ip]!));
    },
    funcgraph_entry: (format) => {
      const func = fieldWord(format, 'func');
      const depth = fieldWord(format, 'depth');
      return (cursor) => {
        this.hasTimes = true;
        const { words, word } = cursor;
        const appended = this.#appendedEntry;
        if (this.#isFentrys) appended.take(cursor, APPENDED.funcgraph_entry.offset, true);
        const facts = { isResumed: appended.isResumed, args: this.#visitor.wantsTexts === true ? appended.arguments : '' };
        const called = this.#functions.find(words[word + func + 1]!, words[word + func]!);
        this.#stackOf(cursor).enter(called, words[word + depth]!, cursor.time, facts);
      };
    },
    funcgraph_exit: (format) => {
      const fields = new ExitFields(format);
      return (cursor) => {
        const { words, word } = cursor;
        const appended = this.#appendedExit;
        if (this.#isFentrys) appended.take(cursor, APPENDED.funcgraph_exit.offset);
        const called = this.#functions.find(words[word + fields.func + 1]!, words[word + fields.func]!);
        this.#stackOf(cursor).leave(called, words[word + fields.depth]!, {
          returned: fields.returnTime(cursor),
          call: fields.duration(cursor),
          isSuspended: appended.isSuspended,
          value: this.#visitor.wantsTexts === true ? appended.value : '',
        });
      };
    },
    print: (format) => {
      const buf = fieldWord(format, 'buf') * 4;
      return (cursor) => {
        if (this.#visitor.wantsTexts !== true) return;
        const bytes = Buffer.from(cursor.bytes.subarray(cursor.at + buf, cursor.at + cursor.size));
        const text = bytes.toString('utf8', 0, (bytes.indexOf(0) + 1 || bytes.length + 1) - 1);
        this.#visitor.mark?.(this.#stackOf(cursor).track, cursor.time, text.trimEnd());
      };
    },
  };
}

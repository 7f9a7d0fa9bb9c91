import { type WallTime, wallTimeOf } from '../../../base/wall-time.js';
import type { EventFormat } from '../../../events/define.js';
import { FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import { AppendedEntry, AppendedExit } from '../../appended.js';
import { EventLines } from '../../event-lines.js';
import { ExitFields } from '../../exit-fields.js';
import { fieldWord, pidOf, type TraceRecord, textBehind, typeOf } from '../../record.js';
import { RecordMerge } from '../../record-merge.js';
import { TimeColumn } from '../../time-column.js';
import { OPTION } from '../format.js';
import { isFentrys } from '../is-fentrys.js';
import { type OpenTraceDat, openTraceDat } from '../open.js';
import { OpenCursors } from '../open-cursors.js';
import { RecordedPlaces } from '../recorded-places.js';
import { recordedProcesses } from '../recorded-processes.js';
import { KallsymsTable } from '../report/kallsyms-table.js';
import { recordedView } from '../report/recorded-view.js';
import type { CallVisitor } from './call-visitor.js';
import { CalledFunctions } from './called-functions.js';
import { type AddressTexts, addressTexts, CurrentEvent, EventReader } from './current-event.js';
import type { EntryFacts, ExitFacts } from './record-facts.js';
import { type StackSource, TrackStack } from './track-stack.js';
import { Tracks } from './tracks.js';

/** What there is to say of a recording whose calls were visited. */
export interface WalkedCalls {
  /** The folder that the program was started in; '' if it was not recorded. */
  readonly application: string;
  /** For the user: damage, a truncated file. */
  readonly warnings: readonly string[];
}

/**
 * Passes every call in a trace.dat to a visitor, and every other event if it takes these. Memory does not grow with the file,
 * except for what the visitor keeps. Throws TraceDatError for a file that cannot be read.
 * @param cpus only these when given
 */
export function walkCalls<Place>(path: string, cpus: ReadonlySet<number> | undefined, visitor: CallVisitor<Place>): WalkedCalls {
  const dat = openTraceDat(path);
  try {
    const walk = new CallWalk(dat, visitor, () => hasEntries(dat, cpus));
    const open = dat.buffers.map((buffer) => {
      const cursors = new OpenCursors(dat, buffer, cpus, 0);
      walk.buffer(buffer.name, new RecordMerge(cursors.cursors), cursors);
      return cursors;
    });
    const warnings = [...dat.warnings, ...open.flatMap((cursors) => cursors.warnings())];
    if (!walk.hasTimes && visitor.hit === undefined && visitor.event === undefined)
      warnings.push('there is no call with a time: record with -p function_graph');
    else if (!walk.hasRecords) warnings.push('the recording has no events');
    if (walk.lost !== undefined) warnings.push(lostWarning(walk.lost));
    return { application: walk.application, warnings };
  } finally {
    dat.file.close();
  }
}

type Writable<Facts> = { -readonly [Key in keyof Facts]: Facts[Key] };

/** The system of the events that tracers record. */
const FTRACE = 'ftrace';

/** What prints the events of a recording, without what stands before them. */
function eventLines(dat: OpenTraceDat, table: KallsymsTable): EventLines {
  const view = recordedView(dat, {}, { clockInNs: true, seconds: 0 }, table);
  return new EventLines(view, new TimeColumn({ digits: 9, seconds: 0, counterGap: view.dialect.counterGap }));
}

/** The first moment whose time by the calendar the recording has. */
function recordedWallTime({ options }: OpenTraceDat): WallTime | undefined {
  for (const stats of options.get(OPTION.CPUSTAT) ?? []) {
    const wall = wallTimeOf(stats.toString('latin1'));
    if (wall !== undefined) return wall;
  }
  return undefined;
}

/** Events that were lost, as one number. */
interface Lost {
  count: number;
  /** Some sub-buffers say that events are missing, but not how many. */
  isMore: boolean;
}

function lostWarning({ count, isMore }: Lost): string {
  const number = count === 0 ? 'an unknown number of' : isMore ? `more than ${count}` : String(count);
  return `${number} events were lost: calls that ended among them are left out, and times around them are guesses`;
}

/** Calls that may be open on a cpu where its recording begins: what fentry's shadow stack holds. The kernel's holds 50. */
const MOST_OPEN = 65_536;

/** Whether calls have entries: with `tracing_thresh` there are exits only, more of them than calls can have been open. */
function hasEntries(dat: OpenTraceDat, cpus: ReadonlySet<number> | undefined): boolean {
  const idOf = (event: string): number | undefined => dat.formats.find(({ name }) => name === event)?.id;
  const entry = idOf('funcgraph_entry');
  const exit = idOf('funcgraph_exit');
  return dat.buffers.some((buffer) =>
    new OpenCursors(dat, buffer, cpus, 0).cursors.some((cursor) => {
      for (let exits = 0; exits <= MOST_OPEN && cursor.advance(); ) {
        const type = typeOf(cursor);
        if (type === entry) return true;
        if (type === exit) exits++;
      }
      return false;
    }),
  );
}

class CallWalk<Place> {
  readonly #visitor: CallVisitor<Place>;
  readonly #functions: CalledFunctions;
  readonly #tracks: Tracks;
  readonly #isFentrys: boolean;
  /** Undefined as long as neither an entry was seen nor an exit. */
  #hasEntries: boolean | undefined;
  readonly #lines: () => EventLines;
  readonly #texts: AddressTexts;
  #current: CurrentEvent | undefined;
  /** What takes an event, by its common_type. */
  readonly #takers: (((record: RecordMerge) => void) | undefined)[] = [];
  /** By the tracks' keys. */
  #stacks = new Map<number, TrackStack<Place>>();
  /** By cpu: that of its last record. */
  #latest: (TrackStack<Place> | undefined)[] = [];
  readonly #source: StackSource<Place>;
  /** Whether there was any event. */
  hasRecords = false;
  /** Whether there was an event of function_graph. */
  hasTimes = false;
  /** The number of lost events so far; undefined: none. */
  lost: Lost | undefined;

  constructor(dat: OpenTraceDat, visitor: CallVisitor<Place>, findEntries: () => boolean) {
    this.#visitor = visitor;
    this.#isFentrys = isFentrys(dat);
    const { cmdlines } = dat;
    const table = new KallsymsTable(dat.kallsyms, this.#isFentrys);
    let lines: EventLines | undefined;
    const places = new RecordedPlaces(dat);
    this.#texts = addressTexts(table, places);
    this.#lines = () => (lines ??= eventLines(dat, table));
    this.#tracks = new Tracks({ isFentrys: this.#isFentrys, cmdlines, processes: recordedProcesses(dat) });
    this.#functions = new CalledFunctions(table, places, this.#isFentrys);
    const functions = this.#functions;
    this.#source = { visitor, functions, hasEntries: () => (this.#hasEntries ??= findEntries()) };
    visitor.open?.({
      isFentrys: this.#isFentrys,
      clock: dat.buffers[0]?.clock ?? '',
      wall: recordedWallTime(dat),
      siteless: () => this.#functions.siteless(),
      commOf: (pid) => cmdlines.get(pid),
    });
    for (const format of dat.formats) {
      const taker = this.#takerOf(format);
      if (taker !== undefined) this.#takers[format.id] = taker;
    }
  }

  get application(): string {
    return this.#functions.application;
  }

  /** The events of the top level, or of an instance. */
  buffer(name: string, merge: RecordMerge, { cursors }: OpenCursors): void {
    this.#stacks = new Map();
    this.#latest = [];
    this.#current = undefined;
    const visitor = this.#visitor;
    this.#tracks.begin(
      name,
      cursors.filter(({ size }) => size > 0),
    );
    while (visitor.isDone !== true && merge.take()) {
      if (merge.lost !== 0) this.#missed(merge);
      this.#takers[typeOf(merge)]?.(merge);
    }
    for (const stack of this.#stacks.values()) stack.finish();
    this.hasRecords ||= merge.ts > 0 || this.#stacks.size > 0;
  }

  #missed(record: RecordMerge): void {
    this.lost ??= { count: 0, isMore: false };
    if (record.lost > 0) this.lost.count += record.lost;
    else this.lost.isMore = true;
    this.#stackOf(record).lost(record.ts, record.lost);
  }

  /** What visitors see of the record that the merge stands at. */
  #event(record: RecordMerge, reader: EventReader): CurrentEvent {
    this.#current ??= new CurrentEvent(record, reader, this.#lines, (at) => this.#stackOf(at).track);
    return this.#current.at(reader);
  }

  #stackOf(record: TraceRecord): TrackStack<Place> {
    const key = this.#tracks.keyOf(record);
    const latest = this.#latest[record.cpu];
    return latest !== undefined && latest.key === key ? latest : this.#changeStack(record, key);
  }

  /** The stack of a cpu whose last record, if it had one, was another track's. */
  #changeStack(record: TraceRecord, key: number): TrackStack<Place> {
    let stack = this.#stacks.get(key);
    if (stack === undefined) {
      const since = this.#isFentrys ? record.ts : -Infinity;
      stack = new TrackStack(this.#tracks.trackOf(record), key, this.#source, since);
      this.#stacks.set(key, stack);
    }
    this.#latest[record.cpu] = stack;
    return stack;
  }

  #takerOf(format: EventFormat): ((record: RecordMerge) => void) | undefined {
    const make = format.system === FTRACE && Object.hasOwn(this.#makers, format.name) ? this.#makers[format.name] : undefined;
    try {
      return make === undefined ? this.#otherTaker(format) : make(format);
    } catch {
      // A format without the fields: its events are none that are known.
      return this.#otherTaker(format);
    }
  }

  #otherTaker(format: EventFormat): ((record: RecordMerge) => void) | undefined {
    const visitor = this.#visitor;
    if (visitor.event === undefined) return undefined;
    const reader = new EventReader(format, this.#texts);
    return (record) => visitor.event!(this.#event(record, reader));
  }

  readonly #makers: Readonly<Record<string, (format: EventFormat) => (record: RecordMerge) => void>> = {
    function: (format) => {
      const ip = fieldWord(format, 'ip');
      const reader = new EventReader(format, this.#texts);
      return (record) => {
        if (this.#visitor.hit === undefined) return;
        this.#visitor.hit(this.#functions.at(record.words, record.at + ip), this.#event(record, reader));
      };
    },
    funcgraph_entry: (format) => {
      const func = fieldWord(format, 'func');
      const depth = fieldWord(format, 'depth');
      const wantsTexts = this.#visitor.wantsTexts === true;
      const appended = new AppendedEntry();
      const facts: Writable<EntryFacts> = { isResumed: false, args: '', context: 0, activation: undefined };
      return (record) => {
        this.hasTimes = true;
        this.#hasEntries = true;
        const { words, at } = record;
        facts.context = pidOf(record);
        if (this.#isFentrys) {
          appended.take(record, FTRACE_EVENTS.funcgraph_entry.size, true);
          facts.isResumed = appended.isResumed;
          facts.activation = appended.activation;
        }
        if (wantsTexts) facts.args = appended.arguments;
        this.#stackOf(record).enter(words, at + func, words[at + depth]! | 0, record.ts, facts);
      };
    },
    funcgraph_exit: (format) => {
      const fields = new ExitFields(format);
      const wantsTexts = this.#visitor.wantsTexts === true;
      const appended = new AppendedExit();
      const facts: Writable<ExitFacts> = {
        returned: 0,
        call: 0,
        isSuspended: false,
        value: '',
        context: 0,
        activation: undefined,
      };
      return (record) => {
        const { words, at } = record;
        this.hasTimes = true;
        facts.returned = fields.returnTime(record);
        facts.call = fields.duration(record);
        facts.context = pidOf(record);
        if (this.#isFentrys) {
          appended.take(record, FTRACE_EVENTS.funcgraph_exit.size);
          facts.isSuspended = appended.isSuspended;
          facts.activation = appended.activation;
        }
        if (wantsTexts) facts.value = appended.value;
        this.#stackOf(record).leave(words, at + fields.func, words[at + fields.depth]! | 0, facts);
      };
    },
    print: (format) => {
      const buf = fieldWord(format, 'buf') * 4;
      return (record) => {
        if (this.#visitor.wantsTexts !== true) return;
        this.#visitor.mark?.(this.#stackOf(record).track, record.ts, textBehind(record, buf).trimEnd());
      };
    },
  };
}

import { addressOfBits } from '../../base/address.js';
import type { TraceError } from '../../base/errno.js';
import { isCostly } from '../../events/costly-events.js';
import type { TraceEvent } from '../../events/define.js';
import { type FilterRefusal, filterOf, NO_FILTER, SYSTEM_FILTER, systemFilterOf } from '../../events/filter/event-filter.js';
import { formatFile, HEADER_EVENT_FILE, headerPageFile } from '../../events/format-file.js';
import { printHist } from '../../events/hist/index.js';
import { framePlaceText } from '../ftrace/symbol-place-text.js';
import type { TraceDirectory, TraceFile, TraceNode } from '../tracefs/node.js';
import { parseSwitch } from '../tracefs/numbers.js';
import { directory, dynamicDirectory, lazyDirectory } from '../tracefs/path.js';
import { refusal } from '../tracefs/refusal.js';
import { readOnly, textFile } from '../tracefs/text-file.js';
import { pageText } from '../tracefs/user-text.js';
import type { EventFile } from './event-file.js';
import type { EventInstance } from './event-instance.js';
import { InstanceEvents } from './instance-events.js';
import { triggerFile } from './trigger-file.js';

/** The system of what tracers record. */
const TRACERS = 'ftrace';

/** events/SYSTEM/EVENT/hist: the tables of its hist triggers (hist_show in kernel/trace/trace_events_hist.c). */
const histFile = (instance: EventInstance, file: () => EventFile): TraceFile =>
  readOnly(() => {
    const symbols = instance.process.symbols();
    const placeText = instance.options.places ? framePlaceText(instance.process) : undefined;
    const named = (bits: bigint, withOffset: boolean): string => {
      const address = addressOfBits(bits);
      const symbol = symbols.find(address);
      if (symbol === undefined) return `0x${bits.toString(16)}`;
      const { name, module, size } = symbol;
      const offset = withOffset ? `+0x${(address - symbol.address).toString(16)}/0x${size.toString(16)}` : '';
      const place = placeText?.(symbol, address);
      return `${name}${offset}${module === '' ? '' : ` [${module}]`}${place === undefined ? '' : ` (${place})`}`;
    };
    return printHist(instance.hists.of(file().event), {
      symbol: (address) => named(address, false),
      symbolOffset: (address) => named(address, true),
      syscall: (nr) => instance.process.syscallName(nr),
    });
  });

/** Events that are enabled with others: an event that costs much is not. */
const switchedTogether = (files: readonly EventFile[]): readonly EventFile[] => files.filter(({ event }) => !isCostly(event));

/** enable, of one event, of a system, or of all (event_enable_write, system_enable_write). */
const enableFile = (instance: EventInstance, files: () => readonly EventFile[], show: () => string): TraceFile =>
  textFile({
    mode: 0o640,
    show,
    store(text) {
      const on = parseSwitch(text);
      const named = files();
      return instance.enableEvents(on && named.length > 1 ? switchedTogether(named) : named, on);
    },
  });

const refused = (instance: EventInstance, { location, message, command, position, errno }: FilterRefusal): TraceError =>
  refusal(instance, { location, message, command, position, errno });

/** filter of an event: a refused one takes the place of the one before, and says why. */
const eventFilter = (instance: EventInstance, file: () => EventFile): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => file().filter?.shown ?? NO_FILTER,
    async store(text) {
      const one = file();
      const result = filterOf(one.event, pageText(text, 'a filter'));
      one.filter = result.filter;
      await instance.events.apply([one]);
      if (result.refusal !== undefined) throw refused(instance, result.refusal);
    },
  });

/** filter of a system: sets that of each of its events that has the fields. */
const systemFilter = (instance: EventInstance, system: string): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => SYSTEM_FILTER,
    async store(text) {
      const files = instance.events.ofSystem(system);
      const results = systemFilterOf(
        files.map(({ event }) => event),
        pageText(text, 'a filter'),
      );
      for (const [i, result] of results.entries()) {
        files[i]!.filter = result.filter;
        if (result.refusal !== undefined) refused(instance, result.refusal);
      }
      await instance.events.apply(files);
    },
  });

/** Files that are the same in every instance: an instance may be removed while they are open. */
const shared = (file: TraceFile): TraceFile => ({ ...file, holdsInstance: false });

/** events/ftrace/NAME/: what tracers record, which cannot be enabled. */
const tracerEventDirectory = (instance: EventInstance, event: TraceEvent): TraceDirectory =>
  directory({
    format: shared(readOnly(() => formatFile(event))),
    hist: event.hasTrigger ? histFile(instance, () => instance.events.of(event)) : readOnly(() => ''),
    ...(event.hasId ? { id: shared(readOnly(() => `${event.id}\n`)) } : {}),
    ...(event.hasTrigger ? { trigger: shared(triggerFile(instance, () => instance.events.of(event))) } : {}),
  });

const eventDirectory = (instance: EventInstance, event: TraceEvent): TraceDirectory => {
  const file = (): EventFile => instance.events.of(event);
  return directory({
    enable: enableFile(
      instance,
      () => [file()],
      () => file().shown,
    ),
    filter: eventFilter(instance, file),
    format: shared(readOnly(() => formatFile(event))),
    hist: histFile(instance, file),
    id: shared(readOnly(() => `${event.id}\n`)),
    trigger: shared(triggerFile(instance, file)),
  });
};

const inOrder = (entries: readonly (readonly [name: string, node: TraceNode])[]): ReadonlyMap<string, TraceNode> =>
  new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

/** events/SYSTEM/: the events that the system has now. */
function systemDirectory(instance: EventInstance, system: string): TraceDirectory {
  const { events } = instance.process;
  const files = (): readonly EventFile[] => instance.events.ofSystem(system);
  const switched = (): readonly EventFile[] => switchedTogether(files());
  const own: Readonly<Record<string, () => TraceFile>> =
    system === TRACERS
      ? {}
      : {
          enable: () => enableFile(instance, files, () => InstanceEvents.shown(switched())),
          filter: () => systemFilter(instance, system),
        };
  return lazyDirectory({
    files: () => Object.keys(own),
    directories: () => (events.systems().get(system) ?? []).map(({ name }) => name).filter((name) => !Object.hasOwn(own, name)),
    get(name) {
      if (Object.hasOwn(own, name)) return own[name]!();
      const event = events.find(system, name);
      if (event === undefined) return undefined;
      return system === TRACERS ? tracerEventDirectory(instance, event) : eventDirectory(instance, event);
    },
  });
}

/** events/: the events, and how pages and records lie in memory. */
export function eventsDirectory(instance: EventInstance): TraceDirectory {
  const all = (): readonly EventFile[] => instance.events.all();
  const files: readonly (readonly [string, TraceNode])[] = [
    ['enable', enableFile(instance, all, () => (all().length === 0 ? '0\n' : InstanceEvents.shown(switchedTogether(all()))))],
    ['header_event', readOnly(() => HEADER_EVENT_FILE)],
    ['header_page', readOnly(() => headerPageFile())],
  ];
  return dynamicDirectory(() => {
    const systems = [...instance.process.events.systems().keys()];
    return inOrder([...files, ...systems.map((system) => [system, systemDirectory(instance, system)] as const)]);
  });
}

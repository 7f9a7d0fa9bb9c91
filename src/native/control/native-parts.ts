/**
 * What a native port consists of, built in three phases: a phase gets only what the ones before it have made. Where a later part
 * must be heard of, it tells an earlier one so (`ChangeQueue.hearRefusals`, `PortNews.hearUnreached`, `NativeSites.setProbed`).
 */
import { Refused } from '../../base/refused.js';
import type { MachineCode } from '../../port/port.js';
import { registerNames } from '../code/fetch-code.js';
import { LOCAL_MACHINE } from '../machines/machines.js';
import { SCRATCH_BYTES } from '../process/borrowed-stub.js';
import { processMaps } from '../process/process-maps.js';
import { idInside } from '../process/tasks.js';
import { registersBy } from '../process/thread-registers.js';
import { ChangeQueue } from './change-queue.js';
import { FunctionCommands } from './function-commands.js';
import { HeardEvents } from './heard-events.js';
import { NativeInstances } from './native-instances.js';
import { NativeLivepatches } from './native-livepatches.js';
import { NativeOperations } from './native-operations.js';
import { NativeProbes } from './native-probes.js';
import { NativeReplacements } from './native-replacements.js';
import { NativeSites } from './native-sites.js';
import type { NativeTarget } from './native-target.js';
import { NativeTexts } from './native-texts.js';
import type { NativeThreadNeeds } from './native-thread.js';
import { NativeTraps } from './native-traps.js';
import type { PortNews } from './port-news.js';
import { ProbedTexts } from './probed-texts.js';
import { SiteTargets } from './site-targets.js';
import { threadIdOffset } from './thread-id-offset.js';
import { ThreadTable } from './thread-table.js';
import { ToldWork } from './told-work.js';
import { Unwinding } from './unwinding.js';

/** What lies in the memory of the process. */
export interface PlacedParts {
  /** Bytes from the thread pointer to the thread's id, if the C library keeps that. */
  readonly tidOffset: number | undefined;
  readonly table: ThreadTable;
  /** The entries of probed places. */
  readonly probeEntries: SharedArrayBuffer;
  readonly targets: SiteTargets;
}

/** The first phase: what threads find in the memory of the process, and the code that sites go to. */
export function placeInProcess(target: NativeTarget): PlacedParts {
  const { pid, memory, caller, arena, pages, scratch } = target;
  const maps = processMaps(pid);
  const tidOffset = threadIdOffset(pid, maps);
  const unwinding = new Unwinding({ memory, caller, arena: arena.start, scratch, stackBytes: SCRATCH_BYTES });
  const probeEntries = pages.allocate(NativeProbes.tableBytes);
  const pidInside = idInside(pid);
  arena.setMainStack(pidInside, maps);
  const table = new ThreadTable(pages, arena.layout.threads);
  arena.setThreadWords(table.address);
  const targets = new SiteTargets({ ...target, tidOffset, unwinding, probes: pages.addressOf(probeEntries)!, pidInside });
  return { tidOffset, table, probeEntries, targets };
}

/** The text of the process, and how it is changed. */
export interface TextParts {
  readonly work: ToldWork;
  readonly texts: NativeTexts;
  readonly probedTexts: ProbedTexts;
  readonly queue: ChangeQueue;
  readonly traps: NativeTraps;
}

/** The second phase: what is known of the text of the process, and what changes it. */
export function textParts(target: NativeTarget, { targets }: PlacedParts): TextParts {
  const { pid, make, claimFunctions, cache, progress } = target;
  const work = new ToldWork(pid, progress);
  const texts = new NativeTexts(pid, claimFunctions, cache, work);
  const probedTexts = new ProbedTexts(pid, texts);
  const queue = new ChangeQueue(make, ({ done, all }) => work.changes(done, all));
  const traps = new NativeTraps({ ...target, queue, targets, texts: probedTexts });
  return { work, texts, probedTexts, queue, traps };
}

/** What asks for calls of the text: each part has sites or places changed. */
type ArmedParts = Pick<NativeThreadNeeds, 'sites' | 'probes' | 'livepatches' | 'traps' | 'instances' | 'heard'>;

/** The third phase: what sites and places of probes lead to. */
export function armedParts(target: NativeTarget, placed: PlacedParts, text: TextParts, news: PortNews): ArmedParts {
  const { arena, pages, local, hasJavaScript } = target;
  const { targets, tidOffset, probeEntries } = placed;
  const { texts, queue, traps } = text;
  const instances = new NativeInstances(arena.layout, pages, target.topSwitch);
  const heard = new HeardEvents(arena, pages);
  const replacements = new NativeReplacements(texts, targets, tidOffset);
  const operations = new NativeOperations(arena, targets);
  const commands = new FunctionCommands(pages);
  const sites = new NativeSites({ ...text, arena, targets, instances, operations, commands, replacements, news, hasJavaScript });
  const probes = new NativeProbes(
    { pages, queue, traps, targets, functions: texts, texts: text.probedTexts, instances, sites, heard, news },
    probeEntries,
  );
  const livepatches = new NativeLivepatches({
    ...{ ...target, queue, texts, targets, replacements, news },
    registersOf: registersBy(local),
  });
  return { sites, probes, livepatches, traps, instances, heard };
}

/** What the control side asks of the text. */
export const machineCodeOf = ({ hasJavaScript }: NativeTarget, { texts, probedTexts }: TextParts): MachineCode => ({
  isAll: !hasJavaScript,
  has: (n) => texts.function(n) !== undefined,
  registers: registerNames(LOCAL_MACHINE.probes),
  addressOf: (symbol) => probedTexts.addressOf(symbol),
  fetchVariable(n, place, fetch, asked) {
    const found = texts.function(n);
    return found?.object.text.debug?.fetch(found.one, place, fetch, asked) ?? new Refused('its object is not known');
  },
});

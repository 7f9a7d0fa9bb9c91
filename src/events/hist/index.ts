/**
 * Hist triggers: `hist:keys=...` in an event's `trigger` file, and the tables in its `hist` file.
 *
 * The control thread has one HistTriggers for each instance of tracing, and one HistNames for all of them. It gives each
 * command to `write`, asks `listedTrigger` and `printHist` for the texts of the two files, and tells threads what to do by plans,
 * which are plain data:
 *
 *     const triggers = new HistTriggers({
 *       findEvent, findSynthetic, checkFilter, setClock, prepareSnapshot, logError,
 *       attach: (trigger) => send(trigger.event, { plan: triggers.plan(trigger), filter: trigger.filter }),
 *       detach: (trigger) => send(trigger.event, { remove: trigger.id }),
 *     }, names);
 *     triggers.write(event, 'keys=pid,prio:vals=lat if pid > 1');     // what follows hist:
 *     triggers.write(event, 'keys=pid,prio:vals=lat if pid > 1', true);  // !hist:
 *     triggers.removeAll(event);                                      // > trigger
 *     triggers.pauseAll(event, true);                                 // disable_hist
 *     triggers.of(event).map(listedTrigger);                          // lines of `trigger`
 *     printHist(triggers.of(event), { symbol, symbolOffset, syscall }); // `hist`
 *
 * A thread puts the source of an update into the function that its event calls. `h7` is the one name that the source refers to;
 * the slots are locals of that function, so an update that needs no stack and no comm asks for none:
 *
 *     const source = updaterSource(plan, {
 *       slot: (name) => (name === 'common_pid' ? 'pid' : `a_${name}`),
 *       timestamp: 'ts', isNanoseconds: 'true', cpu: '0', comm: 'commOf()', stack: 'stackOf()',
 *     }, 'h7');
 *     const helpers = updaterHelpers(plan, {
 *       trace: (event) => (...values) => writeSynthetic(event, values),
 *       snapshot: () => takeSnapshot(),
 *     });
 *     const update = new Function('h7', `return (ts, pid, a_lat, a_prio) => { ${source} }`)(helpers);
 *
 * `interpretUpdate(plan, helpers, hit)` does the same without generated code.
 *
 * The tables are shared memory: all threads of the process add to one, and the control thread reads it meanwhile. A filter is
 * checked before the update, by the runtime. Whether a trigger is paused is in shared memory too:
 * `setPaused(trigger.state, true)` works from any thread, and the update looks at it.
 */
export { HIST_ERRORS } from './hist-errors.js';
export type { HistEvent } from './hist-event.js';
export { type HistTrigger, setPaused } from './hist-trigger.js';
export { type HistHost, HistNames, HistTriggers } from './hist-triggers.js';
export { type HitEvent, interpretUpdate } from './interpret-update.js';
export { listedTrigger } from './listing.js';
export type { HistPlan } from './plan.js';
export { type HistNamesOf, printHist } from './print-hist.js';
export { type HistNeeds, type UpdaterHelpers, updaterHelpers } from './updater-helpers.js';
export { type SlotSources, updaterSource } from './updater-source.js';

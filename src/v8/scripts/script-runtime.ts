/** What scripts call on a thread of the program: a bundle of its own, so that tracing without a script does not wait for it. */
export { createScriptThread } from '../../script/runtime/script-thread.js';

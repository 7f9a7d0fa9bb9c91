/**
 * The source of an expression that makes sure that an inspector that a signal opened does not stay open, as program/attach.ts
 * does with the code of the agent. Node opens it in an interrupt of a busy thread, and again when that thread's event loop turns:
 * by then the command has closed the first one. This closes the second one; and the first one, if the command has ended.
 * @param patience milliseconds that the command has to close it
 */
export const closingExpression = (patience: number): string => `(() => {
  const module = (name) => process.getBuiltinModule?.(name) ?? require(name);
  const { url } = module('node:inspector');
  const { setImmediate, setTimeout } = module('node:timers');
  const first = url();
  const close = () => process._debugEnd();
  const look = (turns) => {
    setImmediate(() => {
      const now = url();
      if (now !== undefined && now !== first) close();
      if (turns > 1) look(turns - 1);
    }).unref();
  };
  look(3);
  setTimeout(() => {
    if (first !== undefined && url() === first) close();
  }, ${patience}).unref();
})()`;

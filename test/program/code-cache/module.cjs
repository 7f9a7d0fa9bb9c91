Error.stackTraceLimit = 100;
const atStart = () => new Error('on the first line').stack;
console.log(atStart());
const { prepareStackTrace } = Error;
const sites = () => {
  Error.prepareStackTrace = (_error, trace) => trace;
  const trace = new Error('sites').stack;
  Error.prepareStackTrace = prepareStackTrace;
  return trace;
};
const GETTERS = ['getFunctionName', 'getFileName', 'getLineNumber', 'getColumnNumber', 'getPosition', 'toString', 'isToplevel'];
const ENCLOSING = ['getEnclosingLineNumber', 'getEnclosingColumnNumber', 'getTypeName', 'getScriptNameOrSourceURL'];
const show = (trace) => {
  const own = trace.filter((site) => site.getFileName() === __filename);
  for (const site of own) console.log([...GETTERS, ...ENCLOSING].map((name) => `${name} ${site[name]?.()}`).join(', '));
};
class Shape {
  #side = 2;
  get area() {
    show(sites());
    return this.#side ** 2;
  }
}
console.log(new Shape().area, new Error('in the module').stack);
show(sites());
console.log(arguments.callee.toString().slice(0, 130), arguments.callee.caller, arguments.callee.length, arguments.callee.name);
console.log(Object.getOwnPropertyNames(arguments.callee), arguments.length, this === exports, Shape.toString());
console.log(
  require.main === module,
  module.id,
  module.paths.length > 0,
  __filename === module.filename,
  __dirname,
  module.loaded,
);
console.log(require.toString(), require.resolve('./other.cjs'), require.cache[__filename] === module, Reflect.ownKeys(module));
const other = require('./other.cjs');
console.log(other.stack, other.loadedBy, module.children.length);
try {
  require('node:assert')(other === 1);
} catch ({ message }) {
  console.log(message);
}
console.log(Object.getOwnPropertyNames(globalThis).filter((name) => name.startsWith('$')));
setTimeout(async () => {
  await null;
  console.log(new Error('later').stack);
});

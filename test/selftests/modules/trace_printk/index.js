// What the kernel's samples/trace_printk does: a line of each kind when it is loaded, and again in a callback of the event loop.
const { FENTRY_INDEX } = process.env;
const { tracePrintk } = require(FENTRY_INDEX);

function say(before) {
  tracePrintk(`${before} is a static string that will use trace_bputs\n`);
  tracePrintk(`${before} is a dynamic string that will use trace_puts\n`);
  tracePrintk(`${before} is a %s that will use trace_bprintk\n`, 'static string');
  tracePrintk(`${before} is a %s that will use trace_printk\n`, 'dynamic string');
}

function trace_printk_irq_work() {
  say('(irq) This');
}

function trace_printk_init() {
  say('This');
  return new Promise((done) => setImmediate(() => done(trace_printk_irq_work())));
}

module.exports = { init: trace_printk_init };

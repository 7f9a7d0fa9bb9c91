// For a test262 runner: every site calls a hook, which keeps a shadow stack, so that exits, unwinding, suspension
// and resumption all run.
import { createTransform } from './instrumented.mjs';

/** What the realm of a test gets. */
export const armed = (services) => {
  const depths = new Float64Array(100000);
  let depth = 0;
  const push = (n) => {
    if (depth < 99999) depths[depth++] = n;
    return depth;
  };
  const enter = (n) => push(n);
  const enterCoroutine = (n) => {
    const activation = { __proto__: null, n, running: 1, depth: push(n) };
    return activation;
  };
  const unwind = (to) => {
    if (to <= depth) depth = to - 1;
  };
  const ensure = (activation) => {
    if (activation.running === 0) {
      activation.running = 1;
      activation.depth = push(activation.n);
    } else if (depth > activation.depth) depth = activation.depth;
  };
  const SERVICE = {
    __proto__: null,
    x: (token) => {
      if (typeof token !== 'number') throw 'exit without a token';
      unwind(token);
    },
    y: (activation) => {
      if (typeof activation !== 'object') throw 'exit of a coroutine without an activation';
      unwind(activation.depth);
      activation.running = 0;
    },
    z: (activation) => {
      if (typeof activation !== 'object') throw 'suspend without an activation';
      if (activation.running) {
        unwind(activation.depth);
        activation.running = 0;
      }
    },
    w: ensure,
    v: ensure,
    k: (activation) => {
      if (typeof activation !== 'object') throw 'end of a coroutine without an activation';
      ensure(activation);
      unwind(activation.depth);
      activation.running = 0;
    },
    d: () => depth + 1,
    u: (to) => {
      if (typeof to !== 'number') throw 'unwind without a depth';
      unwind(to);
    },
  };
  return (define, prefix, first, coroutines) => {
    for (let i = 0; i < services.length; i++) define(prefix + services[i], SERVICE[services[i]]);
    for (let i = 0; i < coroutines.length; i++) define(prefix + (first + i), coroutines[i] ? enterCoroutine : enter);
  };
};

export const { transform, realm } = createTransform(armed);

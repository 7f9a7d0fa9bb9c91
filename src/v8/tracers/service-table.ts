import { MathClz32 } from '../../base/primordials.js';
import type { Activation } from '../../ftrace/activation.js';
import { SERVICE_OPS, type ServiceKind } from '../../ftrace/tracers/services.js';
import { createProbeEffects } from './probe-actions.js';
import { createProbeService } from './probe-service.js';
import { createProfiler } from './profiler.js';
import type { CreateService, TraceService } from './services.js';
import { createStackTracer } from './stack-tracer.js';
import type { ThreadTrace } from './thread-trace.js';

/** All services. */
export const SERVICES: Partial<Record<ServiceKind, CreateService>> = {
  probe: (ctx) => createProbeService(createProbeEffects(ctx)),
  profiler: createProfiler,
  stack: createStackTracer,
};

/** The services of one thread, created when they are first configured. */
export class ServiceTable {
  readonly #ctx: ThreadTrace;
  readonly #factories: Partial<Record<ServiceKind, CreateService>>;
  readonly #byOps: (TraceService | undefined)[] = [];
  /** Bits of those that want the end of frames. */
  #hearing = 0;
  /** Bits of all. */
  #made = 0;

  constructor(ctx: ThreadTrace, factories: Partial<Record<ServiceKind, CreateService>>) {
    this.#ctx = ctx;
    this.#factories = factories;
  }

  /** The service of a kind; undefined if there is none. */
  get(kind: ServiceKind): TraceService | undefined {
    const id = SERVICE_OPS[kind];
    const service = (this.#byOps[id] ??= this.#factories[kind]?.(this.#ctx, 1 << id));
    if (service !== undefined) this.#made |= 1 << id;
    if (service?.exited !== undefined) this.#hearing |= 1 << id;
    return service;
  }

  suspended(want: number, depth: number, activation: Activation, now: number): void {
    for (let left = want & this.#made; left !== 0; left &= left - 1) {
      this.#byOps[31 - MathClz32(left & -left)]!.suspended?.(depth, activation, now);
    }
  }

  resumed(want: number, depth: number, activation: Activation, now: number): void {
    for (let left = want & this.#made; left !== 0; left &= left - 1) {
      this.#byOps[31 - MathClz32(left & -left)]!.resumed?.(depth, activation, now);
    }
  }

  /** Tells those in `want` that the frame at `depth` ended. */
  exited(want: number, depth: number, n: number, value: unknown, unwound: boolean, isCoroutine?: boolean): void {
    for (let left = want & this.#hearing; left !== 0; left &= left - 1) {
      this.#byOps[31 - MathClz32(left & -left)]!.exited!(depth, n, value, unwound, isCoroutine);
    }
  }
}

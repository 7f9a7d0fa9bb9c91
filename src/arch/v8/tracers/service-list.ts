import type { ServiceKind } from '../../../tracers/services.js';
import { createProbeEffects } from './probe-effects.js';
import { createProbeService } from './probe-service.js';
import { createProfiler } from './profiler.js';
import type { CreateService } from './services.js';
import { createStackTracer } from './stack-tracer.js';

/** All services. */
export const SERVICES: Partial<Record<ServiceKind, CreateService>> = {
  probe: (ctx) => createProbeService(createProbeEffects(ctx)),
  profiler: createProfiler,
  stack: createStackTracer,
};

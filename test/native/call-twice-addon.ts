import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Sandbox } from '../e2e/support/program.js';

/** An addon whose function `call_twice` calls its argument twice, unless that throws, and says what the call returned. */
export const ADDON_SOURCE = `
typedef void *env, *value, *info;
extern int napi_get_cb_info(env, info, unsigned long *, value *, value *, void **);
extern int napi_call_function(env, value, value, unsigned long, const value *, value *);
extern int napi_get_undefined(env, value *);
extern int napi_create_function(env, const char *, unsigned long, value (*)(env, info), void *, value *);
extern int napi_set_named_property(env, value, const char *, value);
__attribute__((noinline)) value call_twice(env e, info i) {
  unsigned long count = 1;
  value callback, self, result = 0;
  napi_get_cb_info(e, i, &count, &callback, 0, 0);
  napi_get_undefined(e, &self);
  for (int turn = 0; turn < 2; turn++)
    if (napi_call_function(e, self, callback, 0, 0, &result) != 0) return 0;
  return result;
}
value napi_register_module_v1(env e, value exports) {
  value function;
  napi_create_function(e, "callTwice", 9, call_twice, 0, &function);
  napi_set_named_property(e, exports, "callTwice", function);
  return exports;
}`;

/** Compiles the addon into the sandbox. Returns its source and its file. */
export function buildAddon(sandbox: Sandbox, ...options: readonly string[]): { source: string; addon: string } {
  const source = sandbox.file('addon.c', ADDON_SOURCE);
  const addon = join(sandbox.folder, 'addon.node');
  execFileSync('gcc', [...options, '-O1', '-shared', '-fPIC', '-o', addon, source]);
  return { source, addon };
}

// each_line(text, callback): calls the callback with each line of a text. Node-API, without its headers.
#include <string.h>
typedef struct env *napi_env;
typedef struct value *napi_value;
typedef struct info *napi_info;
extern int napi_get_cb_info(napi_env, napi_info, size_t *, napi_value *, napi_value *, void **);
extern int napi_get_value_string_utf8(napi_env, napi_value, char *, size_t, size_t *);
extern int napi_create_string_utf8(napi_env, const char *, size_t, napi_value *);
extern int napi_get_undefined(napi_env, napi_value *);
extern int napi_call_function(napi_env, napi_value, napi_value, size_t, const napi_value *, napi_value *);
extern int napi_create_function(napi_env, const char *, size_t, napi_value (*)(napi_env, napi_info), void *, napi_value *);
extern int napi_set_named_property(napi_env, napi_value, const char *, napi_value);

napi_value each_line(napi_env env, napi_info info) {
  char text[4096];
  size_t count = 2, length = 0;
  napi_value arguments[2], self, line, result;
  napi_get_cb_info(env, info, &count, arguments, 0, 0);
  napi_get_value_string_utf8(env, arguments[0], text, sizeof text, &length);
  napi_get_undefined(env, &self);
  for (char *at = strtok(text, "\n"); at != 0; at = strtok(0, "\n")) {
    napi_create_string_utf8(env, at, strlen(at), &line);
    if (napi_call_function(env, self, arguments[1], 1, &line, &result) != 0) return 0;
  }
  return self;
}

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  napi_value function;
  napi_create_function(env, "eachLine", 8, each_line, 0, &function);
  napi_set_named_property(env, exports, "eachLine", function);
  return exports;
}

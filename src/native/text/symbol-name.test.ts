import assert from 'node:assert/strict';
import { test } from 'node:test';
import { betterName, isPartName, moduleName, symbolName } from './symbol-name.js';

test('no symbol has white space, or a character that filters give a meaning', () => {
  const names = [
    'main',
    'memcpy.constprop.0',
    '_ZN4node9inspector5Agent4StopEv',
    'node::inspector::Agent::Stop()',
    'std::vector<int, std::allocator<int> >::operator[](unsigned long)',
    '(anonymous namespace)::parse(char const*)',
    'v8::~Isolate',
  ];
  assert.deepEqual(names.map(symbolName), [
    'main',
    'memcpy.constprop.0',
    '_ZN4node9inspector5Agent4StopEv',
    'node.inspector.Agent.Stop',
    'std.vector<int_std.allocator<int>_>.operator_unsigned_long',
    '_anonymous_namespace_.parse_char_const',
    'v8.~Isolate',
  ]);
});

test('of several names of a function, the one that people use', () => {
  assert.equal(betterName('__libc_malloc', 'malloc'), 'malloc');
  assert.equal(betterName('write', '__write'), 'write');
  assert.equal(betterName('_IO_puts', 'puts'), 'puts');
});

test('parts of functions', () => {
  assert.deepEqual(['f.cold', 'f.cold.3', 'f.part.0', 'f.isra.0', 'cold'].map(isPartName), [true, true, false, false, false]);
});

test('modules', () => {
  const paths = ['/usr/lib/x86_64-linux-gnu/libc.so.6', '[vdso]', '/opt/my lib.so (deleted)'];
  assert.deepEqual(paths.map(moduleName), ['libc.so.6', 'vdso', 'my_lib.so']);
});

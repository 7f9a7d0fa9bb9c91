import assert from 'node:assert/strict';
import { test } from 'node:test';
import { without } from '../testing/toolchain.js';
import { demangled } from './demangle.js';
import { symbolName } from './symbol-name.js';

test('names of C++ are written out without parameters, others stay', { skip: without('c++filt') }, () => {
  const names = [
    'main',
    '_ZN2v88internal4Heap14CollectGarbageENS0_15AllocationSpaceE',
    '_ZN4node2fsL4OpenERKN2v820FunctionCallbackInfoINS1_5ValueEEE',
    '_ZN12_GLOBAL__N_15parseEPKc',
    '_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc',
    '_ZNSt6vectorIiSaIiEE9push_backEOi',
    '_ZNSt3mapINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEiSt4lessIS5_ESaISt4pairIKS5_iEEE4findERS9_',
    '_Zebra',
  ];
  assert.deepEqual(demangled(names).map(symbolName), [
    'main',
    'v8.internal.Heap.CollectGarbage',
    'node.fs.Open',
    '_anonymous_namespace_.parse',
    'std.operator<<_<std.char_traits<char>_>',
    'std.vector<int_std.allocator<int>_>.push_back',
    'std.map.find',
    '_Zebra',
  ]);
});

test('an object without such names asks for nothing', () => {
  assert.deepEqual(demangled(['main', '_start', '_Z']), ['main', '_start', '_Z']);
});

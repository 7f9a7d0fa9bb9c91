"""Loads a trace.dat with libkshark, KernelShark's engine, and prints a line for each entry: task, pid, event, text."""

import ctypes
import sys

lib = ctypes.CDLL("libkshark.so.2")
context = ctypes.c_void_p()
lib.kshark_instance.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
lib.kshark_instance.restype = ctypes.c_bool
if not lib.kshark_instance(ctypes.byref(context)):
    sys.exit("no kshark context")
lib.kshark_open.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
stream = lib.kshark_open(context, sys.argv[1].encode())
if stream < 0:
    sys.exit(f"kshark_open: {stream}")
rows = ctypes.POINTER(ctypes.c_void_p)()
lib.kshark_load_entries.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
lib.kshark_load_entries.restype = ctypes.c_ssize_t
count = lib.kshark_load_entries(context, stream, ctypes.byref(rows))


def text(function, entry):
    function.argtypes = [ctypes.c_void_p]
    function.restype = ctypes.c_void_p
    return ctypes.cast(function(entry), ctypes.c_char_p).value.decode()


lib.kshark_get_pid.argtypes = [ctypes.c_void_p]
for index in range(count):
    entry = rows[index]
    name = text(lib.kshark_get_event_name, entry)
    print(text(lib.kshark_get_task, entry), lib.kshark_get_pid(entry), name, text(lib.kshark_get_info, entry).strip())

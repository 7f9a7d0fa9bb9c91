# The types that fields may have.
for t in s8 u8 s16 u16 s32 u32 s64 u64 int long char bool pid_t gfp_t 'unsigned int' 'unsigned char' 'unsigned long' short float void 'struct x' uint8_t size_t 'int *' 'unsigned' 'long long' ; do echo "t1 $t a" >> synthetic_events; echo "$t $?"; cat synthetic_events; echo '!t1' >> synthetic_events; done
for t in 'char a[]' 'char a[8]' 'char[] a' 'char[8] a' 'int a[2]' 'u8 a[4]' 'char a[0]' 'char a[x]' 'char a[-1]' 'char a[' 'unsigned char a[]' 'string a' '__data_loc char[] a'; do echo "t1 $t" >> synthetic_events; echo "$t $?"; cat synthetic_events; echo '!t1' >> synthetic_events; done
echo > synthetic_events

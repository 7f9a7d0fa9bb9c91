import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OFFERED_FACTS } from './conditions.js';
import { parseStapFile } from './parse-file.js';
import { treeText } from './tree-text.js';

const SCRIPT = `global a[3], b%, c = "x"
function f:long(a:string) { return }
probe q = r.{s,t}, u ? { }
probe begin, v.w if (x == 1) {
  if (a) b=1; else c=2
  try { a } catch (e) { b }
  foreach (v=[a+,b] in q[*,1] limit 3) x
  foreach(a in b @sum -) ;
  while (1) { break continue; }
  for (;;) ;
  printf("\\"a\\n%d",1)
  @cast(a,"b","c")->d$; &$x[1]; "a" =~ "b"; [a, *] in b; -1 . ++x; x ? y : z
}`;

/** What stap 4.8 prints of it. */
const TREE = `# parse tree dump
# file <input>
global a[3]
global b%
global c = "x"
probe q = r.s, r.t, u?{
}
probe begin,v.w if ((x) == (1)){
if (a) (b) = (1)
else (c) = (2)
;
try {
{
a;
}
} catch (e) {
{
b;
}
}
;
foreach (v = [a+, b] in q[*, 1] limit 3) x;
foreach ([a] in b @sum-) ;;
for (; 1; ) {
break;
continue;
};
for (; 1; ) ;;
printf("\\"a\\\\n%d", 1);
@cast(a, "b", "c")->d->$;
&$x[1];
("a") =~ "b";
[a, *] in b;
(-(1)) . (++(x));
(x)?(y):(z);
}
function f (a)
{
return;
}

`;

test('a tree is printed as by stap', () => {
  const { file } = parseStapFile('<input>', SCRIPT, { facts: OFFERED_FACTS });
  assert.equal(treeText(file!), TREE);
});

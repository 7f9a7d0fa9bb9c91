/** Live patches of the shop (examples/shop) under load; as sections.mjs says. `$SHOP` is its folder, `$URL` its address. */

const nothing = /^$/;
const cart = '{"lines":[{"item":9,"quantity":5},{"item":9,"quantity":5}]}';
const order = '{"lines":[{"item":3,"quantity":1}]}';
const post = `curl -s -H 'customer: ada' -H 'content-type: application/json'`;

export const LIVEPATCH_SECTIONS = [
  {
    title: 'The bug',
    says: 'Ten copper kettles get five per cent off. In a cart where they stand in two lines of five, they do not.',
    steps: [
      { run: `price() { ${post} -d '${cart}' $URL/cart/price | grep -o '"goods":[0-9]*'; }`, shows: nothing },
      { run: 'price', shows: /^"goods":11350\n$/ },
    ],
  },
  {
    title: 'The fix',
    says: 'A module that exports the corrected function. It needs `readQuantity()`, which `handlers/orders.mjs` does not export.',
    steps: [{ run: 'tail -n +8 $SHOP/livepatch/merge-lines.mjs', shows: /klpSymbols = [\s\S]*readCart/, lines: 20 }],
  },
  {
    title: 'Patched under load',
    says: 'Four connections send requests all the time; the load counts each answer that has not the status which it should have.',
    steps: [
      { run: 'node $SHOP/load.mjs --url $URL --connections 4 --seconds 4 > /tmp/load.txt &', shows: nothing },
      { run: 'sleep 1; echo "merge-lines $SHOP/livepatch/merge-lines.mjs" > livepatch/load', shows: nothing },
      { run: 'price', shows: /^"goods":10782\n$/ },
      {
        run: 'cd livepatch/merge-lines; grep . enabled transition; ls vmlinux; cd ../..',
        shows: /enabled:1\ntransition:0\npatched\nreadCart,1\n/,
      },
      { run: 'cat enabled_functions', shows: /^readCart \(1\) R I .*klp_ftrace_handler/ },
      { run: 'wait; cat /tmp/load.txt', shows: /^\d+ requests in \S+ s: \d+ a second\nmilliseconds: / },
    ],
    ends: 'No request failed: else the line would say how many had an unexpected status.',
  },
  {
    title: 'Undone',
    steps: [
      { run: 'echo 0 > livepatch/merge-lines/enabled', shows: nothing },
      { run: 'sleep 0.1; price; ls livepatch; cat enabled_functions', shows: /^"goods":11350\nfollow\nload\nprepare\n$/ },
    ],
  },
  {
    title: 'A transition that lasts',
    says: 'For that, a first patch makes the payment provider slow: each call waits two seconds. The calls of `authorizePayment()` are followed, so that the next patch knows of those that wait when it comes.',
    steps: [
      { run: 'echo authorizePayment > livepatch/follow', shows: nothing },
      { run: 'echo "slow $SHOP/livepatch/slow-provider.mjs" > livepatch/load', shows: nothing },
      { run: `order() { ${post} -d '${order}' $URL/orders; echo; }`, shows: nothing },
      { run: 'order & sleep 0.5', shows: nothing },
      { run: 'echo "early $SHOP/livepatch/refuse-early.mjs" > livepatch/load; cat livepatch/early/transition', shows: /^1\n$/ },
      { run: 'wait; sleep 3; cat livepatch/early/transition', shows: /"payment":"ada-\d+"\}\n0\n$/ },
      { run: 'order', shows: /^\{"order":\d+,"total":\d+,"payment":"ada-\d+"\}\n$/ },
    ],
    ends: 'The first order was paid by the old code, the second one by the new code. The numbers of the receipts go on, because both count them in the variable `nextReceipt` of `payment.mjs`.',
  },
  {
    title: 'Back to the start',
    says: 'The slow calls that have begun end in the code in which they began. Until then the transition back is under way.',
    steps: [
      {
        run: 'order > /dev/null & sleep 0.5; echo 0 > livepatch/slow/enabled; grep . livepatch/slow/enabled livepatch/slow/transition',
        shows: /enabled:0\nlivepatch\/slow\/transition:1\n$/,
      },
      { run: 'echo 0 > livepatch/early/enabled; echo > livepatch/follow', shows: nothing },
      { run: 'wait; sleep 3; ls livepatch; cat enabled_functions', shows: /^follow\nload\nprepare\n$/ },
    ],
  },
];

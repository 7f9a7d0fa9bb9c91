/** Waits until this time of `performance.now()`, or until it is over. */
export async function waited(until: number, over: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, until - performance.now()));
  });
  await Promise.race([time, over]);
  clearTimeout(timer);
}

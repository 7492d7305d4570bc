/**
 * Reads something again and again, one read at a time. A call during a read is answered by one more
 * read after it, however many calls there were: many changes at once cost two reads, and the last
 * read begins after the last change. Rejects as `read` does; the next call reads again.
 */
export function oneReadAtATime(read: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let waiting: Promise<void> | null = null;

  function start(): Promise<void> {
    const current = read().finally(() => {
      running = null;
    });
    running = current;
    return current;
  }

  return () => {
    if (waiting) return waiting;
    if (running === null) return start();
    const afterwards = () => {
      waiting = null;
      return start();
    };
    waiting = running.then(afterwards, afterwards);
    return waiting;
  };
}

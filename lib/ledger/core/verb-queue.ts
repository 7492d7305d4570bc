import type { EndItem, HoldItem, Item } from "./item";

const BATCH_ITEMS_MAX = 256;

/**
 * The verbs that wait to be sent. Ends go before holds; a batch that failed is sent again
 * unchanged.
 */
export class VerbQueue {
  ends: EndItem[] = [];
  holds: HoldItem[] = [];
  /** Batches with an unknown outcome, or halves of a batch that was refused. */
  readonly again: Item[][] = [];

  get size(): number {
    return this.ends.length + this.holds.length + this.again.length;
  }

  /** The next batch: no finished items, and no operation twice. Empty when nothing waits. */
  next(): Item[] {
    for (let repeated = this.again.shift(); repeated; repeated = this.again.shift()) {
      const remaining = repeated.filter((item) => !item.isOver);
      if (remaining.length > 0) return remaining;
    }
    const batch: Item[] = this.ends.splice(0, BATCH_ITEMS_MAX);
    const holds = this.holds.splice(0, BATCH_ITEMS_MAX - batch.length);
    for (const hold of holds) if (!hold.isOver) batch.push(hold);
    return batch.length < 2 ? batch : this.#firstOfEach(batch);
  }

  #firstOfEach(batch: Item[]): Item[] {
    const seen = new Set<string>();
    for (const { id } of batch) seen.add(id);
    if (seen.size === batch.length) return batch;
    const first: Item[] = [];
    for (const item of batch) {
      if (seen.delete(item.id)) first.push(item);
      else if (item.isHold) this.holds.push(item);
      else this.ends.push(item);
    }
    return first;
  }

  dropOver(): void {
    this.ends = this.ends.filter((item) => !item.isOver);
    this.holds = this.holds.filter((item) => !item.isOver);
  }
}

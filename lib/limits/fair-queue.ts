/**
 * A bounded queue that serves its groups in turn, one item each, so that a group with many items
 * delays only itself. Above `itemsMax` only groups without a waiting item may enter, up to twice as
 * many items in all.
 */
export class FairQueue<Item> {
  readonly #groups = new Map<string, Item[]>();
  #size = 0;

  constructor(
    private readonly itemsMax: number,
    private readonly itemsPerGroupMax: number,
  ) {}

  get size(): number {
    return this.#size;
  }

  /** False when there is no room for an item of this group. */
  push(group: string, item: Item): boolean {
    const waiting = this.#groups.get(group);
    const isFull =
      waiting === undefined ? this.#size >= 2 * this.itemsMax : this.#size >= this.itemsMax;
    if (isFull || (waiting?.length ?? 0) >= this.itemsPerGroupMax) return false;
    if (waiting === undefined) this.#groups.set(group, [item]);
    else waiting.push(item);
    this.#size++;
    return true;
  }

  /** The next item: the oldest of the group whose turn it is, of those that are ready. */
  take(isReady: (group: string) => boolean = () => true): Item | undefined {
    for (const [group, waiting] of this.#groups) {
      if (!isReady(group)) continue;
      const item = waiting.shift();
      this.#groups.delete(group);
      if (waiting.length > 0) this.#groups.set(group, waiting);
      this.#size--;
      return item;
    }
    return undefined;
  }
}

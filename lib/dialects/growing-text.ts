/** More is not kept for a comparison. */
const CHARACTERS_MAX = 64 * 1024;

/** Arguments of which each piece has all that came before, as some upstreams send them. */
export class GrowingText {
  /** What came, while each piece has had it all; null since one had not. */
  #all: string | null = "";

  /**
   * What is new in a piece. An object's beginning cannot be followed by the same beginning but in
   * this way, or in one list within another.
   */
  take(piece: string): string {
    const all = this.#all;
    if (all === null || piece === "") return piece;
    const isMore = all === "" || (all.trimStart().startsWith("{") && piece.startsWith(all));
    this.#all = isMore && piece.length <= CHARACTERS_MAX ? piece : null;
    return isMore ? piece.slice(all.length) : piece;
  }
}

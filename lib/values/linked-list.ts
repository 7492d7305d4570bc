/**
 * Members in the order in which they joined; joining and leaving take the same time for any number.
 *
 * For what every request joins and leaves. A `Map` or `Set` with many removals makes a new table
 * again and again, and each table links to the next: once V8 has moved one of them to its old
 * generation, all later ones, with what was in them, are moved there too, until the next full
 * collection. So requests that had ended cost the collector as much as those that run.
 */
export interface Linked<Member> {
  /** Only the list changes these. */
  before: Member | null;
  after: Member | null;
}

export class LinkedList<Member extends Linked<Member>> {
  #first: Member | null = null;
  #last: Member | null = null;

  get first(): Member | null {
    return this.#first;
  }

  /** The member must not be in a list. */
  add(member: Member): void {
    member.before = this.#last;
    if (this.#last === null) this.#first = member;
    else this.#last.after = member;
    this.#last = member;
  }

  /** Does nothing when the member is not in the list. */
  delete(member: Member): void {
    const { before, after } = member;
    if (before === null && this.#first !== member) return;
    if (before === null) this.#first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    member.before = null;
    member.after = null;
  }

  /** The members of this moment. */
  list(): Member[] {
    const members: Member[] = [];
    for (let member = this.#first; member !== null; member = member.after) members.push(member);
    return members;
  }
}

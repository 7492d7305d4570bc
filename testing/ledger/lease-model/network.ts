/** Statements on their way: each may be answered, lost, doubled, or committed late. */

interface Statement {
  /** Commits; returns what the sender does with the answer. */
  commit(): () => void;
  /** The sender learns that it will get no answer. */
  unknown(): void;
  isAlive(): boolean;
}

export type Fate = "answer" | "lose answer" | "lose" | "late" | "twice";
export const fates: readonly Fate[] = ["lose answer", "lose", "late", "twice"];

const takeOut = <T>(list: T[], choice: number): T | undefined =>
  list.splice(choice % Math.max(list.length, 1), 1)[0];

export class Network {
  #sent: Statement[] = [];
  #answers: { give: () => void; isAlive: () => boolean }[] = [];
  /** Without a sender that waits for it, but may still commit. */
  #late: Statement[] = [];

  send(statement: Statement): void {
    this.#sent.push(statement);
  }

  get isEmpty(): boolean {
    return this.#sent.length + this.#answers.length + this.#late.length === 0;
  }

  /** Decides what happens to one statement. */
  decide(choice: number, fate: Fate): void {
    const statement = takeOut(this.#sent, choice);
    if (!statement) return;
    if (fate === "late" || fate === "twice") this.#late.push(statement);
    if (fate === "answer" || fate === "twice") {
      this.#answers.push({ give: statement.commit(), isAlive: statement.isAlive });
      return;
    }
    if (fate === "lose answer") statement.commit();
    if (statement.isAlive()) statement.unknown();
  }

  /** Gives one answer to its sender, unless that has died. */
  answer(choice: number): void {
    const answer = takeOut(this.#answers, choice);
    if (answer?.isAlive()) answer.give();
  }

  commitLate(choice: number): void {
    takeOut(this.#late, choice)?.commit();
  }
}

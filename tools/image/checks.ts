/** The list of what was proved, printed as it grows. */
export class Checks {
  private failed = 0;
  private passed = 0;

  constructor(private readonly say: (line: string) => void) {}

  /** Records one statement, with the figure or the text that proves it. */
  expect(statement: string, holds: boolean, seen: string | number = ""): void {
    if (holds) this.passed++;
    else this.failed++;
    this.say(`${holds ? "✓" : "✗"} ${statement}${seen === "" ? "" : ` (${seen})`}`);
  }

  /** The last line, and whether everything held. */
  end(): { line: string; isWhole: boolean } {
    return {
      line: `${this.passed} passed, ${this.failed} failed`,
      isWhole: this.failed === 0 && this.passed > 0,
    };
  }
}

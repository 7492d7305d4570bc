/**
 * Runs each attack in a process of its own. Where times are judged it has the lowest priority, so that
 * its own cost is not attributed to the server.
 */
import { fork } from "node:child_process";
import { constants, setPriority } from "node:os";
import { type Attack, type Means, type Outcome, Tally } from "./attack";

export const ATTACKER_WORD = "--as-attacker";

interface Order {
  readonly name: string;
  readonly means: Means;
}

/** In the child: runs the requested attack and sends its result. */
export function serveAsAttacker(attacks: readonly Attack[]): void {
  process.once("message", async ({ name, means }: Order) => {
    // Beside other work it would not get a turn.
    if (!means.isBrief) setPriority(constants.priority.PRIORITY_LOW);
    const tally = new Tally();
    try {
      await attacks.find((attack) => attack.name === name)?.run(means, tally);
    } catch (error) {
      tally.fault(`the attack itself failed: ${error instanceof Error ? error.stack : error}`);
    }
    process.send?.(tally.outcome(), () => process.exit(0));
  });
}

const nothingTold: Outcome = { sent: 0, answers: {}, faultCount: 1, steps: [], faults: [] };

/** In the parent: resolves with the attack's result, or with a fault when it took too long. */
export function runAttacker(
  program: string,
  name: string,
  means: Means,
  timeoutMs: number,
): Promise<Outcome> {
  const child = fork(program, [ATTACKER_WORD], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  return new Promise((resolve) => {
    const settle = (outcome: Outcome) => {
      clearTimeout(timer);
      child.removeAllListeners();
      child.kill("SIGKILL");
      resolve(outcome);
    };
    const timer = setTimeout(
      () =>
        settle({ ...nothingTold, faults: [`the attack did not end within ${timeoutMs / 1000} s`] }),
      timeoutMs,
    );
    child.once("message", (outcome) => settle(outcome as Outcome));
    child.once("exit", (code) =>
      settle({ ...nothingTold, faults: [`the attacking process ended with ${code}`] }),
    );
    child.send({ name, means });
  });
}

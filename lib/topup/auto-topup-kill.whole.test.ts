import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { bundled } from "@/testing/stage/bundle";
import { startPlanPayments } from "@/testing/topup/plan-payments";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";

const spoolFolder = newFolder("topup-kill");
const site = await opened(startPlanPayments());
const proxy = await opened(DatabaseProxy.start(site.site.databaseUrl));
const script = await bundled("testing/topup/charge-child.ts");

/** Ends by itself, or by the kill at the step of that number; answers how. */
async function sweepUntil(step: number, part: "request" | "answer"): Promise<string | number> {
  const given = { databaseUrl: proxy.url, spoolFolder, stripe: site.fake.stripe };
  const child = spawn(process.execPath, [script, JSON.stringify(given)], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  let steps = -1;
  const cuts = () => {
    if (steps < 0 || ++steps < step) return false;
    child.kill("SIGKILL");
    return true;
  };
  proxy.cutsRequest = (request) => {
    if (steps < 0 && /auto_topup/.test(request.toString("latin1"))) steps = 0;
    return part === "request" && cuts();
  };
  proxy.cutsAnswer = () => part === "answer" && cuts();
  return new Promise((resolve) =>
    child.once("exit", (code, signal) => resolve(signal ?? code ?? "")),
  );
}

test.each(["request", "answer"] as const)(
  "a process killed at any %s between the fall and the credit: charged once, credited once",
  { timeout: 300_000 },
  async (part) => {
    let step = 0;
    for (let end: string | number = "SIGKILL"; end === "SIGKILL"; ) {
      const accountId = await site.account(5);
      step++;
      end = await sweepUntil(step, part);
      await site.age(accountId, "5 minutes");
      await site.sweep();
      await site.age(accountId, "5 minutes");
      await site.deps.pool.query(
        "update payment set paid_at = paid_at - interval '1 minute' where credited_at is null and paid_at is not null",
      );
      await site.sweep();
      await site.payments.finish();
      const told = `killed at ${part} ${step}`;
      expect(await site.paid(accountId), told).toHaveLength(1);
      expect(await site.chargesOf(accountId), told).toMatchObject([{ outcome: "credited" }]);
      expect(await site.pointsOf(accountId), told).toBe(105);
    }
    // Fewer steps would mean that the kills were not where the work is.
    expect(step).toBeGreaterThan(10);
  },
);

test.each(["request", "answer"] as const)(
  "a process killed at any %s between the end of a plan's period and the next one: charged once, given once",
  { timeout: 300_000 },
  async (part) => {
    let step = 0;
    for (let end: string | number = "SIGKILL"; end === "SIGKILL"; ) {
      const { accountId } = await site.subscriber();
      await site.pass(accountId, 23.4);
      step++;
      end = await sweepUntil(step, part);
      for (let turn = 0; turn < 3; turn++) await site.later(accountId, 0.1);
      await site.later(accountId, 0.4);
      const told = `killed at ${part} ${step}`;
      expect(await site.paid(accountId), told).toHaveLength(1);
      expect(await site.chargesOf(accountId), told).toMatchObject([{ outcome: "credited" }]);
      expect(await site.entries(accountId), told).toEqual(["plan 100", "expiry 100", "plan 100"]);
      await site.cancel(accountId, "now");
    }
    expect(step).toBeGreaterThan(10);
  },
);

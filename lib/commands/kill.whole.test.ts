import { type ChildProcess, spawn } from "node:child_process";
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { bundled } from "@/testing/stage/bundle";
import { opened } from "@/testing/unit/opened";
import { signUp } from "../accounts/sign-up";
import { suspendAccount } from "./accounts";

const site = await opened(startSiteProcess());
const proxy = await opened(DatabaseProxy.start(site.databaseUrl));
const script = await bundled("testing/commands/kill-child.ts");

function suspendInProcess(accountId: string): {
  child: ChildProcess;
  exit: Promise<NodeJS.Signals | number | null>;
} {
  const child = spawn(
    process.execPath,
    [script, JSON.stringify({ databaseUrl: proxy.url, accountId })],
    {
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  return {
    child,
    exit: new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code))),
  };
}

// Every command is broken off before both in broken-off.test.ts.
test.each([
  ["commit", /\bcommit\b/i],
  ...extent([], [["record", /operator_action/] as const]),
] as const)(
  "a suspension killed before its %s changes nothing; repeated, it gives one suspension and one record",
  async (_, mark) => {
    const { database } = site.deps;
    const email = `${String(mark).replace(/\W/g, "")}@example.com`;
    const { accountId } = await signUp(site.deps, {
      email,
      password: "correct horse battery",
      address: "192.0.2.1",
    });
    const status = async () =>
      (await database.account.findUniqueOrThrow({ where: { id: accountId } })).status;
    const records = () =>
      database.operatorAction.count({ where: { action: "account.suspend", subject: accountId } });
    const changed: string[] = [];
    const { child, exit } = suspendInProcess(accountId);
    proxy.cutsRequest = (request) => {
      const text = request.toString("latin1");
      if (/update[^;]*account/i.test(text)) changed.push(text);
      if (!mark.test(text)) return false;
      child.kill("SIGKILL");
      return true;
    };
    expect(await exit).toBe("SIGKILL");
    expect(changed).toHaveLength(1);
    expect([await status(), await records()]).toEqual(["active", 0]);

    proxy.cutsRequest = () => false;
    expect(await suspendInProcess(accountId).exit).toBe(0);
    await suspendAccount(site.deps, "user_op", { accountId, reason: "Again" });
    expect([await status(), await records()]).toEqual(["suspended", 1]);
  },
);

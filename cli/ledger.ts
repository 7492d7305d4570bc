import { refundCharge } from "@/lib/accounts/account-money";
import { newId } from "@/lib/ids";
import { runAudit } from "@/lib/ledger/audit-runs";
import { pointsNumber } from "@/lib/points";
import { type Command, UsageError } from "./command";
import { table } from "./table";

const audit: Command = {
  usage: "",
  options: {},
  async run({ patiently }) {
    const { ok, checks, accounts, entries } = await patiently((client) => runAudit(client, "cli"));
    const lines = checks.map((check) => ({ check: check.name, holds: check.ok ? "yes" : "NO", detail: check.detail }));
    const verdict = ok ? "Every point is accounted for" : "The ledger does not add up";
    return {
      json: { ok, checks, accounts, entries },
      text: `${table(lines)}\n${verdict}: ${accounts} accounts, ${entries} entries.`,
      isGood: ok,
    };
  },
};

const refund: Command = {
  usage: "--operation UUID --reason R [--points N] [--ref X]   (without --points all that is left; the same X counts once)",
  options: { operation: "string", reason: "string", points: "string", ref: "string" },
  async run(opened, given) {
    const operationId = given.text("operation");
    const amount = given.points("points");
    if (!/^[0-9a-f-]{36}$/.test(operationId)) throw new UsageError(`--operation ${operationId} is not the ledger's id of a request`);
    if (amount !== null && amount <= 0n) throw new UsageError("--points must be more than 0");
    const ref = given.optional("ref") ?? newId("request");
    const moved = await refundCharge(opened, { operationId, amount, ref, reason: given.text("reason"), actor: "cli" });
    const entry = { id: moved.entryId, account: moved.accountId, points: pointsNumber(moved.amount), is_new: moved.isNew };
    return { json: { refund: entry }, text: table([entry]) };
  },
};

export const ledgerCommands = { audit, refund };

import { sweepLedger } from "@/lib/commands/ledger";
import { refundCharge } from "@/lib/commands/points";
import { isIdOf, isOperationId, newId } from "@/lib/ids";
import { runAudit } from "@/lib/ledger/audit-runs";
import { pointsNumber } from "@/lib/points";
import { requireOperation } from "@/lib/queries/operations";
import { actor, type Command, oncePerRef, UsageError } from "./command";
import { table } from "./table";

const audit: Command = {
  usage: "",
  options: {},
  async run({ patiently }) {
    const { ok, checks, accounts, entries } = await patiently((client) => runAudit(client, actor));
    const lines = checks.map((check) => ({
      check: check.name,
      holds: check.ok ? "yes" : "NO",
      detail: check.detail,
    }));
    const verdict = ok ? "Every point is accounted for" : "The ledger does not add up";
    return {
      json: { ok, checks, accounts, entries },
      text: `${table(lines)}\n${verdict}: ${accounts} accounts, ${entries} entries.`,
      isGood: ok,
    };
  },
};

const refund: Command = {
  usage:
    "--operation ID --reason R [--points N] [--ref X]   (without --points: everything that is left; the same X takes effect once; ID: req_…, cgt-…, or the ledger's id)",
  options: { operation: "string", reason: "string", points: "string", ref: "string" },
  async run(installation, flags) {
    const named = flags.text("operation");
    const amount = flags.points("points");
    if (!isOperationId(named) && !isIdOf("request", named) && !isIdOf("task", named))
      throw new UsageError(`--operation ${named} is not the id of a request`);
    if (amount !== null && amount <= 0n) throw new UsageError("--points must be more than 0");
    const { operationId } = await requireOperation(installation, named);
    const ref = flags.optional("ref") ?? newId("request");
    const moved = await oncePerRef(ref, () =>
      refundCharge(installation, actor, { operationId, amount, ref, reason: flags.text("reason") }),
    );
    const entry = {
      id: moved.entryId,
      account: moved.accountId,
      points: pointsNumber(moved.amount),
      is_new: moved.isNew,
    };
    return { json: { refund: entry }, text: table([entry]) };
  },
};

const sweep: Command = {
  usage: "   (settles what the spools of dead processes contain, releases their other holds)",
  options: {},
  async run(installation) {
    const ended = await sweepLedger(installation, actor);
    return { json: { ended }, text: `${ended} requests were ended.` };
  },
};

export const ledgerCommands = { audit, refund, sweep };

import { hasAction, verifyActionChain } from "@/lib/accounts/action-chain";
import type { Command } from "./command";

const reasons = {
  changed: "was changed",
  missing: "is missing",
  unlinked: "does not follow the row before it",
  beyond_head: "is not the row that was written last",
};

const verify: Command = {
  usage: "[--head HASH]   (HASH: a head noted earlier, that the log must still contain)",
  async run({ patiently, pool }, flags) {
    const report = await patiently(verifyActionChain);
    const noted = flags.optional("head");
    const isContained = noted === null || (await hasAction(pool, noted));
    const where =
      report.broken === null ? "" : `Row ${report.broken.seq} ${reasons[report.broken.why]}.`;
    const lost = isContained ? "" : `The log does not contain the head ${noted}.`;
    const isGood = report.ok && isContained;
    return {
      json: { ...report, ok: isGood },
      text: isGood
        ? `${report.rows} actions, none changed or removed. Head: ${report.head}`
        : [where, lost].join(" ").trim(),
      isGood,
    };
  },
};

export const auditCommands = { verify };

import { auditLedger } from "@/lib/ledger/audit";
import type { Command } from "./command";
import { table } from "./table";

const audit: Command = {
  usage: "",
  options: {},
  async run({ patiently }) {
    const { ok, checks, accounts, entries } = await patiently(auditLedger);
    const lines = checks.map((check) => ({ check: check.name, holds: check.ok ? "yes" : "NO", detail: check.detail }));
    const verdict = ok ? "Every point is accounted for" : "The ledger does not add up";
    return {
      json: { ok, checks, accounts, entries },
      text: `${table(lines)}\n${verdict}: ${accounts} accounts, ${entries} entries.`,
      isGood: ok,
    };
  },
};

export const ledgerCommands = { audit };

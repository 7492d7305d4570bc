import { loggedRequest } from "@/lib/queries/requests";
import type { Command } from "./command";
import { table } from "./table";

const show: Command = {
  usage: "--id ID   (req_… from the answer, cgt-…, or the ledger's id)",
  options: { id: "string" },
  async run(installation, flags) {
    const { request, account, channel, ...rest } = await loggedRequest(installation, {
      id: flags.text("id"),
    });
    const facts = {
      ...request,
      account: account.email ?? account.id,
      channel: channel?.name ?? null,
      ...rest,
    };
    const lines = Object.entries(facts).map(([field, value]) => ({
      field,
      value:
        typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "–"),
    }));
    return { json: { request, account, channel, ...rest }, text: table(lines) };
  },
};

export const requestCommands = { show };

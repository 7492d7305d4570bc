import { openArchivedRequests } from "@/lib/archive/archived-requests";
import { loggedRequest } from "@/lib/queries/requests";
import type { Command } from "./command";
import { table } from "./table";
import { withBlobs } from "./with-blobs";

const show: Command = {
  usage: "--id ID   (req_… from the answer, cgt-…, or the ledger's id)",
  options: { id: "string" },
  async run(installation, flags) {
    const id = flags.text("id");
    const { settings, pool } = installation;
    const { request, account, channel, ...rest } = await withBlobs(settings, (blobs) =>
      loggedRequest({ ...installation, archive: openArchivedRequests(pool, blobs) }, { id }),
    );
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

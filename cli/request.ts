import { openArchivedRequests } from "@/lib/archive/archived-requests";
import { removeContent } from "@/lib/content/kept-content";
import { RelayError } from "@/lib/failures/relay-error";
import { loggedRequest } from "@/lib/queries/requests";
import { ownOperation } from "@/lib/queries/usage";
import { ACCOUNT, accountNamed } from "./account-option";
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

const forget: Command = {
  usage: `--id ID ${ACCOUNT}; removes what was kept of the request: its input and output`,
  options: { account: "string", id: "string" },
  async run(installation, flags) {
    const accountId = await accountNamed(installation, flags);
    const operationId = await ownOperation(installation, accountId, flags.text("id"));
    const named = { operationId, accountId, reader: null };
    if (!(await removeContent(installation.pool, named))) throw new RelayError("not_found");
    return { json: { removed: true }, text: "removed" };
  },
};

export const requestCommands = { show, forget };

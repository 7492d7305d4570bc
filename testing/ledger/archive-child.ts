/** A process that archives a month in small parts, says each step, and waits there to be killed. */
import pg from "pg";
import { archiveMonth } from "@/lib/archive/archive-month";
import { monthOf } from "@/lib/ledger/archive/archive-register";
import { openFolderStore } from "@/lib/media/folder-store";

const [, , url, folder = "", month, stopAt] = process.argv;
const client = new pg.Client({ connectionString: url });
await client.connect();
const blobs = await openFolderStore(folder);
let steps = 0;
await archiveMonth(client, blobs, monthOf(Date.parse(`${month}-01`)), {
  requestsOfPart: 40,
  onStep(step) {
    process.stdout.write(`${step} `);
    if (++steps === Number(stopAt)) process.kill(process.pid, "SIGKILL");
  },
});
process.stdout.write("done");
await client.end();

/** A process that drops a month, says each step, and is killed there or some milliseconds after the start. */
import pg from "pg";
import { dropMonth } from "@/lib/archive/drop-month";
import { monthOf } from "@/lib/ledger/archive/archive-register";
import { openFolderStore } from "@/lib/media/folder-store";

const [, , ownerUrl, url, folder = "", month, stopAt] = process.argv;
const [owner, reader] = [ownerUrl, url].map(
  (connectionString) => new pg.Client({ connectionString }),
);
if (owner === undefined || reader === undefined) throw new Error("two addresses are needed");
await Promise.all([owner.connect(), reader.connect()]);
const blobs = await openFolderStore(folder);
process.stdout.write("ready ");
let steps = 0;
const isNew = await dropMonth({ owner, reader, blobs }, monthOf(Date.parse(`${month}-01`)), {
  onStep(step) {
    process.stdout.write(`${step.replace(" ", "-")} `);
    if (++steps === Number(stopAt)) process.kill(process.pid, "SIGKILL");
  },
});
process.stdout.write(isNew ? "done" : "nothing");
await Promise.all([owner.end(), reader.end()]);

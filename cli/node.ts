import { releaseNode } from "@/lib/commands/ledger";
import { pointsNumber } from "@/lib/money/points";
import { deadNodes } from "@/lib/queries/stuck-work";
import { actor, type Command, type PoolCommand } from "./command";
import { table } from "./table";

const list: PoolCommand = {
  usage: "   (processes that died with open holds)",
  options: {},
  async runOnPool(pool) {
    const dead = (await deadNodes(pool)).map(({ id, storeId, leaseUntil, open, held }) => ({
      id,
      store: storeId,
      lease_until: leaseUntil.toISOString(),
      open_holds: open,
      held_points: pointsNumber(held),
    }));
    return { json: { nodes: dead }, text: table(dead) };
  },
};

const release: Command = {
  usage: "--id N   (gives up a dead process whose spool is lost, and releases its holds)",
  options: { id: "string" },
  async run(installation, flags) {
    const id = flags.text("id");
    const operations = await releaseNode(installation, actor, { id });
    return { json: { node: { id, operations } }, text: `${id}: ${operations} holds released.` };
  },
};

export const nodeCommands = { list, release };

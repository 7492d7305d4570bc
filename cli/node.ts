import { pointsNumber } from "@/lib/money/points";
import { deadNodes } from "@/lib/queries/stuck-work";
import type { PoolCommand } from "./command";
import { table } from "./table";

const list: PoolCommand = {
  usage: "   (processes that died with open holds)",
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

/** The others are made from rows. */
export const nodeCommands = { list };

import { findChannel } from "@/lib/channels/stored-channels";
import type { Command } from "./command";
import { table } from "./table";

export const conform: Command = {
  usage:
    "--channel C [--model M] [--long]   (of text: asks the upstream some twenty questions, which it may bill,\n      and says what works; --long also sends a conversation of over a million tokens)",
  async run({ database, pool, secrets }, flags) {
    const [{ createProviders }, { conformChannel }] = await Promise.all([
      import("@/lib/upstream/wiring/create-providers"),
      import("@/lib/commands/test-channel"),
    ]);
    const id = flags.text("channel");
    const model =
      flags.optional("model") ?? Object.keys((await findChannel(database, id)).models)[0] ?? "";
    const providers = createProviders();
    try {
      const deps = { pool, secrets: secrets(), providers };
      const situations = await conformChannel(deps, { id, model, isLong: flags.flag("long") });
      const [plain, stream] = situations;
      return {
        json: { channel: id, model, situations },
        text: table(situations.map((verdict) => ({ ...verdict }))),
        isGood: plain?.result === "works" && stream?.result === "works",
      };
    } finally {
      await providers.close();
    }
  },
};

import { moneyOf } from "@/lib/queries/money";
import { type Command, UsageError } from "./command";
import { table } from "./table";

const money: Command = {
  usage: "[--days N]   (revenue, liabilities and losses of the last N days; default 30)",
  async run(installation, flags) {
    const days = flags.whole("days") ?? 30;
    if (days < 1 || days > 366) throw new UsageError(`--days ${days} is not from 1 to 366`);
    const figures = await moneyOf(installation, { days });
    const { liabilities, revenue, credits, losses, holds, models, channels, audit } = figures;
    const parts = [
      ["Owed, in points", table([liabilities])],
      ["Paid, in the smallest unit of the currency", table(revenue)],
      ["Changes other than charges", table(credits)],
      ["Lost", table(losses)],
      ["Held now", table(holds)],
      ["By model; cost and income in millionths of the currency", table(models)],
      [
        "By channel",
        channels === null ? "too many requests to be summed in time" : table(channels),
      ],
      [
        "Last audit",
        audit === null
          ? "none yet"
          : `${audit.startedAt}  ${audit.isClean ? "adds up" : "DOES NOT ADD UP"}`,
      ],
    ];
    return {
      json: { ...figures },
      text: parts.map(([title, text]) => `${title}\n${text}`).join("\n\n"),
    };
  },
};

export const moneyCommands = { "": money } satisfies Record<string, Command>;

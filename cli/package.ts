import { changePackage, createPackage } from "@/lib/commands/packages";
import type { TopupPackage } from "@/lib/db/generated/client";
import { pointsNumber } from "@/lib/points";
import { listPackages } from "@/lib/queries/packages";
import { actor, type Command, type Flags, UsageError } from "./command";
import { table } from "./table";

const view = ({ id, name, note, points, amount, currency, isEnabled, position }: TopupPackage) => ({
  id,
  name,
  note,
  points: pointsNumber(points),
  amount: Number(amount),
  currency,
  enabled: isEnabled,
  position,
});

const terms =
  "[--note T] [--position N]   (the price in the currency's smallest unit, such as cents)";
const options = {
  name: "string",
  note: "string",
  points: "string",
  amount: "string",
  currency: "string",
  position: "string",
  enable: "boolean",
  disable: "boolean",
} as const;

function flags(values: Flags) {
  const points = values.pointsNotNegative("points");
  return {
    name: values.optional("name") ?? undefined,
    note: values.optional("note") ?? undefined,
    points: points ?? undefined,
    amount: values.whole("amount"),
    currency: values.optional("currency")?.toLowerCase(),
    position: values.whole("position"),
    isEnabled: values.flag("enable") ? true : values.flag("disable") ? false : undefined,
  };
}

const list: Command = {
  usage: "",
  options: {},
  async run({ database }) {
    const packages = (await listPackages(database)).map(view);
    return { json: { packages }, text: table(packages) };
  },
};

const create: Command = {
  usage: `--name N --points P --amount A --currency C ${terms}`,
  options,
  async run(installation, values) {
    const { points, amount, note, position, isEnabled } = flags(values);
    if (points === undefined) throw new UsageError("--points is missing");
    if (amount === undefined) throw new UsageError("--amount is missing");
    const made = view(
      await createPackage(installation, actor, {
        name: values.text("name"),
        note: note ?? null,
        points,
        amount,
        currency: values.text("currency").toLowerCase(),
        isEnabled: isEnabled ?? true,
        position: position ?? 0,
      }),
    );
    return { json: { package: made }, text: table([made]) };
  },
};

const change: Command = {
  usage: `--id K [--name N] [--points P] [--amount A] [--currency C] [--enable | --disable] ${terms}`,
  options: { id: "string", ...options },
  async run(installation, values) {
    const changed = view(
      await changePackage(installation, actor, { id: values.text("id"), ...flags(values) }),
    );
    return { json: { package: changed }, text: table([changed]) };
  },
};

export const packageCommands = { list, create, change } satisfies Record<string, Command>;

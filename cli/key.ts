import type { StoredKey } from "@/lib/accounts/stored-keys";
import { createApiKey, resumeApiKey, revokeApiKey } from "@/lib/commands/api-keys";
import { NAME_LENGTH_MAX } from "@/lib/contract/limits";
import { pointsNumber } from "@/lib/points";
import { findUserByEmail } from "@/lib/queries/users";
import { actor, type Command } from "./command";
import { table } from "./table";

const view = ({
  id,
  name,
  hint,
  requestsPerMinute,
  models,
  expiresAt,
  revokedAt,
  hourlySpendMax,
  pausedAt,
}: StoredKey) => ({
  id,
  name,
  hint,
  requests_per_minute: requestsPerMinute,
  models,
  expires_at: expiresAt?.toISOString() ?? null,
  revoked_at: revokedAt?.toISOString() ?? null,
  hourly_spend_max: hourlySpendMax === null ? null : pointsNumber(hourlySpendMax),
  paused_at: pausedAt?.toISOString() ?? null,
});
const keyText = (key: ReturnType<typeof view>) =>
  table([{ ...key, models: key.models.join(",") || "all" }]);

const create: Command = {
  usage:
    "--email E --name N [--rpm N] [--budget POINTS] [--models M,…] [--expires ISO] [--hourly-max POINTS]",
  options: {
    email: "string",
    name: "string",
    rpm: "string",
    budget: "string",
    models: "string",
    expires: "string",
    "hourly-max": "string",
  },
  async run(installation, flags) {
    const { accountId } = await findUserByEmail(installation, flags.text("email"));
    const { key, secret } = await createApiKey(installation, actor, {
      accountId,
      name: flags.text("name").trim().slice(0, NAME_LENGTH_MAX),
      requestsPerMinute: flags.whole("rpm"),
      budget: flags.pointsNotNegative("budget"),
      models: flags
        .optional("models")
        ?.split(",")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
      expiresAt: flags.moment("expires"),
      hourlySpendMax: flags.pointsNotNegative("hourly-max"),
    });
    return {
      json: { key: view(key), secret },
      text: `${keyText(view(key))}\n\n${secret}\nStore this key now: it is not shown again.`,
    };
  },
};

const revoke: Command = {
  usage: "--id K",
  options: { id: "string" },
  async run(installation, flags) {
    const key = view(
      await revokeApiKey(installation, actor, { id: flags.text("id"), accountId: null }),
    );
    return { json: { key }, text: keyText(key) };
  },
};

const resume: Command = {
  usage: "--id K",
  options: { id: "string" },
  async run(installation, flags) {
    const key = view(
      await resumeApiKey(installation, actor, { id: flags.text("id"), accountId: null }),
    );
    return { json: { key }, text: keyText(key) };
  },
};

export const keyCommands = { create, revoke, resume };

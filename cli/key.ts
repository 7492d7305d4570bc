import { listApiKeys, type StoredKey } from "@/lib/accounts/stored-keys";
import { changeApiKey, createApiKey, resumeApiKey, revokeApiKey } from "@/lib/commands/api-keys";
import { pointsNumber } from "@/lib/money/points";
import { findUserByEmail } from "@/lib/queries/users";
import { ACCOUNT, accountNamed } from "./account-option";
import { actor, type Command } from "./command";
import { limitsIn, limitUsage } from "./key-limits";
import { table } from "./table";
import { nameOf } from "./user-flags";

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
  allowedAddresses,
}: StoredKey) => ({
  id,
  name,
  hint,
  requests_per_minute: requestsPerMinute,
  models,
  allowed_addresses: allowedAddresses,
  expires_at: expiresAt?.toISOString() ?? null,
  revoked_at: revokedAt?.toISOString() ?? null,
  hourly_spend_max: hourlySpendMax === null ? null : pointsNumber(hourlySpendMax),
  paused_at: pausedAt?.toISOString() ?? null,
});
const keyText = (key: ReturnType<typeof view>) =>
  table([
    {
      ...key,
      models: key.models.join(",") || "all",
      allowed_addresses: key.allowed_addresses.join(",") || "all",
    },
  ]);

const create: Command = {
  usage: `--email E --name N ${limitUsage}`,
  async run(installation, flags) {
    const { accountId } = await findUserByEmail(installation, flags.text("email"));
    const limits = limitsIn(flags);
    const { key, secret } = await createApiKey(installation, actor, {
      accountId,
      name: nameOf(flags.text("name")),
      ...limits,
      // What a new key gets by itself is for the pages: an operator who gives no limit wants none.
      budget: limits.budget ?? null,
      hourlySpendMax: limits.hourlySpendMax ?? null,
    });
    return {
      json: { key: view(key), secret },
      text: `${keyText(view(key))}\n\n${secret}\nStore this key now: it is not shown again.`,
    };
  },
};

const list: Command = {
  usage: ACCOUNT,
  async run(installation, flags) {
    const accountId = await accountNamed(installation, flags);
    const keys = (await listApiKeys(installation.database, accountId)).map(view);
    const rows = keys.map((key) => ({
      ...key,
      models: key.models.join(",") || "all",
      allowed_addresses: key.allowed_addresses.join(",") || "all",
    }));
    return { json: { keys }, text: table(rows) };
  },
};

const change: Command = {
  usage: `--id K [--name N] ${limitUsage}`,
  async run(installation, flags) {
    const name = nameOf(flags.optional("name") ?? "") || undefined;
    const named = { id: flags.text("id"), accountId: null };
    const changed = await changeApiKey(installation, actor, { ...named, name, ...limitsIn(flags) });
    const key = view(changed);
    return { json: { key }, text: keyText(key) };
  },
};

const revoke: Command = {
  usage: "--id K",
  async run(installation, flags) {
    const key = view(
      await revokeApiKey(installation, actor, { id: flags.text("id"), accountId: null }),
    );
    return { json: { key }, text: keyText(key) };
  },
};

const resume: Command = {
  usage: "--id K",
  async run(installation, flags) {
    const key = view(
      await resumeApiKey(installation, actor, { id: flags.text("id"), accountId: null }),
    );
    return { json: { key }, text: keyText(key) };
  },
};

export const keyCommands = { create, list, change, revoke, resume };

import type { StoredManagementKey } from "@/lib/accounts/stored-keys";
import { createManagementKey, revokeManagementKey } from "@/lib/commands/management-keys";
import { managementScopes } from "@/lib/contract/states";
import { managementKeyView, managementKeyViews } from "@/lib/queries/management-keys";
import { findUserByEmail } from "@/lib/queries/users";
import { allowedWord } from "./allowed-words";
import { actor, type Command } from "./command";
import { table } from "./table";
import { nameOf } from "./user-flags";

type View = ReturnType<typeof managementKeyView>;

const view = ({ createdAt, lastUsedAt, expiresAt, ...key }: View) => ({
  ...key,
  created_at: createdAt,
  last_used_at: lastUsedAt,
  expires_at: expiresAt,
});
const stored = (key: StoredManagementKey) => view(managementKeyView(key));
const textOf = (keys: readonly ReturnType<typeof view>[]) =>
  table(keys.map((key) => ({ ...key, scopes: key.scopes.join(",") })));

const create: Command = {
  usage: `--email E --name N --scopes ${managementScopes.join(",")} [--expires ISO]`,
  options: { email: "string", name: "string", scopes: "string", expires: "string" },
  async run(installation, flags) {
    const scopes = flags
      .text("scopes")
      .split(",")
      .map((word) => allowedWord("scopes", word.trim(), managementScopes));
    const name = nameOf(flags.text("name"));
    const { accountId } = await findUserByEmail(installation, flags.text("email"));
    const wanted = { accountId, name, scopes, expiresAt: flags.moment("expires") };
    const { key, secret } = await createManagementKey(installation, actor, wanted);
    return {
      json: { key: stored(key), secret },
      text: `${textOf([stored(key)])}\n\n${secret}\nStore this key now: it is not shown again.`,
    };
  },
};

const list: Command = {
  usage: "--email E",
  options: { email: "string" },
  async run(installation, flags) {
    const { accountId } = await findUserByEmail(installation, flags.text("email"));
    const keys = (await managementKeyViews(installation, accountId)).map(view);
    return { json: { keys }, text: textOf(keys) };
  },
};

const revoke: Command = {
  usage: "--id K",
  options: { id: "string" },
  async run(installation, flags) {
    const named = { id: flags.text("id"), accountId: null };
    const key = stored(await revokeManagementKey(installation, actor, named));
    return { json: { key }, text: textOf([key]) };
  },
};

export const managementKeyCommands = { create, list, revoke };

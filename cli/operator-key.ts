import type { StoredOperatorKey } from "@/lib/accounts/stored-keys";
import { createOperatorKey } from "@/lib/commands/operator-keys";
import { operatorScopes } from "@/lib/contract/states";
import { operatorKeyView } from "@/lib/queries/operator-keys";
import { findUserByEmail } from "@/lib/queries/users";
import { allowedWord } from "./allowed-words";
import { actor, type Command } from "./command";
import { table } from "./table";
import { nameOf } from "./user-flags";

type View = ReturnType<typeof operatorKeyView>;

const view = ({ madeBy, createdAt, lastUsedAt, expiresAt, ...key }: View) => ({
  ...key,
  made_by: madeBy,
  created_at: createdAt,
  last_used_at: lastUsedAt,
  expires_at: expiresAt,
});
const stored = (key: StoredOperatorKey) => view(operatorKeyView(key));
const textOf = (keys: readonly ReturnType<typeof view>[]) =>
  table(keys.map((key) => ({ ...key, scopes: key.scopes.join(",") })));

const create: Command = {
  usage: `--email E --name N --scopes ${operatorScopes.join(",")} [--expires ISO]   (E: the operator whose key it is)`,
  async run(installation, flags) {
    const words = flags.text("scopes").split(",");
    const scopes = words.map((word) => allowedWord("scopes", word.trim(), operatorScopes));
    const name = nameOf(flags.text("name"));
    const { id: userId } = await findUserByEmail(installation, flags.text("email"));
    const wanted = { userId, name, scopes, expiresAt: flags.moment("expires") };
    const { key, secret } = await createOperatorKey(installation, actor, wanted);
    return {
      json: { key: stored(key), secret },
      text: `${textOf([stored(key)])}\n\n${secret}\nStore this key now: it is not shown again.`,
    };
  },
};

/** The others are made from rows. */
export const operatorKeyCommands = { create };

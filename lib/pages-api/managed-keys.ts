/** `/v1/keys`: what the keys page does, by its use cases, for a management key. */
import { findApiKey, listApiKeys, type StoredKey } from "../accounts/stored-keys";
import { apiKey } from "../contract/api-keys";
import { type ManagedKeyView, managedKey, managedKeyQuery } from "../contract/managed-key";
import type { managedKeyEndpoints } from "../contract/managed-key-endpoints";
import { invalidValue, RelayError } from "../failures/relay-error";
import { type CallOf, jsonAnswer, type UseCase } from "../http/serve";
import { validateQuery } from "../http/validate";
import { keyViewsOf, showKey } from "../queries/api-keys";
import { askRow, shownAs } from "./ask-row";
import type { ProgramDeps } from "./use-case";

type Rows = typeof managedKeyEndpoints;
type UseCases = { readonly [Name in keyof Rows]: UseCase<Rows[Name]> };
type View = Awaited<ReturnType<typeof showKey>>;

const PAGE_DEFAULT = 20;

const shownKey = (view: View): ManagedKeyView =>
  managedKey.parse({ ...shownAs(apiKey, view), object: "api_key" });

type OneKey = CallOf<Rows["getApiKey"]> | CallOf<Rows["changeApiKey"]>;

/** Rejects with `not_found`, also for another account's key. */
async function ownKey(
  { database }: ProgramDeps,
  { principal, parameter }: OneKey,
): Promise<StoredKey> {
  const key = await findApiKey(database, principal.accountId, parameter);
  if (key !== null) return key;
  throw new RelayError("not_found", { message: "There is no such key." });
}

/** A page of the account's keys. */
async function ownKeys(deps: ProgramDeps, call: CallOf<Rows["listApiKeys"]>) {
  const { accountId } = call.principal;
  const { after, limit } = validateQuery(managedKeyQuery, call.incoming.query);
  const size = limit === undefined ? PAGE_DEFAULT : Number(limit);
  if (after !== undefined && (await findApiKey(deps.database, accountId, after)) === null)
    throw invalidValue(
      "after",
      `\`after\` is ${JSON.stringify(after)}, which is the id of none of your keys.`,
    );
  const found = await listApiKeys(deps.database, accountId, { after, count: size + 1 });
  const data = (await keyViewsOf(deps, accountId, found.slice(0, size))).map(shownKey);
  return {
    object: "list" as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: found.length > size,
  };
}

export function managedKeys(deps: ProgramDeps): UseCases {
  const shownNow = async (call: OneKey) => shownKey(await showKey(deps, await ownKey(deps, call)));
  return {
    listApiKeys: async (call) => jsonAnswer(call, await ownKeys(deps, call)),
    async createApiKey(call) {
      const { key, secret } = await askRow("createKey", deps, call, call.body);
      return jsonAnswer(call, { ...shownKey(key), key: secret });
    },
    getApiKey: async (call) => jsonAnswer(call, await shownNow(call)),
    async changeApiKey(call) {
      const { paused, ...change } = call.body;
      if (Object.keys(change).length > 0) await askRow("changeKey", deps, call, change);
      if (paused === false) await askRow("resumeKey", deps, call);
      return jsonAnswer(call, await shownNow(call));
    },
    async revokeApiKey(call) {
      const { key } = await askRow("revokeKey", deps, call);
      return jsonAnswer(call, shownKey(key));
    },
  };
}

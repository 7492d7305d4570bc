/** `/v1/keys`: what the keys page does, by the same commands, for a management key. */
import { changeApiKey, createApiKey, resumeApiKey, revokeApiKey } from "../commands/api-keys";
import type { managedKeyEndpoints } from "../contract/managed-key-endpoints";
import { jsonAnswer, type UseCase } from "../http/serve";
import { stillRunning } from "../idempotency/claims";
import { answering } from "./answering";
import { type ManagementDeps, ownKey, ownKeys, shownKey } from "./find-keys";
import { limitsOf } from "./key-view";
import { MadeBefore, onceOf } from "./once";

type Rows = typeof managedKeyEndpoints;
type UseCases = { readonly [Name in keyof Rows]: UseCase<Rows[Name]> };

const create = (deps: ManagementDeps, isSecondLook = false): UseCase<Rows["createApiKey"]> => {
  const { database } = deps;
  return async (call) => {
    const { principal, body } = call;
    const { accountId, managementKeyId } = principal;
    const once = onceOf(call);
    const earlier = await once?.earlier(database);
    if (earlier) {
      call.headers["idempotent-replayed"] = "true";
      const key = await ownKey(database, accountId, earlier.id);
      return jsonAnswer(call, { ...(await shownKey(deps, key)), key: earlier.secret });
    }
    const wanted = { ...limitsOf(body), name: body.name.trim(), accountId };
    const claim = once === null ? undefined : once.claim;
    try {
      const { key, secret } = await createApiKey(deps, managementKeyId, wanted, claim);
      return jsonAnswer(call, { ...(await shownKey(deps, key)), key: secret });
    } catch (error) {
      if (!(error instanceof MadeBefore)) throw error;
      // Now it is the earlier one; or a generation, a day old, that still runs.
      if (isSecondLook) throw stillRunning();
      return create(deps, true)(call);
    }
  };
};

const change = (deps: ManagementDeps): UseCase<Rows["changeApiKey"]> => {
  return async (call) => {
    const { accountId, managementKeyId } = call.principal;
    const { paused, name, ...limits } = call.body;
    const named = { id: call.parameter, accountId };
    let key = await ownKey(deps.database, accountId, call.parameter);
    if (name !== undefined || Object.keys(limits).length > 0) {
      const wanted = { ...limitsOf(limits), ...named, name: name?.trim() };
      key = await changeApiKey(deps, managementKeyId, wanted);
    }
    if (paused === false) key = await resumeApiKey(deps, managementKeyId, named);
    return jsonAnswer(call, await shownKey(deps, key));
  };
};

export function managedKeys(deps: ManagementDeps): UseCases {
  return {
    listApiKeys: answering(async (call) => jsonAnswer(call, await ownKeys(deps, call))),
    createApiKey: answering(create(deps)),
    getApiKey: answering(async (call) => {
      const key = await ownKey(deps.database, call.principal.accountId, call.parameter);
      return jsonAnswer(call, await shownKey(deps, key));
    }),
    changeApiKey: answering(change(deps)),
    revokeApiKey: answering(async (call) => {
      const { accountId, managementKeyId } = call.principal;
      const key = await revokeApiKey(deps, managementKeyId, { id: call.parameter, accountId });
      return jsonAnswer(call, await shownKey(deps, key));
    }),
  };
}

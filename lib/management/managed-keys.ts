/** `/v1/keys`: what the keys page does, by the same commands, for a management key. */
import { changeApiKey, createApiKey, resumeApiKey, revokeApiKey } from "../commands/api-keys";
import type { managedKeyEndpoints } from "../contract/managed-key-endpoints";
import { jsonAnswer, type UseCase } from "../http/serve";
import { answering } from "./answering";
import { type ManagementDeps, ownKey, ownKeys, shownKey } from "./find-keys";
import { limitsOf } from "./key-view";

type Rows = typeof managedKeyEndpoints;
type UseCases = { readonly [Name in keyof Rows]: UseCase<Rows[Name]> };

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
    createApiKey: answering(async (call) => {
      const { accountId, managementKeyId } = call.principal;
      const wanted = { ...limitsOf(call.body), name: call.body.name.trim(), accountId };
      const { key, secret } = await createApiKey(deps, managementKeyId, wanted);
      return jsonAnswer(call, { ...(await shownKey(deps, key)), key: secret });
    }),
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

/** The rows of the endpoint table for keys by API. */
import { free, get, named, patch, post, remove, type Unnameds } from "./endpoint";
import {
  changeManagedKey,
  makeManagedKey,
  managedKey,
  managedKeyList,
  managedKeyMade,
  managedKeyQuery,
} from "./managed-key";

const BODY_BYTES_MAX = 64 * 1024;

const own = { group: "keys", admits: ["managementKey"] } as const;
const one = { ...own, parameter: "The id of the key" } as const;
const withBody = {
  billing: "free",
  rate: "request",
  bodyBytesMax: BODY_BYTES_MAX,
  storesText: true,
} as const;

export const managedKeyEndpoints = named({
  listApiKeys: {
    ...get("/v1/keys"),
    ...own,
    ...free("request"),
    summary: "List the API keys of your account, newest first",
    scope: "keys:read",
    query: managedKeyQuery,
    response: managedKeyList,
  },
  createApiKey: {
    ...post("/v1/keys"),
    ...own,
    ...withBody,
    summary: "Create an API key; the answer is the only one that contains it",
    scope: "keys:write",
    isOncePerKey: true,
    request: makeManagedKey,
    response: managedKeyMade,
  },
  getApiKey: {
    ...get("/v1/keys/{id}"),
    ...one,
    ...free("request"),
    summary: "Get an API key of your account with its limits and its spending",
    scope: "keys:read",
    response: managedKey,
  },
  changeApiKey: {
    ...patch("/v1/keys/{id}"),
    ...one,
    ...withBody,
    summary: "Change the given fields of an API key, or resume it",
    scope: "keys:write",
    request: changeManagedKey,
    response: managedKey,
  },
  revokeApiKey: {
    ...remove("/v1/keys/{id}"),
    ...one,
    ...free("request"),
    summary: "Revoke an API key permanently",
    scope: "keys:write",
    response: managedKey,
  },
} as const satisfies Unnameds);

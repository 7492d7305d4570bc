/** The rows of the endpoint table for keys by API. */
import type { EndpointRow } from "./endpoint";
import {
  changeManagedKey,
  makeManagedKey,
  managedKey,
  managedKeyList,
  managedKeyMade,
  managedKeyQuery,
} from "./managed-key";

const BODY_BYTES_MAX = 64 * 1024;

const own = {
  group: "keys",
  admits: ["managementKey"],
  billing: "free",
  rate: "request",
} as const;
const one = { ...own, path: "/v1/keys/{id}", parameter: "The id of the key" } as const;
const withBody = { bodyBytesMax: BODY_BYTES_MAX, storesText: true } as const;
const withoutBody = { bodyBytesMax: 0, request: null } as const;

export const managedKeyEndpoints = {
  listApiKeys: {
    ...own,
    ...withoutBody,
    name: "listApiKeys",
    method: "GET",
    path: "/v1/keys",
    summary: "List the API keys of your account, newest first",
    scope: "keys:read",
    query: managedKeyQuery,
    response: managedKeyList,
  },
  createApiKey: {
    ...own,
    ...withBody,
    name: "createApiKey",
    method: "POST",
    path: "/v1/keys",
    summary: "Create an API key; the answer is the only one that contains it",
    scope: "keys:write",
    isOncePerKey: true,
    request: makeManagedKey,
    response: managedKeyMade,
  },
  getApiKey: {
    ...one,
    ...withoutBody,
    name: "getApiKey",
    method: "GET",
    summary: "Get an API key of your account with its limits and its spending",
    scope: "keys:read",
    response: managedKey,
  },
  changeApiKey: {
    ...one,
    ...withBody,
    name: "changeApiKey",
    method: "PATCH",
    summary: "Change the given fields of an API key, or resume it",
    scope: "keys:write",
    request: changeManagedKey,
    response: managedKey,
  },
  revokeApiKey: {
    ...one,
    ...withoutBody,
    name: "revokeApiKey",
    method: "DELETE",
    summary: "Revoke an API key permanently",
    scope: "keys:write",
    response: managedKey,
  },
} as const satisfies Record<string, EndpointRow>;

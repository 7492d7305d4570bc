/**
 * The requests of the corpus: each address of both lanes, with valid and invalid requests, in a
 * repeatable order.
 */
import { type CorpusRequest, chat, reads } from "./corpus-request";
import { operatorPages, ownPages, pageWrites } from "./page-cases";
import {
  chatCases,
  idempotent,
  imageCases,
  quoteCases,
  taskCases,
  videoCases,
} from "./relay-cases";

const addresses: CorpusRequest[] = [
  ...reads(
    "key",
    "/v1/models",
    "/v1/models/super-relay-2",
    "/v1/models/none",
    "/v1/models?limit=5",
    "/v1/balance",
    "/v1/key",
  ),
  ...reads(
    "key",
    "/v1/usage",
    "/v1/usage?group_by=model",
    "/v1/usage?group_by=none",
    "/v1/usage?from=2020-01-01&to=2021-12-31",
    "/v1/nothing",
  ),
  {
    name: "the usage as a table",
    method: "GET",
    path: "/v1/usage?group_by=key",
    headers: { accept: "text/csv" },
  },
  ...reads(
    "nobody",
    "/v1/models",
    "/v1",
    "/v1/media/media_0.png",
    "/healthz",
    "/readyz",
    "/v1/openapi.json",
  ),
  ...reads("unknown key", "/v1/models", "/v1/balance"),
  {
    name: "a method that is not taken",
    method: "PUT",
    path: "/v1/models",
    body: {},
  },
  { name: "a head", method: "HEAD", path: "/v1/models" },
  {
    name: "a wrong type",
    method: "POST",
    path: chat,
    headers: { "content-type": "text/plain" },
    body: "{}",
  },
  {
    name: "a packed body",
    method: "POST",
    path: chat,
    headers: { "content-encoding": "gzip" },
    body: "{}",
  },
  {
    name: "a client's id",
    method: "GET",
    path: "/v1/key",
    headers: { "x-client-request-id": "mine" },
  },
];

export const corpusRequests: readonly CorpusRequest[] = [
  ...addresses,
  ...chatCases,
  ...idempotent,
  ...quoteCases,
  ...imageCases,
  ...videoCases,
  ...taskCases,
  ...reads("nobody", ...ownPages, "/api/admin/overview"),
  ...pageWrites,
  ...reads("person", ...ownPages, "/api/admin/overview"),
  ...reads("operator", ...operatorPages),
];

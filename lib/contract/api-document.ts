/**
 * Generates the OpenAPI 3.1 document from the endpoint table, the schemas that validate, and the
 * failure table.
 */
import { offeredModels } from "../catalog/models";
import { failures } from "../failures/failure-table";
import { brandName } from "./brand";
import { chatChunk } from "./chat";
import { passedChatFields } from "./chat-passed";
import { bodySchemaOf, formSchemaOf, hasBody, schemaOf } from "./document-bodies";
import {
  eventStream,
  imageStream,
  messageStream,
  reference,
  responseStream,
  taskStream,
} from "./document-streams";
import { type EndpointRow, endpointGroups } from "./endpoint";
import { failureCodesOf } from "./endpoint-failures";
import { endpoints } from "./endpoints";
import { examples } from "./examples";
import { failureBody } from "./failure-body";
import { imageEvent } from "./image-events";
import { messagesEvent, messagesFailure } from "./messages";
import { responsesEvent } from "./response-events";
import { videoTask } from "./video-task";

type Json = Record<string, unknown>;

const text = (description: string) => ({ description, schema: { type: "string" } });
const failureHeaders = {
  "x-request-id": text("The id of this request; include it when you report a problem"),
  "x-should-retry": text("false if sending the same request again cannot help"),
  "retry-after": text("Seconds to wait before a retry, if waiting helps"),
};
const orderHeaders = {
  "idempotent-replayed": text(
    "true if this is the stored answer of the first request with this Idempotency-Key",
  ),
  "idempotent-joined": text(
    "For a client library's retry without an Idempotency-Key: true if this is the answer to the order that it repeats",
  ),
  "x-relay-model-retires": text(
    "When the model ends, for a model that does: an RFC 3339 time, then `; replaced-by=` and the model to use instead, if there is one",
  ),
};

/** The models have an address for clients of two APIs. */
function failureSchemaOf({ dialect, response }: EndpointRow): Json {
  if (dialect === "messages") return reference("MessagesFailure");
  const isShared =
    response === endpoints.listModels.response || response === endpoints.getModel.response;
  if (isShared) return { anyOf: [reference("Failure"), reference("MessagesFailure")] };
  return reference("Failure");
}

export function failureResponses(row: EndpointRow): Json {
  const all = failureCodesOf(row);
  const answers = [...new Set(all.map((code) => failures[code].status))].map(
    (status): [string, Json] => [
      String(status),
      {
        description: all
          .filter((code) => failures[code].status === status)
          .map((code) => `\`${code}\`: ${failures[code].message}`)
          .join("\n\n"),
        headers: failureHeaders,
        content: { "application/json": { schema: failureSchemaOf(row) } },
      },
    ],
  );
  return Object.fromEntries(answers);
}

const fileTypes = ["video/mp4", "image/png", "image/jpeg", "image/webp"];

function successContent(row: EndpointRow): Json {
  if (row.name === "getMedia") return Object.fromEntries(fileTypes.map((type) => [type, {}]));
  if (row.name === "getVideoContent") return { "video/mp4": {} };
  if (row.name === "streamVideoTask") return { "text/event-stream": { schema: taskStream } };
  const json = { "application/json": { schema: schemaOf(row.response, "output") } };
  if (row.name === "createChatCompletion")
    return { ...json, "text/event-stream": { schema: eventStream } };
  if (row.group === "images" && row.billing === "generation")
    return { ...json, "text/event-stream": { schema: imageStream } };
  if (row.name === "createMessage")
    return { ...json, "text/event-stream": { schema: messageStream } };
  if (row.name === "createResponse")
    return { ...json, "text/event-stream": { schema: responseStream } };
  if (row.name === "getUsage") return { ...json, "text/csv": { schema: { type: "string" } } };
  return json;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: object;
}

/** The parameters of the row's path, query and headers. */
export function parametersOf(row: EndpointRow): Parameter[] {
  const parameters: Parameter[] = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    ...(row.parameter === undefined ? {} : { description: row.parameter }),
    schema: { type: "string" },
  }));
  const { properties = {}, required = [] } = row.query ? schemaOf(row.query, "input") : {};
  for (const [name, schema] of Object.entries(properties)) {
    if (typeof schema === "boolean") continue;
    const { description, ...rest } = schema;
    parameters.push({
      name,
      in: "query",
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    });
  }
  if (row.billing === "generation" || row.isOncePerKey) {
    const description =
      "Makes a retry safe: within 24 hours, the same key and body are executed and charged only once";
    parameters.push({
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description,
      schema: { type: "string", minLength: 1, maxLength: 255 },
    });
  }
  if (row.billing === "generation")
    parameters.push({
      name: "x-relay-tags",
      in: "header",
      required: false,
      description:
        "Tags of the request, such as team=a, job=7, by which usage is filtered, grouped and bounded; at most 16",
      schema: { type: "string" },
    });
  if (row.accepted)
    parameters.push({
      name: "Prefer",
      in: "header",
      required: false,
      description:
        "With respond-async the answer is 202 at once, and the result is got later; async in the body counts before it",
      schema: { type: "string" },
    });
  return parameters;
}

/**
 * The fields that an upstream alone checks. They are not in the schema, since any value of them is
 * accepted.
 */
function passedInProse(): string {
  const lines = Object.entries(passedChatFields).map(
    ([path, { description }]) => `- \`${path}\`: ${description}`,
  );
  return `Fields that are passed to the model as they are sent:\n\n${lines.join("\n")}`;
}

/** The keys that a row with a scope takes. */
const securityOf = ({ admits, scope }: EndpointRow): Json[] => [
  ...(admits.includes("apiKey") ? [{ apiKey: [] }] : []),
  { managementKey: [scope] },
];

function operationOf(row: EndpointRow): Json {
  const shown = row.request === null ? undefined : examples()[row.path];
  const body = hasBody(row) && {
    ...(row.storesText
      ? { description: "Names and texts in the body must not contain NUL characters" }
      : {}),
    required: true,
    content: {
      "application/json": {
        schema: bodySchemaOf(row),
        ...(shown && {
          examples: Object.fromEntries(
            shown.map(({ name, summary, body: value }) => [name, { summary, value }]),
          ),
        }),
      },
      ...(row.form && { "multipart/form-data": { schema: formSchemaOf(row) } }),
    },
  };
  const parameters = parametersOf(row);
  return {
    operationId: row.name,
    tags: [row.group],
    summary: row.summary,
    ...(row.name === "createChatCompletion" ? { description: passedInProse() } : {}),
    ...(row.admits.includes("anyone") ? { security: [] } : {}),
    ...(row.scope === undefined ? {} : { security: securityOf(row) }),
    ...(row.dialect === "messages" ? { security: [{ apiKey: [] }, { apiKeyHeader: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: {
      "200": {
        description: "Success",
        ...(row.billing === "generation" ? { headers: orderHeaders } : {}),
        content: successContent(row),
      },
      ...(row.accepted && {
        "202": {
          description: "The order was accepted, and its result is got later",
          headers: orderHeaders,
          content: { "application/json": { schema: schemaOf(row.accepted, "output") } },
        },
      }),
      ...failureResponses(row),
    },
  };
}

export function apiDocument(): Json {
  const paths: Record<string, Json> = {};
  const rows: EndpointRow[] = Object.values(endpoints);
  for (const row of rows) {
    const item = paths[row.path] ?? {};
    item[row.method.toLowerCase()] = operationOf(row);
    paths[row.path] = item;
  }
  return {
    openapi: "3.1.1",
    info: {
      title: brandName(),
      version: "1",
      description:
        "A metered relay to text, video and image models. Points are decimal numbers with up to six places.",
    },
    servers: [{ url: "/", description: "The server that served this document" }],
    security: [{ apiKey: [] }],
    tags: endpointGroups.map((name) => ({ name })),
    paths,
    components: {
      schemas: {
        Failure: schemaOf(failureBody, "output"),
        ChatCompletionChunk: schemaOf(chatChunk, "output"),
        ImageEvent: schemaOf(imageEvent, "output"),
        MessagesFailure: schemaOf(messagesFailure, "output"),
        MessagesEvent: schemaOf(messagesEvent, "output"),
        ResponsesEvent: schemaOf(responsesEvent, "output"),
        VideoTask: schemaOf(videoTask, "output"),
      },
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "Your API key: sk-rly-…" },
        managementKey: {
          type: "http",
          scheme: "bearer",
          description: "Your management key: sk-rly-mgmt-…; the names are the scopes it needs",
        },
        apiKeyHeader: { type: "apiKey", in: "header", name: "x-api-key" },
      },
    },
  };
}

let written: { readonly of: string; readonly text: string } | null = null;

/** The document as JSON text; generated again when other models are offered, or the name changes. */
export function apiDocumentText(): string {
  const of = [
    brandName(),
    ...offeredModels().map(({ id, versionId }) => `${id} ${versionId}`),
  ].join();
  if (written?.of !== of) written = { of, text: JSON.stringify(apiDocument()) };
  return written.text;
}

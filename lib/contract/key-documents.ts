/** The OpenAPI 3.1 documents of `/v1/admin` and `/v1/account`. The main one is another. */
import { failureResponses, parametersOf } from "./api-document";
import { brandName } from "./brand";
import { hasBody, schemaOf } from "./document-bodies";
import { failureBody } from "./failure-body";
import { accountApiRows, fileTypeOf, type KeyRow, operatorApiRows } from "./key-rows";

type Json = Record<string, unknown>;

/** The noun of a path, such as `accounts`. */
const nounOf = ({ path }: KeyRow) => path.split("/")[3] ?? "";

const contentOf = (row: KeyRow): Json => {
  const type = fileTypeOf(row);
  if (type === null) return { "application/json": { schema: schemaOf(row.response, "output") } };
  return {
    [type]: { schema: { type: "string", ...(type !== "text/csv" && { format: "binary" }) } },
  };
};

function operationOf(row: KeyRow): Json {
  const parameters = parametersOf(row);
  const [kind] = row.admits;
  return {
    operationId: row.name.slice(row.name.indexOf(".") + 1),
    tags: [nounOf(row)],
    summary: row.summary,
    security: [{ [kind]: row.scope === undefined ? [] : [row.scope] }],
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody(row) && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: schemaOf(row.request, "input") } },
      },
    }),
    responses: {
      [row.status ?? 200]: {
        description: "Success",
        content: contentOf(row),
      },
      ...failureResponses(row),
    },
  };
}

interface About {
  readonly title: string;
  readonly description: string;
  readonly kind: KeyRow["admits"][0];
  /** What is said of the key. */
  readonly key: string;
}

function documentOf(rows: readonly KeyRow[], { title, description, kind, key }: About): Json {
  const paths: Record<string, Json> = {};
  for (const row of rows) {
    const item = paths[row.path] ?? {};
    item[row.method.toLowerCase()] = operationOf(row);
    paths[row.path] = item;
  }
  return {
    openapi: "3.1.1",
    info: { title, version: "1", description },
    servers: [{ url: "/", description: "The server that served this document" }],
    tags: [...new Set(rows.map(nounOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Failure: schemaOf(failureBody, "output") },
      securitySchemes: {
        [kind]: {
          type: "http",
          scheme: "bearer",
          description: `${key}; the names are the scopes it needs`,
        },
      },
    },
  };
}

/** JSON text that is written at the first call, and again under another name. */
function writtenOnce(document: (name: string) => Json): () => string {
  let written: { readonly name: string; readonly text: string } | undefined;
  return () => {
    const name = brandName();
    if (written?.name !== name) written = { name, text: JSON.stringify(document(name)) };
    return written.text;
  };
}

export const operatorDocumentText = writtenOnce((name) =>
  documentOf(operatorApiRows, {
    title: `${name} for operators`,
    description:
      "What the operators' pages do, for programs. Points are decimal numbers with up to six places; times are epoch seconds.",
    kind: "operatorKey",
    key: "An operator key: sk-rly-op-…",
  }),
);

export const accountDocumentText = writtenOnce((name) =>
  documentOf(accountApiRows, {
    title: `${name} for programs that manage an account`,
    description:
      "What the pages of an account do, for programs; API keys are at /v1/keys. Points are decimal numbers with up to six places; times are epoch seconds.",
    kind: "managementKey",
    key: "A management key: sk-rly-mgmt-…",
  }),
);

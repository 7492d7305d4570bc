/** The OpenAPI 3.1 document of `/v1/admin`, apart from the customers' one. */
import { failureResponses, parametersOf } from "./api-document";
import { hasBody, schemaOf } from "./document-bodies";
import { failureBody } from "./failure-body";
import { fileTypeOf, type OperatorApiRow, operatorApiRows } from "./operator-api-rows";

type Json = Record<string, unknown>;

/** The noun of a path, such as `accounts`. */
const nounOf = ({ path }: OperatorApiRow) => path.split("/")[3] ?? "";

const contentOf = (row: OperatorApiRow): Json => {
  const type = fileTypeOf(row);
  if (type === null) return { "application/json": { schema: schemaOf(row.response, "output") } };
  return {
    [type]: { schema: { type: "string", ...(type !== "text/csv" && { format: "binary" }) } },
  };
};

function operationOf(row: OperatorApiRow): Json {
  const parameters = parametersOf(row);
  return {
    operationId: row.name.replace("operator.", ""),
    tags: [nounOf(row)],
    summary: row.summary,
    security: [{ operatorKey: row.scope === undefined ? [] : [row.scope] }],
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

/** The document as an object. */
function operatorDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const row of operatorApiRows) {
    const item = paths[row.path] ?? {};
    item[row.method.toLowerCase()] = operationOf(row);
    paths[row.path] = item;
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Relay for operators",
      version: "1",
      description:
        "What the operators' pages do, for programs. Points are texts of decimal numbers with six places.",
    },
    servers: [{ url: "/", description: "The server that served this document" }],
    tags: [...new Set(operatorApiRows.map(nounOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Failure: schemaOf(failureBody, "output") },
      securitySchemes: {
        operatorKey: {
          type: "http",
          scheme: "bearer",
          description: "An operator key: sk-rly-op-…; the names are the scopes it needs",
        },
      },
    },
  };
}

let written: string | undefined;

/** The document as JSON text. */
export function operatorDocumentText(): string {
  written ??= JSON.stringify(operatorDocument());
  return written;
}

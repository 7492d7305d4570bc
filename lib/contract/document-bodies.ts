/**
 * The API document's description of request bodies beyond the validating schemas: the models of an
 * endpoint, and the body of a quote.
 */
import { z } from "zod";
import { namesOf } from "../catalog/model";
import { offeredModelsOf } from "../catalog/models";
import type { EndpointRow } from "./endpoint";
import { endpoints } from "./endpoints";
import type { Family } from "./states";

type Json = Record<string, unknown>;

type Schema = z.core.JSONSchema.BaseSchema;

type BodyRow = EndpointRow & { readonly request: z.ZodType };
export const hasBody = (row: EndpointRow): row is BodyRow => row.request !== null;

export function schemaOf(schema: z.ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

const familyOf: Readonly<Record<string, Family>> = {
  createChatCompletion: "text",
  createMessage: "text",
  countMessageTokens: "text",
  createResponse: "text",
  compactResponse: "text",
  createImage: "image",
  createImageEdit: "image",
  createVideo: "video",
  createVideoTask: "video",
  createVideoJob: "video",
};

const namesOfAll = (family: Family) => offeredModelsOf(family).flatMap(namesOf);

/** The body of an endpoint that generates: its schema, with the models of its family. */
function generationBody(row: BodyRow): Schema {
  const body = schemaOf(row.request, "input");
  const family = familyOf[row.name];
  if (family === undefined) return body;
  return {
    ...body,
    properties: { ...body.properties, model: { type: "string", enum: namesOfAll(family) } },
  };
}

/** A quote takes the body of the endpoint that it names. */
function quoteBody(): Json {
  const rows: EndpointRow[] = Object.values(endpoints);
  const sold = rows.filter(hasBody).filter(({ billing }) => billing === "generation");
  const { description } = endpoints.createQuote.request.shape.endpoint;
  return {
    oneOf: sold.map((row) => {
      const body = generationBody(row);
      const endpoint = { type: "string", enum: [row.name, row.path], description };
      return {
        ...body,
        properties: { endpoint, ...body.properties },
        required: ["endpoint", ...(body.required ?? [])],
      };
    }),
  };
}

/** The schema of a row's body, as exact as the document can express it. */
export const bodySchemaOf = (row: BodyRow): Json =>
  row.name === "createQuote" ? quoteBody() : generationBody(row);

const FILE = { type: "string", format: "binary" };

/** The schema of a body as a form: texts, and the files. */
export function formSchemaOf(row: BodyRow): Json {
  const { properties = {}, required = [] } = generationBody(row);
  const { fileFields = [], filesMax = 1 } = row.form ?? {};
  const file =
    filesMax === 1 ? FILE : { type: "array", items: FILE, minItems: 1, maxItems: filesMax };
  const files = Object.entries(properties).filter(([name]) => fileFields.includes(name));
  const fields = Object.entries(properties).filter(([name]) => ["model", "prompt"].includes(name));
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(fields),
      ...Object.fromEntries(files.map(([name]) => [name, file])),
    },
    required,
  };
}

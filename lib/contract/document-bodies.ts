/**
 * The API document's description of request bodies beyond the validating schemas: the models of an
 * endpoint, and the body of a quote.
 */
import { z } from "zod";
import { models } from "../catalog/models";
import type { EndpointRow } from "./endpoint";
import { endpoints } from "./endpoints";
import type { Family } from "./states";

type Json = Record<string, unknown>;

export function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

const familyOf: Readonly<Record<string, Family>> = {
  createChatCompletion: "text",
  createImage: "image",
  createVideo: "video",
  createVideoTask: "video",
};

const namesOf = (family: Family) =>
  models.filter((model) => model.family === family).flatMap(({ id, alias, synonyms }) => [id, alias, ...synonyms]);

/** The body of an endpoint that generates: its schema, with the models of its family. */
function generationBody(row: EndpointRow): Json {
  const body = schemaOf(row.request as z.ZodType, "input");
  const family = familyOf[row.name];
  if (family === undefined) return body;
  return { ...body, properties: { ...(body.properties as Json), model: { type: "string", enum: namesOf(family) } } };
}

/** A quote takes the body of the endpoint that it names. */
function quoteBody(): Json {
  const sold = (Object.values(endpoints) as EndpointRow[]).filter(({ billing }) => billing === "generation");
  const { properties } = schemaOf(endpoints.createQuote.request, "input") as { properties: { endpoint: Json } };
  return {
    oneOf: sold.map((row) => {
      const body = generationBody(row);
      const endpoint = { type: "string", enum: [row.name, row.path], description: properties.endpoint.description };
      return { ...body, properties: { endpoint, ...(body.properties as Json) }, required: ["endpoint", ...(body.required as string[])] };
    }),
  };
}

/** The schema of a row's body, as exact as the document can express it. */
export const bodySchemaOf = (row: EndpointRow): Json => (row.name === "createQuote" ? quoteBody() : generationBody(row));

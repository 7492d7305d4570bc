/** The answers of the endpoints that are about the service itself, and of the files. */
import { z } from "zod";

/** The bytes themselves: video/mp4, image/png, image/jpeg or image/webp. */
export const file = z.string().meta({ format: "binary" });
export const pdfFile = z
  .string()
  .max(16 * 1024 * 1024)
  .meta({ format: "binary", contentMediaType: "application/pdf" });

export const apiDocument = z.looseObject({
  openapi: z.string().describe("The version of OpenAPI that the document is written in"),
  paths: z.record(z.string(), z.unknown()).describe("The endpoints by path and method"),
});

export const health = z.object({
  status: z.string().describe("ok for /healthz, ready for /readyz"),
});

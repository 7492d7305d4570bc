import type { z } from "zod";

/** `generation` opens a hold; `free` never touches points. */
export type BillingClass = "generation" | "free";
/** By what a request shows who asks: an API key, or the session of a signed-in page (the playground). */
export type PrincipalKind = "apiKey" | "session";
/** Which bucket of the key's rate limit a request counts in; `poll` has its own. */
export type RateClass = "request" | "poll" | "none";

/** One row of the endpoint table: what both lanes, the API document and the tests know of an endpoint. */
export interface EndpointRow {
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** Path with `{parameters}`, such as `/v1/models/{model}`. */
  readonly path: string;
  readonly summary: string;
  /** Who may ask; `anyone` is not asked who he is. */
  readonly admits: readonly (PrincipalKind | "anyone")[];
  readonly billing: BillingClass;
  readonly rate: RateClass;
  /** 0: the endpoint takes no body. */
  readonly bodyBytesMax: number;
  /** Of these, what may be anything else than encoded images; absent: all of it. */
  readonly textBytesMax?: number;
  readonly request: z.ZodType | null;
  /** Texts of the body are kept in the database. */
  readonly storesText?: true;
  /** What may stand in the query; absent: nothing does. */
  readonly query?: z.ZodObject;
  readonly response: z.ZodType;
}

/** The body that a row's use case is given: what its schema lets through. */
export type BodyOf<Row extends EndpointRow> = z.infer<NonNullable<Row["request"]>>;
/** What a row's use case answers as JSON. */
export type AnswerOf<Row extends EndpointRow> = z.infer<Row["response"]>;

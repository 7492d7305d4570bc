import type { z } from "zod";
import { isRecord } from "../values/records";
import type { Dialect, ManagementScope, OperatorScope } from "./states";

/** `generation` opens a hold; `free` never changes points. */
type BillingClass = "generation" | "free";
/**
 * The kinds of principal: an API key, a management key, an operator key, or the session of a
 * signed-in page (the playground).
 */
type PrincipalKind = "apiKey" | "managementKey" | "operatorKey" | "session";
/** The groups of the API reference, in its order; the tags of the API document. */
export const endpointGroups = [
  "chat",
  "messages",
  "responses",
  "images",
  "videos",
  "files",
  "models",
  "account",
  "keys",
  "members",
  "service",
] as const;
export type EndpointGroup = (typeof endpointGroups)[number];
/** The bucket of the key's rate limit in which a request counts; `poll` has its own. */
type RateClass = "request" | "poll" | "none";

/** How a row's body may come as `multipart/form-data`, besides JSON. */
export interface FormBounds {
  /** The fields that may be files: images, each of at most `fileBytesMax`. */
  readonly fileFields: readonly string[];
  readonly filesMax: number;
  readonly fileBytesMax: number;
  readonly bodyBytesMax: number;
}

/**
 * A row of the endpoint table: what both lanes, the API document and the tests need to know about
 * an endpoint.
 */
export interface EndpointRow {
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path with `{parameters}`, such as `/v1/models/{model}`. */
  readonly path: string;
  /** What its path's parameter is; absent when the path has none. */
  readonly parameter?: string;
  readonly group: EndpointGroup | "operators" | "ofAccount";
  readonly summary: string;
  /** The principals that may call it. `anyone`: no authentication. */
  readonly admits: readonly (PrincipalKind | "anyone")[];
  /** What a management key or an operator key needs to call it; absent where it needs none. */
  readonly scope?: ManagementScope | OperatorScope;
  /** The API that its requests, answers and errors follow; absent for our own. */
  readonly dialect?: Dialect;
  readonly billing: BillingClass;
  /** True for a free row that an Idempotency-Key makes safe to repeat, as it does every sold one. */
  readonly isOncePerKey?: true;
  readonly rate: RateClass;
  /** 0 when the endpoint takes no body. */
  readonly bodyBytesMax: number;
  /** The part of the limit for everything but encoded images; absent when all of it may be used. */
  readonly textBytesMax?: number;
  /** True when images may come as base64 alone, in members that are named `data`. */
  readonly hasBareImages?: true;
  readonly request: z.ZodType | null;
  /** Another form of its body, which has `member` and none of `request`'s `instead`; absent for none. */
  readonly alternate?: {
    readonly member: string;
    readonly instead: string;
    readonly request: z.ZodType;
  };
  /** Absent when only JSON is accepted. */
  readonly form?: FormBounds;
  /** True when the body's `metadata` are tags of the request. */
  readonly hasMetadata?: true;
  /** True when texts of the body are stored in the database. */
  readonly storesText?: true;
  /** The query parameters; absent when there are none. */
  readonly query?: z.ZodObject;
  readonly response: z.ZodType;
  /** The answer with status 202 to a client that does not want to wait; absent where every one waits. */
  readonly accepted?: z.ZodType;
  /** 200 when absent. */
  readonly status?: 201;
}

type Unnamed = Omit<EndpointRow, "name">;
/** The rows of a table before they have their names. */
export type Unnameds = Readonly<Record<string, Unnamed>>;
type Named<Rows> = { readonly [Name in keyof Rows]: Rows[Name] & { readonly name: Name } };

/** The rows of a table, each with its name. */
export function named<const Rows extends Unnameds>(rows: Rows): Named<Rows>;
export function named(rows: Unnameds): Named<Unnameds> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { name, ...row }]));
}

/** A row's method and path. */
const at =
  <const Method extends EndpointRow["method"]>(method: Method) =>
  <const Path extends string>(path: Path) =>
    ({ method, path }) as const;
export const get = at("GET");
export const post = at("POST");
export const patch = at("PATCH");
export const remove = at("DELETE");

/** The type of the body that a row's use case gets. */
export type BodyOf<Row extends EndpointRow> =
  | z.infer<NonNullable<Row["request"]>>
  | (Row extends { alternate: { request: infer Other extends z.ZodType } }
      ? z.infer<Other>
      : never);
/** The schema of a body, by its form. */
export function schemaOf({ request, alternate }: EndpointRow, body: unknown): z.ZodType | null {
  if (alternate === undefined || !isRecord(body)) return request;
  const { member, instead } = alternate;
  return (body[instead] ?? null) === null && (body[member] ?? null) !== null
    ? alternate.request
    : request;
}
/** The type of the JSON answer that a row's use case returns. */
export type AnswerOf<Row extends EndpointRow> = z.infer<Row["response"]>;

/** What a row has that reads something, for free. */
export const free = <const Rate extends RateClass>(rate: Rate) =>
  ({ billing: "free", rate, bodyBytesMax: 0, request: null }) as const;

/** The type of a row of the pages' API tables. The rows are beside the schemas of their noun. */
import type { z } from "zod";
import type { Permission } from "./member-roles";
import type { NoCommandReason, NoKeyReason } from "./row-reasons";
import type { ManagementScope, OperatorScope } from "./states";

/** The rows of `/v1` that do what a page does in a form of their own. */
type Twin =
  | "getBalance"
  | "listApiKeys"
  | "createApiKey"
  | "changeApiKey"
  | "revokeApiKey"
  | "listMembers"
  | "changeMember"
  | "removeMember"
  | "createInvitation"
  | "revokeInvitation";

/** One address of the pages' API, as the server, the browser and the tests use it. */
export interface PageEndpoint {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Such as `/api/keys/{id}`. No path has another parameter. */
  readonly path: `/api/${string}`;
  /** `user`: 401 without a session. `operator`: 404 for everyone else. */
  readonly who: "anyone" | "user" | "operator";
  /** What the role of a member must include. `self`: only about the caller, so every role may. */
  readonly permission?: Permission | "self";
  /** What a management key, or an operator key for an operator's row, needs to call it. */
  readonly scope?: ManagementScope | OperatorScope;
  /** Instead of a scope: the row of `/v1` that does the same. */
  readonly sameAs?: Twin;
  /** Instead of a scope: why no key may call it. */
  readonly noKey?: NoKeyReason;
  /** `noun verb`, which does the same on the command line. */
  readonly command?: `${string} ${string}`;
  /** Instead of a command: why the command line has none. */
  readonly noCommand?: NoCommandReason;
  /** Public, but a signed-in user gets more. */
  readonly readsSession?: true;
  /**
   * `recent`: requires that the user proved who he is in this session within the last 15 minutes,
   * by the password, with a second factor if there is one. `unlessPassword`: not where the password alone
   * is that proof, which the body has.
   */
  readonly proof?: "recent" | "unlessPassword";
  /** Also for a user who must set up a second factor before the sign-in is complete. */
  readonly admitsSetup?: true;
  /** 200 when absent. */
  readonly status?: 201;
  readonly body?: z.ZodType;
  /** `ROW_BODY_BYTES_MAX` when absent. */
  readonly bodyBytesMax?: number;
  readonly query?: z.ZodObject;
  /** Fields outside the schema are never sent. `csv`, `pdf`: a file that the browser saves. */
  readonly answer: z.ZodType | "csv" | "pdf";
}

type ByKey<Scope> =
  | { readonly scope: Scope }
  | { readonly sameAs: Twin }
  | { readonly noKey: NoKeyReason };
type Read = { readonly method: "GET" };

/** Whom a row admits besides its page. A row that does not decide it does not compile. */
type Admitting =
  | ({ readonly who: "user"; readonly permission: Permission | "self" } & ByKey<ManagementScope>)
  | ({ readonly who: "operator" } & ByKey<OperatorScope>)
  | ({ readonly who: "anyone" } & (Read | { readonly noKey: NoKeyReason }));
/** Whether the command line has what a row changes. */
type Commanded = Read | { readonly command: string } | { readonly noCommand: NoCommandReason };

/** What a row has that is about the caller as a person, and not about the account. */
export const ofPerson = { who: "user", permission: "self", noKey: "person" } as const;

/** A row's address, and whom it admits. */
const at =
  <const Method extends PageEndpoint["method"]>(method: Method) =>
  <const Path extends PageEndpoint["path"], const Who extends Pick<PageEndpoint, "who">>(
    path: Path,
    who: Who,
  ) => ({ method, path, ...who });
export const get = at("GET");
export const post = at("POST");
export const patch = at("PATCH");
export const remove = at("DELETE");

/** What a row has that a member whose role includes `permission` calls, and a key with `scope`. */
export function byUser<const May extends Permission | "self">(
  permission: May,
): { readonly who: "user"; readonly permission: May };
export function byUser<const May extends Permission | "self", const Scope extends ManagementScope>(
  permission: May,
  scope: Scope,
): { readonly who: "user"; readonly permission: May; readonly scope: Scope };
export function byUser(permission: string, scope?: string) {
  return { who: "user", permission, ...(scope && { scope }) };
}

/** What a row has that an operator calls, and an operator key with `scope`. */
export const byOperator = <const Scope extends OperatorScope>(scope: Scope) =>
  ({ who: "operator", scope }) as const;

/** The rows of a noun by name. Names are unique across all tables. */
export type PageEndpoints = Readonly<Record<string, PageEndpoint & Admitting & Commanded>>;

/** A CSV file, sent while its rows are read. */
export interface CsvFile {
  readonly name: string;
  readonly lines: AsyncGenerator<string>;
}

/** A PDF file, as a whole. */
export interface PdfFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type Schema<Row extends PageEndpoint, Part extends "body" | "query"> = Row extends {
  readonly [Name in Part]: infer Found extends z.ZodType;
}
  ? Found
  : z.ZodUndefined;

/** The parsed body and query that a row's use case receives. */
export type PageBodyOf<Row extends PageEndpoint> = z.output<Schema<Row, "body">>;
export type PageQueryOf<Row extends PageEndpoint> = z.output<Schema<Row, "query">>;
/** What a row's use case returns. */
export type PageResultOf<Row extends PageEndpoint> = Row["answer"] extends z.ZodType
  ? z.input<Row["answer"]>
  : Row["answer"] extends "pdf"
    ? PdfFile
    : CsvFile;

/** The names, and which of them are required. The values are text, which the server checks. */
type QueryText<Input> = {
  readonly [Name in keyof Input]: undefined extends Input[Name] ? string | undefined : string;
};

/** What the browser needs of a row to call it. */
export interface Callable
  extends Pick<PageEndpoint, "method" | "proof" | "body" | "query" | "answer"> {
  readonly path: string;
  /** For the playground's rows: a body of the relay's own API, which only the server checks. */
  readonly takesBody?: true;
}

/** What a caller sends. */
export type PageInputOf<Row extends Callable> = (Row["path"] extends `${string}{id}${string}`
  ? { readonly id: string }
  : { readonly id?: undefined }) &
  (Row extends { readonly body: infer Body extends z.ZodType }
    ? { readonly body: z.input<Body> }
    : Row extends { readonly takesBody: true }
      ? { readonly body: object }
      : { readonly body?: undefined }) &
  (Row extends { readonly query: infer Query extends z.ZodType }
    ? object extends z.input<Query>
      ? { readonly query?: QueryText<z.input<Query>> }
      : { readonly query: QueryText<z.input<Query>> }
    : { readonly query?: undefined });
/** The filters of a list's row. */
export type PageFilterOf<Row extends Callable & { readonly query: z.ZodType }> = Omit<
  QueryText<z.input<Row["query"]>>,
  "cursor"
>;
/** What a caller receives. */
export type PageAnswerOf<Row extends Callable> = z.output<Extract<Row["answer"], z.ZodType>>;

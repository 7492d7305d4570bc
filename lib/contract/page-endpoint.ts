/** What a row of the tables of the pages' API says. The rows stand beside the schemas of their noun. */
import type { z } from "zod";

/** One address of the pages' API: the server, the browser and the tests know it from here. */
export interface PageEndpoint {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Such as `/api/keys/{id}`; a path has no other parameter. */
  readonly path: `/api/${string}`;
  /** `user`: 401 without a session. `operator`: to everyone else there is nothing here. */
  readonly who: "anyone" | "user" | "operator";
  /** Open to anyone, but a signed-in user is told more. */
  readonly readsSession?: true;
  /** `recent`: wants a password that was given in this session in the last 15 minutes. */
  readonly proof?: "recent";
  /** 200 where it is not said. */
  readonly status?: 201;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  /** What is not in the schema never leaves. `csv`: a file that the browser saves. */
  readonly answer: z.ZodType | "csv";
}

/** The rows of a noun by their names; a name is unique over all tables. */
export type PageEndpoints = Readonly<Record<string, PageEndpoint>>;

/** A CSV file, sent as it is read. */
export interface CsvFile {
  readonly name: string;
  readonly lines: AsyncGenerator<string>;
}

type Schema<Row extends PageEndpoint, Part extends "body" | "query"> = Row extends {
  readonly [Name in Part]: infer Found extends z.ZodType;
}
  ? Found
  : z.ZodUndefined;

/** The body and the query that a row's use case is given: what their schemas let through. */
export type PageBodyOf<Row extends PageEndpoint> = z.output<Schema<Row, "body">>;
export type PageQueryOf<Row extends PageEndpoint> = z.output<Schema<Row, "query">>;
/** What a row's use case answers. */
export type PageResultOf<Row extends PageEndpoint> = Row["answer"] extends z.ZodType
  ? z.input<Row["answer"]>
  : CsvFile;

/** Names and which of them must be there; the values are text, which the server checks. */
type QueryText<Input> = {
  readonly [Name in keyof Input]: undefined extends Input[Name] ? string | undefined : string;
};

/** What the browser knows of a row to ask it. */
export interface Callable
  extends Pick<PageEndpoint, "method" | "proof" | "body" | "query" | "answer"> {
  readonly path: string;
  /** The playground's rows: a body of the relay's own API, which the server alone checks. */
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
/** What a list of the row can be narrowed by. */
export type PageFilterOf<Row extends Callable & { readonly query: z.ZodType }> = Omit<
  QueryText<z.input<Row["query"]>>,
  "cursor"
>;
/** What a caller gets. */
export type PageAnswerOf<Row extends Callable> = z.output<Extract<Row["answer"], z.ZodType>>;

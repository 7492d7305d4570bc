/** What the form needs to know of an endpoint. */
export interface TryCall {
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly needsKey: boolean;
  readonly takesSession: boolean;
  readonly isSold: boolean;
  /** An example of the query; null when there are no parameters. */
  readonly query: string | null;
  /** Bodies as JSON text, with what each is an example of. */
  readonly bodies: readonly { readonly title: string; readonly text: string }[];
}

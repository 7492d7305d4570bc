/** What a text model offers beyond one written answer. What needs a rate is offered where there is one. */
export type TextOffers = {
  /** The most answers of one request; absent for one. */
  readonly answers_max?: number | undefined;
  /** Tools that run at the upstream, and how often one request may call them. */
  readonly tools?: { readonly types: readonly string[]; readonly calls_max: number } | undefined;
  /** Sounds that it hears: one of its tokens has at least so many bytes of a file. */
  readonly sounds?: { readonly bytes_per_token: number } | undefined;
  /** Documents that it reads as files, such as PDF: the most tokens of one. */
  readonly documents?: { readonly tokens_max: number } | undefined;
  /** Fields that its upstream gets as they came; see `passed-text-fields.ts`. */
  readonly passes?: readonly string[] | undefined;
};

/** What the process knows of the requests to the pages, for the lane in front of Next. */
export interface PagesWatch {
  /** Called for each answer of the pages. */
  notePage(status: number, seconds: number): void;
  /**
   * Throws `page_rate_limited` for an address that has no request left. Asked before Next sees the
   * request: the pages' API would refuse it too, after milliseconds of work.
   */
  assertAddressHasRoom(request: { readonly isWrite: boolean; readonly address: string }): void;
}

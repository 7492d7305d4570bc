/** Whether the installation sends mail, and whom people may ask; null for its operator. */
export interface Help {
  readonly hasMail: boolean;
  readonly contact: string | null;
}

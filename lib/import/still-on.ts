/**
 * What was switched off at its source after it had moved, and still works here. It is named, as a balance that
 * changed is; nothing here is changed.
 */
import type { ImportContext } from "./context";
import { type SourceRow, text } from "./sources/source";

/** Of a list of ids, those that work here. */
const inUse = {
  users: "select id from account where id = any($1) and status = 'active'",
  keys: `select id from api_key where id = any($1) and revoked_at is null and paused_at is null
    and (expires_at is null or expires_at > now())`,
  vouchers: `select id from voucher where id = any($1) and redeemed_at is null and cancelled_at is null
    and (expires_at is null or expires_at > now())`,
} as const;

const reasons: Readonly<Record<keyof typeof inUse, string>> = {
  users:
    "is disabled or deleted there since it moved: here its account is active until you suspend it",
  keys: "is disabled or deleted there since it moved: here it works until you revoke it",
  vouchers:
    "is redeemed, disabled or deleted there since it moved: here it can be redeemed until you cancel it",
};

export class StillOn {
  /** Those that the source does not have, or has switched off: ours by theirs. */
  readonly #off: Map<string, string>;

  /** `known`: what moved in earlier runs. `isOn`: whether a row of the source is switched on there. */
  constructor(
    readonly kind: keyof typeof inUse,
    known: ReadonlyMap<string, string>,
    readonly isOn: (row: SourceRow) => boolean,
  ) {
    this.#off = new Map(known);
  }

  /** Takes rows that the source has. */
  see(rows: readonly SourceRow[]): void {
    for (const row of rows) if (this.isOn(row)) this.#off.delete(text(row, "id"));
  }

  async tell({ client, report }: Pick<ImportContext, "client" | "report">): Promise<void> {
    const { rows } = await client.query<{ id: string }>(inUse[this.kind], [
      [...this.#off.values()],
    ]);
    const working = new Set(rows.map(({ id }) => id));
    for (const [theirs, ours] of this.#off)
      if (working.has(ours)) report.remark(this.kind, theirs, reasons[this.kind]);
  }
}

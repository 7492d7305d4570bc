import { noteMoved } from "../commands/note-moved";
import { NAME_LENGTH_MAX } from "../contract/limits";
import { isShownText } from "../contract/shown-rule";
import { newId } from "../crypto/ids";
import { transact } from "../db/transaction";
import { formatPoints, MICROPOINTS_MAX, type Micropoints } from "../money/points";
import { hashVoucherCode } from "../topup/voucher-code";
import { readMoved, rememberMoved } from "./book";
import type { ImportContext } from "./context";
import { pointsOfQuota } from "./rate";
import { isDeleted, moment, type SourceRow, text, whole } from "./sources/source";
import { StillOn } from "./still-on";

interface MovedVoucher {
  readonly id: string;
  readonly foreignId: string;
  readonly name: string;
  readonly hash: Uint8Array;
  readonly quota: bigint;
  readonly points: Micropoints;
  readonly expiresAt: Date | null;
}

const OPEN = "1";
const CODE_LENGTH_MIN = 16;

/** A text says why not. */
function voucherInput(row: SourceRow, { source }: ImportContext): MovedVoucher | string {
  const [code, quota] = [text(row, "key").trim(), whole(row, "quota")];
  const expiresAt = moment(row, "expired_time");
  const points = pointsOfQuota(quota, source.quotaPerPoint);
  if (isDeleted(row)) return "was deleted there";
  if (text(row, "status") !== OPEN) return "is redeemed or disabled there";
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) return "has expired";
  if (!/^[0-9A-Za-z-]+$/.test(code) || code.length < CODE_LENGTH_MIN)
    return `its code is not ${CODE_LENGTH_MIN} or more letters and digits`;
  if (points < 1n || points > MICROPOINTS_MAX) return `its quota ${quota} is no amount of points`;
  const name = text(row, "name").trim();
  return {
    id: newId("voucher"),
    foreignId: text(row, "id"),
    name: isShownText(name) && name !== "" ? name.slice(0, NAME_LENGTH_MAX) : source.name,
    hash: hashVoucherCode(code),
    quota,
    points,
    expiresAt,
  };
}

const termsOf = ({ name, points, expiresAt }: MovedVoucher) =>
  JSON.stringify([name, points.toString(), expiresAt]);

/** A batch of ours has one name, one worth and one end. */
async function writeVouchers(
  { client, source, actor }: ImportContext,
  vouchers: readonly MovedVoucher[],
): Promise<void> {
  const batches = new Map<string, MovedVoucher[]>();
  for (const voucher of vouchers) {
    const terms = termsOf(voucher);
    const batch = batches.get(terms);
    if (batch === undefined) batches.set(terms, [voucher]);
    else batch.push(voucher);
  }
  for (const batch of batches.values()) {
    const [first] = batch;
    if (first === undefined) continue;
    const { name, points, expiresAt } = first;
    const batchId = newId("voucherBatch");
    await client.query(
      "insert into voucher_batch (id, name, points, count, expires_at, created_by) values ($1, $2, $3, $4, $5, $6)",
      [batchId, name, points, batch.length, expiresAt, actor],
    );
    await client.query(
      `insert into voucher (id, batch_id, code_hash, points, expires_at)
       select id, $3, hash, $4, $5 from unnest($1::text[], $2::bytea[]) v(id, hash)`,
      [
        batch.map(({ id }) => id),
        batch.map(({ hash }) => Buffer.from(hash)),
        batchId,
        points,
        expiresAt,
      ],
    );
  }
  const rows = vouchers.map(({ foreignId, id }) => ({ foreignId, targetId: id }));
  await rememberMoved(client, source.name, "voucher", rows);
  const points = formatPoints(vouchers.reduce((sum, each) => sum + each.points, 0n));
  const told = { source: source.name, what: "vouchers", count: vouchers.length, points };
  await noteMoved(client, actor, told);
}

/** Those that have no such code here yet, each once. */
async function withNewCodes(context: ImportContext, vouchers: readonly MovedVoucher[]) {
  const { client, report } = context;
  const { rows } = await client.query<{ hash: Buffer }>(
    "select code_hash as hash from voucher where code_hash = any($1::bytea[])",
    [vouchers.map(({ hash }) => Buffer.from(hash))],
  );
  const there = new Set(rows.map(({ hash }) => hash.toString("hex")));
  return vouchers.filter(({ hash, foreignId, name }) => {
    const code = Buffer.from(hash).toString("hex");
    const isNew = !there.has(code);
    there.add(code);
    if (!isNew)
      report.leave("vouchers", `${foreignId} ${name}`, "there is such a code here already");
    return isNew;
  });
}

const isVoucherOn = (row: SourceRow) => !isDeleted(row) && text(row, "status") === OPEN;

/** Takes over the codes that can still be redeemed, of which only the hashes are stored. */
export async function moveVouchers(context: ImportContext): Promise<void> {
  const { client, from, report, source, isDry } = context;
  const known = await readMoved(client, source.name, "voucher");
  const stillOn = new StillOn("vouchers", known, isVoucherOn);
  for await (const rows of from.rows("redemptions")) {
    stillOn.see(rows);
    report.counts.vouchers.found += rows.length;
    const fresh = rows.filter((row) => !known.has(text(row, "id")));
    report.counts.vouchers.known += rows.length - fresh.length;
    const wanted = fresh.flatMap((row) => {
      const voucher = voucherInput(row, context);
      if (typeof voucher !== "string") return [voucher];
      report.leave("vouchers", `${text(row, "id")} ${text(row, "name")}`, voucher);
      return [];
    });
    const vouchers = await withNewCodes(context, wanted);
    if (!isDry && vouchers.length > 0)
      await transact(client, () => writeVouchers(context, vouchers));
    for (const { quota, points } of vouchers) report.took("vouchers", { quota, points });
    report.progress("vouchers");
  }
  await stillOn.tell(context);
}

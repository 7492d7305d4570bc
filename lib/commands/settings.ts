import { createHash } from "node:crypto";
import { type AuditFields, recordAction } from "../accounts/actions";
import { assertMaySet } from "../accounts/actor-rules";
import { NOTICE_LENGTH_MAX } from "../contract/limits";
import type { NoticeLevel } from "../contract/states";
import { newId } from "../crypto/ids";
import type { Notice as NoticeRow, Prisma } from "../db/generated/client";
import { inDatabaseTransaction } from "../db/transaction";
import { invalidValue, RelayError } from "../failures/relay-error";
import { assertAllowed, settingName } from "../live-settings/setting-list";
import { cleanText } from "./clean-text";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "database">;

const RECORDED_MAX = 1000;

/** A value as the audit log has it: of a page or an image its length and its SHA-256. */
function recorded(value: Prisma.JsonValue): Prisma.JsonValue {
  if (typeof value !== "string" || value.length <= RECORDED_MAX) return value;
  const hash = createHash("sha256").update(value).digest("hex");
  return `${value.length} characters, sha256:${hash}`;
}

/**
 * Sets a setting, which applies in every process within 5 s. Null removes the value from the
 * database. Rejects with `not_found`, `invalid_value` or `scope_missing`.
 */
export async function setLiveSetting(
  { database }: Deps,
  actor: string,
  input: { name: string; value: string | null },
): Promise<void> {
  const { value } = input;
  const name = settingName(input.name);
  if (value !== null) assertAllowed(name, value);
  await inDatabaseTransaction(database, async (transaction) => {
    await assertMaySet(transaction, actor, name);
    const before = (await transaction.liveSetting.findUnique({ where: { name } }))?.value ?? null;
    if (value === null) await transaction.liveSetting.deleteMany({ where: { name } });
    else {
      const data = { value, updatedAt: new Date(), updatedBy: actor };
      await transaction.liveSetting.upsert({
        where: { name },
        create: { name, ...data },
        update: data,
      });
    }
    const action = value === null ? "setting.unset" : "setting.set";
    await recordAction(transaction, actor, action, name, {
      detail: { before: recorded(before), after: recorded(value) },
    });
  });
}

interface NewNotice {
  readonly level: NoticeLevel;
  readonly textEn: string;
  readonly textZh: string;
  /** Null for now. */
  readonly startsAt: Date | null;
  /** Null for no planned end. */
  readonly endsAt: Date | null;
}

const told = ({ level, textEn, textZh, startsAt, endsAt }: NoticeRow): AuditFields => ({
  level,
  textEn,
  textZh,
  startsAt: startsAt.toISOString(),
  endsAt: endsAt?.toISOString() ?? null,
});

/** Posts a notice to everyone, as plain text on the pages. Rejects with `invalid_value`. */
export async function postNotice(
  { database }: Deps,
  actor: string,
  notice: NewNotice,
): Promise<NoticeRow> {
  const now = new Date();
  const startsAt = notice.startsAt ?? now;
  if (notice.endsAt !== null && (notice.endsAt <= startsAt || notice.endsAt <= now)) {
    throw invalidValue("ends_at", "A notice must end in the future, and after it begins.");
  }
  const data = {
    id: newId("notice"),
    level: notice.level,
    textEn: cleanText("text_en", notice.textEn, NOTICE_LENGTH_MAX),
    textZh: cleanText("text_zh", notice.textZh, NOTICE_LENGTH_MAX),
    startsAt,
    endsAt: notice.endsAt,
    createdBy: actor,
  };
  return inDatabaseTransaction(database, async (transaction) => {
    const posted = await transaction.notice.create({ data });
    await recordAction(transaction, actor, "notice.post", posted.id, {
      detail: { after: told(posted) },
    });
    return posted;
  });
}

/** Ends a notice now; one that has ended stays unchanged. Rejects with `not_found`. */
export function endNotice(
  { database }: Deps,
  actor: string,
  { id }: { id: string },
): Promise<NoticeRow> {
  return inDatabaseTransaction(database, async (transaction) => {
    const before = await transaction.notice.findUnique({ where: { id } });
    if (before === null)
      throw new RelayError("not_found", { message: `There is no notice ${id}.` });
    const now = new Date();
    if (before.endsAt !== null && before.endsAt <= now) return before;
    const endsAt = before.startsAt > now ? before.startsAt : now;
    const after = await transaction.notice.update({ where: { id }, data: { endsAt } });
    await recordAction(transaction, actor, "notice.end", id, {
      detail: { before: told(before), after: told(after) },
    });
    return after;
  });
}

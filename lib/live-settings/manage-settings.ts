import { recordAction } from "../accounts/actions";
import { NOTICE_LENGTH_MAX } from "../contract/limits";
import type { NoticeLevel } from "../contract/states";
import type { Database } from "../db/client";
import type { Notice as NoticeRow } from "../db/generated/client";
import { RelayError } from "../errors";
import { newId } from "../ids";
import { assertAllowed, settingName } from "./setting-list";

const valueIn = async (database: Database, name: string) => (await database.liveSetting.findUnique({ where: { name } }))?.value ?? null;

/** Sets a setting, in force in every process within 5 s; null: as if never set here. Rejects with `not_found` or `invalid_value`. */
export async function setLiveSetting(database: Database, given: string, value: string | null, actor: string): Promise<void> {
  const name = settingName(given);
  if (value !== null) assertAllowed(name, value);
  const before = await valueIn(database, name);
  if (value === null) await database.liveSetting.deleteMany({ where: { name } });
  else {
    const data = { value, updatedAt: new Date(), updatedBy: actor };
    await database.liveSetting.upsert({ where: { name }, create: { name, ...data }, update: data });
  }
  const action = value === null ? "setting.unset" : "setting.set";
  await recordAction(database, { actor, action, subject: name, detail: { before, after: value } });
}

export interface NewNotice {
  readonly level: NoticeLevel;
  readonly textEn: string;
  readonly textZh: string;
  /** Null: from now on. */
  readonly startsAt: Date | null;
  /** Null: until it is ended. */
  readonly endsAt: Date | null;
}

function cleanText(param: string, text: string): string {
  const clean = text.replace(/\s+/g, " ").trim();
  if (clean.length >= 1 && clean.length <= NOTICE_LENGTH_MAX && !/\p{Cc}/u.test(clean)) return clean;
  const message = `${param} has ${clean.length} characters: it must have 1 to ${NOTICE_LENGTH_MAX}.`;
  throw new RelayError("invalid_value", { param, message });
}

const told = ({ level, textEn, textZh, startsAt, endsAt }: NoticeRow) => ({
  level,
  textEn,
  textZh,
  startsAt: startsAt.toISOString(),
  endsAt: endsAt?.toISOString() ?? null,
});

/** Tells everyone something on the pages, as plain text. Rejects with `invalid_value`. */
export async function postNotice(database: Database, notice: NewNotice, actor: string): Promise<NoticeRow> {
  const now = new Date();
  const startsAt = notice.startsAt ?? now;
  if (notice.endsAt !== null && (notice.endsAt <= startsAt || notice.endsAt <= now)) {
    throw new RelayError("invalid_value", { param: "ends_at", message: "A notice ends at a moment to come, after it began." });
  }
  const data = {
    id: newId("notice"),
    level: notice.level,
    textEn: cleanText("text_en", notice.textEn),
    textZh: cleanText("text_zh", notice.textZh),
    startsAt,
    endsAt: notice.endsAt,
    createdBy: actor,
  };
  const posted = await database.notice.create({ data });
  await recordAction(database, { actor, action: "notice.post", subject: posted.id, detail: { after: told(posted) } });
  return posted;
}

/** Takes a notice away now; one that has ended stays as it is. Rejects with `not_found`. */
export async function endNotice(database: Database, id: string, actor: string): Promise<NoticeRow> {
  const before = await database.notice.findUnique({ where: { id } });
  if (before === null) throw new RelayError("not_found", { message: `There is no notice ${id}.` });
  const now = new Date();
  if (before.endsAt !== null && before.endsAt <= now) return before;
  const endsAt = before.startsAt > now ? before.startsAt : now;
  const after = await database.notice.update({ where: { id }, data: { endsAt } });
  await recordAction(database, { actor, action: "notice.end", subject: id, detail: { before: told(before), after: told(after) } });
  return after;
}

/** The newest first, ended ones too. */
export function listNotices(database: Database): Promise<NoticeRow[]> {
  return database.notice.findMany({ orderBy: { id: "desc" }, take: 50 });
}

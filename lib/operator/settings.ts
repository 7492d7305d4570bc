import type { z } from "zod";
import { endNotice, postNotice, setLiveSetting } from "../commands/settings";
import type { operatorSettingsResponse, postNoticeRequest, setSettingRequest } from "../contract/operator-settings";
import { listNotices } from "../live-settings/list-notices";
import { readEffectiveSettings } from "../live-settings/live-settings";
import type { Call } from "../site/call";
import { actorNames } from "./actor-names";

type View = z.input<typeof operatorSettingsResponse>;

function stateOf({ startsAt, endsAt }: { startsAt: Date; endsAt: Date | null }): View["notices"][number]["state"] {
  const now = Date.now();
  if (endsAt !== null && endsAt.getTime() <= now) return "ended";
  return startsAt.getTime() > now ? "coming" : "shown";
}

/** Straight from the database, so that a change shows at once. */
export async function showOperatorSettings({ parts }: Call): Promise<View> {
  const { pool, database } = parts;
  const [settings, rows, notices] = await Promise.all([
    readEffectiveSettings(pool, parts.live.environment),
    database.liveSetting.findMany(),
    listNotices(database),
  ]);
  const nameOf = await actorNames(
    database,
    rows.map(({ updatedBy }) => updatedBy),
  );
  return {
    settings: settings.map((setting) => {
      const row = setting.source === "here" ? rows.find(({ name }) => name === setting.name) : undefined;
      return { ...setting, updatedAt: row?.updatedAt.toISOString() ?? null, updatedBy: row ? nameOf(row.updatedBy) : null };
    }),
    notices: notices.map((notice) => ({
      id: notice.id,
      level: notice.level === "warning" ? "warning" : "info",
      textEn: notice.textEn,
      textZh: notice.textZh,
      startsAt: notice.startsAt.toISOString(),
      endsAt: notice.endsAt?.toISOString() ?? null,
      state: stateOf(notice),
    })),
  };
}

export async function setOneSetting(call: Call<z.output<typeof setSettingRequest>>) {
  const { parts, body, user } = call;
  await setLiveSetting(parts, user().userId, body);
  return showOperatorSettings(call);
}

const momentOf = (text: string | null) => (text === null ? null : new Date(text));

export async function postOneNotice(call: Call<z.output<typeof postNoticeRequest>>) {
  const { parts, body, user } = call;
  const notice = { ...body, startsAt: momentOf(body.startsAt), endsAt: momentOf(body.endsAt) };
  await postNotice(parts, user().userId, notice);
  return showOperatorSettings(call);
}

export async function endOneNotice(call: Call) {
  const { parts, id, user } = call;
  await endNotice(parts, user().userId, { id });
  return showOperatorSettings(call);
}

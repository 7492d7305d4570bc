import { endNotice, postNotice, setLiveSetting } from "@/lib/commands/settings";
import { type NoticeLevel, noticeLevels } from "@/lib/contract/states";
import { readEffectiveSettings } from "@/lib/live-settings/live-settings";
import { listNotices } from "@/lib/queries/notices";
import { actor, type Command, UsageError } from "./command";
import type { OpenInstallation } from "./open";
import { table } from "./table";

async function list({ pool, environment }: OpenInstallation) {
  const settings = (await readEffectiveSettings(pool, environment)).map(
    ({ name, value, source, otherwise }) => ({
      name,
      value,
      source,
      otherwise,
    }),
  );
  return { json: { settings }, text: table(settings) };
}

export const settingCommands = {
  list: { usage: "", options: {}, run: list },
  set: {
    usage: "--name N --value V   (takes effect in every process within 5 s)",
    options: { name: "string", value: "string" },
    async run(installation, flags) {
      await setLiveSetting(installation, actor, {
        name: flags.text("name"),
        value: flags.text("value"),
      });
      return list(installation);
    },
  },
  unset: {
    usage: "--name N",
    options: { name: "string" },
    async run(installation, flags) {
      await setLiveSetting(installation, actor, { name: flags.text("name"), value: null });
      return list(installation);
    },
  },
} satisfies Record<string, Command>;

async function notices({ database }: OpenInstallation) {
  const shown = (await listNotices(database)).map((notice) => ({
    id: notice.id,
    level: notice.level,
    starts_at: notice.startsAt.toISOString(),
    ends_at: notice.endsAt?.toISOString() ?? null,
    en: notice.textEn,
    zh: notice.textZh,
  }));
  return { json: { notices: shown }, text: table(shown) };
}

function readLevel(text: string): NoticeLevel {
  const level = noticeLevels.find((each) => each === text);
  if (level !== undefined) return level;
  throw new UsageError(`--level ${text} is not one of ${noticeLevels.join(", ")}`);
}

export const noticeCommands = {
  list: { usage: "", options: {}, run: notices },
  post: {
    usage: "--en TEXT --zh TEXT [--level info|warning] [--from ISO] [--to ISO]",
    options: { en: "string", zh: "string", level: "string", from: "string", to: "string" },
    async run(installation, flags) {
      await postNotice(installation, actor, {
        level: readLevel(flags.optional("level") ?? "info"),
        textEn: flags.text("en"),
        textZh: flags.text("zh"),
        startsAt: flags.moment("from"),
        endsAt: flags.moment("to"),
      });
      return notices(installation);
    },
  },
  end: {
    usage: "--id N",
    options: { id: "string" },
    async run(installation, flags) {
      await endNotice(installation, actor, { id: flags.text("id") });
      return notices(installation);
    },
  },
} satisfies Record<string, Command>;

import type pg from "pg";
import type { LiveSettingName, NoticeLevel } from "../contract/states";
import type { Changes } from "../db/changes";
import { oneReadAtATime } from "../db/one-read";
import type { Reader } from "../db/pool";
import { type EffectiveSetting, type Environment, effectiveSettings } from "./effective";

interface Notice {
  readonly id: string;
  readonly level: NoticeLevel;
  readonly textEn: string;
  readonly textZh: string;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
}

export interface LiveSettings {
  /** The effective value, from memory. */
  value(name: LiveSettingName): string;
  list(): readonly EffectiveSetting[];
  /** The environment that the process was started with. */
  readonly environment: Environment;
  /** The notices that are shown now, the newest first. */
  notices(): readonly Notice[];
}

/** What a query needs of them; the command line has it as of its start. */
export type LiveValues = Pick<LiveSettings, "value" | "environment">;

interface NoticeRow {
  readonly id: string;
  readonly level: Notice["level"];
  readonly text_en: string;
  readonly text_zh: string;
  readonly starts_at: Date;
  readonly ends_at: Date | null;
}

const NOTICES_MAX = 20;

async function readHere(pool: Reader): Promise<Map<string, unknown>> {
  const { rows } = await pool.query<{ name: string; value: unknown }>(
    "select name, value from live_setting",
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** The effective settings, read from the database. Rejects when it does not answer. */
export async function readEffectiveSettings(
  pool: Reader,
  environment: Environment,
): Promise<EffectiveSetting[]> {
  return effectiveSettings(await readHere(pool), environment);
}

async function readNotices(pool: Reader): Promise<Notice[]> {
  const { rows } = await pool.query<NoticeRow>(
    `select id, level, text_en, text_zh, starts_at, ends_at from notice where ends_at is null or ends_at > now() order by starts_at desc, id desc limit ${NOTICES_MAX}`,
  );
  return rows.map((row) => ({
    id: row.id,
    level: row.level,
    textEn: row.text_en,
    textZh: row.text_zh,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
  }));
}

/**
 * The settings in memory. They are read again on each change and every 3 s; when a read fails, the
 * last known ones stay. Rejects if the first read fails.
 */
export async function createLiveSettings(options: {
  pool: pg.Pool;
  changes: Changes;
  environment: Environment;
}): Promise<LiveSettings & { close(): void }> {
  const { pool, changes, environment } = options;
  let current: readonly EffectiveSetting[] = [];
  let notices: readonly Notice[] = [];

  const reload = oneReadAtATime(async () => {
    const [settings, posted] = await Promise.all([
      readEffectiveSettings(pool, environment),
      readNotices(pool),
    ]);
    current = settings;
    notices = posted;
  });

  const again = () => void reload().catch(() => {});
  const ends = [
    changes.subscribe("live_setting", again),
    changes.subscribe("notice", (id) => (id === null ? undefined : again())),
  ];
  await reload();
  return {
    value(name) {
      const found = current.find((setting) => setting.name === name);
      if (found === undefined) throw new Error(`There is no setting ${name}.`);
      return found.value;
    },
    list: () => current,
    environment,
    notices() {
      const now = Date.now();
      return notices.filter(
        ({ startsAt, endsAt }) =>
          startsAt.getTime() <= now && (endsAt === null || endsAt.getTime() > now),
      );
    },
    close() {
      for (const end of ends) end();
    },
  };
}

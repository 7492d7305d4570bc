import type pg from "pg";
import { replaceVirtualModels } from "../catalog/virtual-models";
import { replaceBrandNames } from "../contract/brand";
import { type LiveSettingName, liveSettingNames } from "../contract/setting-names";
import type { NoticeLevel } from "../contract/states";
import { readVirtualModels } from "../contract/virtual-rules";
import type { Changes } from "../db/changes";
import { oneReadAtATime } from "../db/one-read";
import type { Reader } from "../db/pool";
import { brandNamesOf } from "./brand-texts";
import {
  type EffectiveSetting,
  type Environment,
  effectiveSettings,
  type StoredValues,
} from "./effective";

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

/**
 * The effective settings of these names, read from the database. Rejects when it does not answer.
 */
export async function readEffectiveSettings(
  pool: Reader,
  environment: Environment,
  names: readonly LiveSettingName[] = liveSettingNames,
): Promise<EffectiveSetting[]> {
  const { rows } = await pool.query<{ name: string; value: unknown }>(
    "select name, value from live_setting where name = any($1)",
    [names],
  );
  const stored = new Map(rows.map(({ name, value }) => [name, value]));
  return effectiveSettings(stored, environment, names);
}

/** Reads only the values that were written since its last read: a logo is not sent every 3 s. */
function changedReader(pool: Reader): () => Promise<StoredValues> {
  let known: ReadonlyMap<string, { version: string; value: unknown }> = new Map();
  return async () => {
    const { rows } = await pool.query<{ name: string; version: string; value: unknown }>(
      `select s.name, s.xmin::text as version, case when k.name is null then s.value end as value
      from live_setting s
      left join unnest($1::text[], $2::text[]) k (name, version) on k.name = s.name and k.version = s.xmin::text`,
      [[...known.keys()], [...known.values()].map(({ version }) => version)],
    );
    const next = rows.map((row) => {
      const before = known.get(row.name);
      return before?.version === row.version
        ? ([row.name, before] as const)
        : ([row.name, row] as const);
    });
    known = new Map(next);
    return new Map(next.map(([name, { value }]) => [name, value]));
  };
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

  const readChanged = changedReader(pool);
  const value = (name: LiveSettingName): string => {
    const found = current.find((setting) => setting.name === name);
    if (found === undefined) throw new Error(`There is no setting ${name}.`);
    return found.value;
  };

  const reload = oneReadAtATime(async () => {
    const [stored, posted] = await Promise.all([readChanged(), readNotices(pool)]);
    current = effectiveSettings(stored, environment);
    notices = posted;
    replaceBrandNames(brandNamesOf(value));
    const virtual = readVirtualModels(value("virtual_models"));
    if (typeof virtual !== "string") replaceVirtualModels(virtual);
  });

  const again = () => void reload().catch(() => {});
  const ends = [
    changes.subscribe("live_setting", again),
    changes.subscribe("notice", (id) => (id === null ? undefined : again())),
  ];
  await reload();
  return {
    value,
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

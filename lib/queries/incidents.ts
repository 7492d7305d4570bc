/** What operators told everyone about trouble. Read-only. */

import type { z } from "zod";
import type { IncidentView } from "../contract/incidents";
import type { incidentEndpoints } from "../contract/operator-incidents";
import { statusPageRules } from "../contract/states";
import type { Reader } from "../db/pool";
import type { QueryDeps } from "./query-deps";

/** The status page and its feed show this many, and those of this many days. */
const SHOWN_MAX = 30;
const SHOWN_DAYS = 90;
/** The operators' page shows this many, of any age. */
const LISTED_MAX = 100;

const timeSql = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Those that go on come first, then the newest. */
const sql = (condition: string) => `
  select i.id, i.title_en as "titleEn", i.title_zh as "titleZh", i.models, ${timeSql("i.began_at")} as "beganAt",
         ${timeSql("i.resolved_at")} as "resolvedAt",
         (select json_agg(json_build_object('number', u.number, 'state', u.state, 'textEn', u.text_en, 'textZh', u.text_zh,
                                            'at', ${timeSql("u.created_at")}) order by u.number desc)
            from incident_update u where u.incident_id = i.id) as updates
    from incident i where ${condition} order by i.resolved_at is null desc, i.began_at desc, i.id desc limit $1`;

/** Those that go on, and the last ones of 90 days. */
export async function readIncidents(pool: Reader): Promise<IncidentView[]> {
  const condition = `i.resolved_at is null or i.began_at >= now() - interval '${SHOWN_DAYS} days'`;
  return (await pool.query<IncidentView>(sql(condition), [SHOWN_MAX])).rows;
}

export async function listIncidents(pool: Reader): Promise<IncidentView[]> {
  return (await pool.query<IncidentView>(sql("true"), [LISTED_MAX])).rows;
}

type View = z.input<(typeof incidentEndpoints)["listIncidents"]["answer"]>;

/** For the operators' page. */
export async function showIncidents({
  pool,
  live,
}: Pick<QueryDeps, "pool" | "live">): Promise<View> {
  const rule = live.value("status_page");
  return {
    shownTo: statusPageRules.find((each) => each === rule) ?? "operators",
    incidents: await listIncidents(pool),
  };
}

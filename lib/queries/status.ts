/** What public pages show of the models' figures and of incidents, kept in memory for a while. */
import type { Reader } from "../db/pool";
import { cached } from "./cached";
import { readIncidents } from "./incidents";
import { lastDays, lastWeek, readLastHour, readModelFigures } from "./model-figures";

const FIGURES_MS = 60_000;
const LAST_HOUR_MS = 15_000;
/** An incident shows within these, in every process. */
const INCIDENTS_MS = 3000;
/** A page does not wait longer. */
const WAIT_MS = 500;

export const keepStatus = (pool: Reader) => ({
  modelFigures: cached(() => readModelFigures(pool, lastWeek), {
    forMs: 5 * FIGURES_MS,
    waitMs: WAIT_MS,
  }),
  statusFigures: cached(() => readModelFigures(pool, lastDays), {
    forMs: FIGURES_MS,
    waitMs: WAIT_MS,
  }),
  lastHour: cached(() => readLastHour(pool), { forMs: LAST_HOUR_MS, waitMs: WAIT_MS }),
  incidents: cached(() => readIncidents(pool), { forMs: INCIDENTS_MS, waitMs: WAIT_MS }),
});

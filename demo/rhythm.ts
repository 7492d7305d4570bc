/** When the people of the demo order something. */
import type { Habit, KeyPlan, Person, Rhythm } from "./people";
import type { Random } from "./random";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** How many days the history has. */
export const HISTORY_DAYS = 92;

/** A time of the day (UTC) some days before the end's day. */
export const momentOf = (end: number, daysAgo: number, hour: number): number =>
  Math.floor((end - daysAgo * DAY) / DAY) * DAY + hour * HOUR;

/** When a user signs up. */
export const joinedAt = (end: number, { joinedDaysAgo, timeZone }: Person): number =>
  momentOf(end, joinedDaysAgo, 11 - timeZone / 2);

/** When a key is created. */
export function keyMadeAt(end: number, person: Person, key: KeyPlan): number {
  const order = person.keys.indexOf(key);
  return key.madeDaysAgo === undefined
    ? joinedAt(end, person) + (order + 1) * 7 * MINUTE
    : momentOf(end, key.madeDaysAgo, 12 - person.timeZone / 2);
}

/** When a key ends: revoked or expired; never otherwise. */
function keyEndsAt(end: number, key: KeyPlan): number {
  const days = key.revokedDaysAgo ?? key.expiresDaysAgo;
  return days === undefined ? Number.POSITIVE_INFINITY : momentOf(end, days, 12);
}

/** The hours of a local day, by how much is ordered in them; and the share of it at weekends. */
const rhythms: Readonly<Record<Rhythm, { hours: readonly number[]; weekend: number }>> = {
  office: {
    hours: [0, 0, 0, 0, 0, 0, 0.2, 1, 4, 8, 9, 8, 5, 6, 9, 9, 8, 5, 3, 2, 1, 1, 0.5, 0.2],
    weekend: 0.15,
  },
  always: {
    hours: [2, 1, 1, 1, 1, 1, 2, 3, 5, 7, 8, 8, 7, 7, 8, 8, 7, 7, 6, 6, 5, 5, 4, 3],
    weekend: 0.7,
  },
  evening: {
    hours: [1, 0.4, 0, 0, 0, 0, 0, 0.2, 0.5, 1, 1, 1, 2, 1, 1, 1, 2, 3, 5, 8, 9, 8, 6, 3],
    weekend: 1.4,
  },
  night: {
    hours: [4, 9, 9, 6, 2, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 2],
    weekend: 0.6,
  },
  lessons: {
    hours: [0, 0, 0, 0, 0, 0, 0, 1, 3, 3, 3, 3, 2, 3, 5, 8, 9, 8, 7, 8, 8, 5, 2, 0.5],
    weekend: 0.45,
  },
};

const shareOf = (rhythm: Rhythm, hour: number): number => {
  const { hours } = rhythms[rhythm];
  return (hours[hour] ?? 0) / hours.reduce((sum, weight) => sum + weight, 0);
};

/** More is ordered from month to month. */
const growthAt = (end: number, time: number): number =>
  1.1 - 0.5 * Math.min(1, (end - time) / (HISTORY_DAYS * DAY));

/** From when and until when a habit can order. */
function spanOf(end: number, person: Person, habit: Habit): readonly [from: number, to: number] {
  const key = person.keys.find(({ name }) => name === habit.key);
  const from = key === undefined ? joinedAt(end, person) : keyMadeAt(end, person, key);
  const left = person.leftDaysAgo === undefined ? end : momentOf(end, person.leftDaysAgo, 9);
  return [from + HOUR / 2, Math.min(end, left, key === undefined ? end : keyEndsAt(end, key))];
}

/** The times at which a habit orders, in order. */
export function timesOf(
  end: number,
  person: Person,
  habit: Habit,
  scale: number,
  random: Random,
): number[] {
  const [from, to] = spanOf(end, person, habit);
  const { weekend } = rhythms[habit.rhythm];
  const times: number[] = [];
  let dayFactor = 1;
  for (let hour = Math.floor(from / HOUR) * HOUR; hour < to; hour += HOUR) {
    const local = new Date(hour + person.timeZone * HOUR);
    if (local.getUTCHours() === 0) dayFactor = random.around(1, 0.18);
    const isWeekend = [0, 6].includes(local.getUTCDay());
    const mean =
      habit.perDay *
      scale *
      growthAt(end, hour) *
      dayFactor *
      (isWeekend ? weekend : 1) *
      shareOf(habit.rhythm, local.getUTCHours());
    const inHour = Array.from({ length: random.count(mean) }, () =>
      Math.floor(hour + random.next() * HOUR),
    );
    times.push(...inHour.filter((time) => time >= from && time < to).sort((a, b) => a - b));
  }
  return times;
}

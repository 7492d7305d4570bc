import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { connect } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { channelTimes } from "./business/channels";
import { joinedAt, keyEndsAt, keyMadeAt, people } from "./people";
import { habitsAt } from "./plan";
import { planRequests } from "./requests";
import { DAY, HOUR, startOf } from "./times";

/** Every day of four weeks, each at another hour. */
const today = Math.floor(Date.now() / DAY) * DAY;
const ends = Array.from(
  { length: 28 },
  (_, day) => today + day * DAY + ((day * 7) % 24) * HOUR + 1,
);

interface Planned {
  readonly email: string;
  readonly key: string | null;
  readonly channel: string;
  readonly at: Date;
  readonly ended_at: Date | null;
}

const owner = await opened(connect(await createTestDatabase()));
await owner.query("create schema past");
await owner.query(readFileSync(join(import.meta.dirname, "requests.sql"), "utf8"));

async function plan(end: number, scale = 0.02, seed = "test"): Promise<Planned[]> {
  await owner.query("truncate past.planned");
  await planRequests({ owner }, { seed, scale, end });
  const { rows } = await owner.query<Planned>(
    "select email, key, channel, at, ended_at, output_tokens from past.planned order by at, noise",
  );
  return rows;
}

/** From when on what a request names is there, and until when. */
function spanOf(
  end: number,
  { email, key, channel }: Pick<Planned, "email" | "key" | "channel">,
): readonly [number, number] {
  const person = people.find((each) => each.email === email);
  if (person === undefined) throw new Error(`the demo has no person ${email}`);
  const planned = person.keys.find(({ name }) => name === key);
  if (key !== null && planned === undefined) throw new Error(`${email} has no key ${key}`);
  const made = planned === undefined ? joinedAt(end, person) : keyMadeAt(end, person, planned);
  const ends = planned === undefined ? end : Math.min(end, keyEndsAt(end, planned));
  const channelMade = channelTimes(end).get(channel) ?? Number.POSITIVE_INFINITY;
  return [Math.max(startOf(end), joinedAt(end, person), made, channelMade), ends];
}

const channelsOf = { text: ["Harbor Text", "Meridian Text"], other: ["Northlight"] };

test("on each day of four weeks, nobody orders before there are prices, channels and keys", () => {
  for (const end of ends)
    for (const { person, habit, from } of habitsAt(end))
      for (const channel of channelsOf[habit.family === "text" ? "text" : "other"]) {
        const ordered = { email: person.email, key: habit.key, channel };
        const who = `${person.email} ${habit.key} ${new Date(end).toISOString()}`;
        expect(from, who).toBeGreaterThan(spanOf(end, ordered)[0]);
      }
});

test("on each day of four weeks, what each drawn request names is there", async () => {
  for (const end of ends) {
    const planned = await plan(end);
    expect(planned.length).toBeGreaterThan(400);
    const early = planned.filter((each) => {
      const [from, until] = spanOf(end, each);
      return each.at.getTime() <= from || each.at.getTime() >= until;
    });
    expect(early, new Date(end).toISOString()).toEqual([]);
    const late = planned.filter(({ ended_at }) => ended_at !== null && ended_at.getTime() >= end);
    expect(late, new Date(end).toISOString()).toEqual([]);
  }
});

test("the same seed plans the same orders, another one others", async () => {
  const [end = 0] = ends;
  const one = await plan(end, 0.02, "one");
  expect(await plan(end, 0.02, "one")).toEqual(one);
  expect(await plan(end, 0.02, "two")).not.toEqual(one);
});

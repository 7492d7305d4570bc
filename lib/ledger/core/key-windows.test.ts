/** The days, weeks and months of a key's limits, at any moment and in any zone. */
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { extent } from "@/testing/extent/extent";
import { connect } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";

const client = await opened(connect(await createTestDatabase()));

const windowOf = async (kind: string, zone: string, moment: string) => {
  const { rows } = await client.query<{ starts_at: Date; ends_at: Date }>(
    "select * from ledger_key_window($1, $2, $3)",
    [kind, zone, moment],
  );
  return [rows[0]?.starts_at, rows[0]?.ends_at].map((date) => date?.toISOString().slice(0, 16));
};

test.each([
  // 23 and 25 hours.
  ["day", "Europe/Berlin", "2026-03-29T12:00Z", "2026-03-28T23:00", "2026-03-29T22:00"],
  ["day", "Europe/Berlin", "2026-10-25T00:30Z", "2026-10-24T22:00", "2026-10-25T23:00"],
  // Midnight comes twice: the day begins at the second one.
  ["day", "America/Havana", "2026-11-01T04:30Z", "2026-10-31T04:00", "2026-11-01T05:00"],
  ["day", "America/Havana", "2026-11-01T05:00Z", "2026-11-01T05:00", "2026-11-02T05:00"],
  // Midnight does not come: the day begins after the gap.
  ["day", "Africa/Cairo", "2026-04-23T21:59Z", "2026-04-22T22:00", "2026-04-23T22:00"],
  ["day", "Africa/Cairo", "2026-04-23T22:00Z", "2026-04-23T22:00", "2026-04-24T21:00"],
  ["week", "Asia/Shanghai", "2026-11-22T23:30Z", "2026-11-22T16:00", "2026-11-29T16:00"],
  ["month", "UTC", "2028-02-29T23:59Z", "2028-02-01T00:00", "2028-03-01T00:00"],
  ["month", "UTC", "2026-01-31T12:00Z", "2026-01-01T00:00", "2026-02-01T00:00"],
  ["month", "America/New_York", "2026-03-20T00:00Z", "2026-03-01T05:00", "2026-04-01T04:00"],
  ["month", "Asia/Kathmandu", "2026-12-31T18:15Z", "2026-12-31T18:15", "2027-01-31T18:15"],
  ["tokens", "UTC", "2026-11-23T10:01:59Z", "2026-11-23T10:01", "2026-11-23T10:02"],
])("a %s in %s at %s lasts from %s to %s", async (kind, zone, moment, starts, ends) => {
  expect(await windowOf(kind, zone, moment)).toEqual([starts, ends]);
});

test.each([
  "Europe/Berlin",
  "America/Havana",
  "Africa/Cairo",
  "America/Santiago",
  "Asia/Beirut",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
])(
  "over three years in %s every moment is in one window, and each begins where one ends",
  async (zone) => {
    const { rows } = await client.query(
      `select kind, t from unnest(array['day', 'week', 'month']) kind,
       generate_series(timestamptz '2026-01-01', '2029-01-01', $2::interval) t, ledger_key_window(kind, $1, t) w
      where not (w.starts_at <= t and t < w.ends_at)
         or (select n.starts_at from ledger_key_window(kind, $1, w.ends_at) n) <> w.ends_at
         or (select p.ends_at from ledger_key_window(kind, $1, w.starts_at - interval '1 microsecond') p) <> w.starts_at limit 5`,
      [zone, extent("167 minutes", "47 minutes")],
    );
    expect(rows).toEqual([]);
  },
);

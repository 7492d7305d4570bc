/** Prices, notices, settings and audits: what operators do with the installation. */
import pg from "pg";
import { builtInModels as models } from "@/lib/catalog/built-in";
import { noteUpstreamPrice, setPrice, withdrawPrice } from "@/lib/commands/prices";
import { endNotice, postNotice, setLiveSetting } from "@/lib/commands/settings";
import type { NoticeLevel } from "@/lib/contract/states";
import { runAudit } from "@/lib/ledger/audit-runs";
import { POINT } from "@/lib/price-book/upstream-price";
import { requestedPoints } from "@/lib/requested-points";
import { DAY, HISTORY_DAYS, HOUR, MINUTE, momentOf } from "../rhythm";
import type { Writing } from "../writing";

/** What a point is sold for and what upstreams take, in millionths of a euro. */
const POINT_PRICE = 8900n;
const COST_PERCENT = 62n;

function addCosts(writing: Writing): void {
  const { timeline, given, demo } = writing;
  const note = (subject: string, input: bigint | null, output: bigint) =>
    noteUpstreamPrice(demo, writing.operator, {
      subject,
      price: { currency: "EUR", input, output },
    });
  const costOf = (price: string) =>
    (requestedPoints("price", price) * POINT_PRICE * COST_PERCENT) / 100_000_000n;
  timeline.add(momentOf(given.end, HISTORY_DAYS - 2, 9), async () => {
    await note(POINT, null, POINT_PRICE);
    for (const { id, defaultPrice } of models) {
      const input = defaultPrice.input === undefined ? null : costOf(defaultPrice.input);
      await note(id, input, costOf(defaultPrice.output));
    }
  });
}

function addPrices(writing: Writing): void {
  const { timeline, given, demo } = writing;
  const set = (
    daysAgo: number,
    model: string,
    output: string,
    input: string | undefined,
    fromDaysAgo: number | null,
  ) =>
    timeline.add(momentOf(given.end, daysAgo, 14), async () => {
      const effectiveAt =
        fromDaysAgo === null ? null : new Date(momentOf(given.end, fromDaysAgo, 0));
      const price = {
        output: requestedPoints("output", output),
        input: input === undefined ? undefined : requestedPoints("input", input),
      };
      await setPrice(demo, writing.operator, { model, ...price, effectiveAt });
      await writing.readPrices();
    });
  set(58, "RelayV1", "720", "75", 51);
  set(35, "Super-Relay2.0", "4800", undefined, null);
  set(14, "Super-Relay-Image", "1150", undefined, null);
  set(6, "Super-Relay2.5", "5400", undefined, -6);
  set(5, "RelayV1", "680", "70", -13);
  timeline.add(momentOf(given.end, 5, 15), async () => {
    const mistaken = {
      model: "Super-RelayFast",
      output: requestedPoints("output", "4600"),
      effectiveAt: new Date(momentOf(given.end, -10, 0)),
    };
    const { id } = await setPrice(demo, writing.secondOperator, mistaken);
    timeline.add(demo.clock.now() + 25 * MINUTE, () =>
      withdrawPrice(demo, writing.operator, { id }),
    );
  });
}

interface NoticePlan {
  readonly level: NoticeLevel;
  readonly textEn: string;
  readonly textZh: string;
  readonly postedDaysAgo: number;
  /** Null for at once; negative for a time to come. */
  readonly fromDaysAgo: number | null;
  readonly hours: number;
  /** An operator ends it so long after it was posted. */
  readonly endedAfterHours?: number;
}

const notices: readonly NoticePlan[] = [
  {
    level: "info",
    textEn: "RelayV1 becomes cheaper next week. The price page shows the new price.",
    textZh: "RelayV1 将于下周降价，新价格见价格页。",
    postedDaysAgo: 58,
    fromDaysAgo: null,
    hours: 7 * 24,
  },
  {
    level: "warning",
    textEn: "Some chat requests fail at one of our upstreams. Nothing is charged for them.",
    textZh: "部分对话请求在某个上游失败，失败的请求不收费。",
    postedDaysAgo: 17,
    fromDaysAgo: null,
    hours: 24,
    endedAfterHours: 4,
  },
  {
    level: "info",
    textEn: "Super-Relay2.5 becomes cheaper in six days: 5,400 points per million tokens.",
    textZh: "Super-Relay2.5 六天后降价：每百万 token 5,400 积分。",
    postedDaysAgo: 1,
    fromDaysAgo: null,
    hours: 7 * 24,
  },
  {
    level: "warning",
    textEn: "Maintenance on the database: no requests for about ten minutes.",
    textZh: "数据库维护，约十分钟内无法处理请求。",
    postedDaysAgo: 3,
    fromDaysAgo: -2,
    hours: 1,
  },
];

function addNotice(writing: Writing, notice: NoticePlan): void {
  const { timeline, given, demo } = writing;
  const { level, textEn, textZh, postedDaysAgo, fromDaysAgo, hours, endedAfterHours } = notice;
  const postedAt = momentOf(given.end, postedDaysAgo, 9);
  timeline.add(postedAt, async () => {
    const from = fromDaysAgo === null ? postedAt : momentOf(given.end, fromDaysAgo, 4);
    const times = { startsAt: new Date(from), endsAt: new Date(from + hours * HOUR) };
    const terms = { level, textEn, textZh, ...times };
    const { id } = await postNotice(demo, writing.operator, terms);
    if (endedAfterHours !== undefined)
      timeline.add(postedAt + endedAfterHours * HOUR, () =>
        endNotice(demo, writing.operator, { id }),
      );
  });
}

function addSettings(writing: Writing): void {
  const { timeline, given, demo } = writing;
  const set = (daysAgo: number, name: string, value: string | null) =>
    timeline.add(momentOf(given.end, daysAgo, 11), () =>
      setLiveSetting(demo, writing.operator, { name, value }),
    );
  set(64, "welcome_points", "750");
  set(58, "key_requests_per_minute", "120");
  set(30, "welcome_points", "1000");
  set(29, "welcome_per_domain", "5");
  set(28, "seller_name", "Example Relay Ltd.");
  set(28, "seller_address", "1 Example Street, London, United Kingdom");
  set(28, "seller_tax_number", "GB 123 4567 89");
}

/** Every week in the history, and once at its end. */
function addAudits(writing: Writing): void {
  const { timeline, given, demo } = writing;
  const audit = async (actor: string) => {
    const client = new pg.Client({ connectionString: demo.databaseUrl });
    await client.connect();
    await runAudit(client, actor).finally(() => client.end());
  };
  for (let daysAgo = HISTORY_DAYS - 5; daysAgo > 0; daysAgo -= 7)
    timeline.add(momentOf(given.end, daysAgo, 3), () => audit("system"));
  timeline.add(Math.floor(given.end / DAY) * DAY, () => audit("system"));
}

export function addSite(writing: Writing): void {
  addCosts(writing);
  addPrices(writing);
  for (const notice of notices) addNotice(writing, notice);
  addSettings(writing);
  addAudits(writing);
}

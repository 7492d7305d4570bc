/** Prices, notices, incidents, settings and audits: what operators do with the installation. */
import { builtInModels as models } from "@/lib/catalog/built-in";
import { openIncident, updateIncident } from "@/lib/commands/incidents";
import { createOperatorKey } from "@/lib/commands/operator-keys";
import { setPrice, withdrawPrice } from "@/lib/commands/prices";
import { endNotice, postNotice, setLiveSetting } from "@/lib/commands/settings";
import { noteUpstreamPrice } from "@/lib/commands/upstream-prices";
import { requestedPoints } from "@/lib/money/requested-points";
import { POINT } from "@/lib/price-book/upstream-price";
import { HISTORY_DAYS, HOUR, momentOf } from "../times";
import type { Writing } from "../writing";

/** What a point is sold for and what upstreams take, in millionths of a euro. */
const POINT_PRICE = 8900n;
const COST_PERCENT = 62n;

function addPrices(writing: Writing): void {
  const { given, demo } = writing;
  const note = (subject: string, input: bigint | null, output: bigint) =>
    noteUpstreamPrice(demo, writing.operator, {
      subject,
      price: { currency: "EUR", input, output },
    });
  const costOf = (price: string) =>
    (requestedPoints("price", price) * POINT_PRICE * COST_PERCENT) / 100_000_000n;
  writing.at(HISTORY_DAYS - 2, 9, async () => {
    await note(POINT, null, POINT_PRICE);
    for (const { id, defaultPrice } of models) {
      const input = defaultPrice.input === undefined ? null : costOf(defaultPrice.input);
      await note(id, input, costOf(defaultPrice.output));
    }
  });
  const set = (model: string, output: string, input: string | null, fromDaysAgo: number | null) =>
    setPrice(demo, writing.operator, {
      model,
      output: requestedPoints("output", output),
      input: input === null ? undefined : requestedPoints("input", input),
      effectiveAt: fromDaysAgo === null ? null : new Date(momentOf(given.end, fromDaysAgo, 0)),
    });
  writing.at(58, 14, () => set("RelayV1", "720", "75", 51));
  writing.at(35, 14, () => set("Super-Relay2.0", "4800", null, null));
  writing.at(14, 14, () => set("Super-Relay-Image", "1150", null, null));
  writing.at(6, 14, () => set("Super-Relay2.5", "5400", null, -6));
  writing.at(5, 14, () => set("RelayV1", "680", "70", -13));
  writing.at(5, 15, async () => {
    const { id } = await set("Super-RelayFast", "4600", null, -10);
    writing.later(25, () => withdrawPrice(demo, writing.operator, { id }));
  });
}

/** Level, text, Chinese text, days ago, for how many hours; when it begins, if later. */
const notices = [
  [
    "info",
    "RelayV1 becomes cheaper next week. The price page shows the new price.",
    "RelayV1 将于下周降价，新价格见价格页。",
    ...[58, 7 * 24],
  ],
  [
    "warning",
    "Some chat requests fail at one of our upstreams. Nothing is charged for them.",
    "部分对话请求在某个上游失败，失败的请求不收费。",
    ...[17, 24],
  ],
  [
    "info",
    "Super-Relay2.5 becomes cheaper in six days: 5,400 points per million tokens.",
    "Super-Relay2.5 六天后降价：每百万 token 5,400 积分。",
    ...[1, 7 * 24],
  ],
  [
    "warning",
    "Maintenance on the database: no requests for about ten minutes.",
    "数据库维护，约十分钟内无法处理请求。",
    ...[3, 1, -2],
  ],
] as const;

function addNotices(writing: Writing): void {
  const { given, demo } = writing;
  for (const [level, textEn, textZh, daysAgo = 0, hours = 0, fromDaysAgo] of notices)
    writing.at(daysAgo, 9, async () => {
      const from =
        fromDaysAgo === undefined ? demo.clock.now() : momentOf(given.end, fromDaysAgo, 4);
      const times = { startsAt: new Date(from), endsAt: new Date(from + hours * HOUR) };
      const terms = { level, textEn, textZh, ...times };
      const { id } = await postNotice(demo, writing.operator, terms);
      if (daysAgo === 17) writing.later(240, () => endNotice(demo, writing.operator, { id }));
    });
  writing.at(16, 14, async () => {
    const { id } = await openIncident(demo, writing.operator, {
      titleEn: "Slow answers of text",
      titleZh: "文本回答变慢",
      models: ["RelayV1"],
      beganAt: null,
      state: "investigating",
      textEn: "Answers take longer than usual. Nothing is charged twice.",
      textZh: "回答比平时慢，不会重复扣费。",
    });
    const textEn = "The upstream answers at its usual speed again.";
    const update = { id, state: "resolved", textEn, textZh: "上游已恢复正常速度。" } as const;
    writing.later(50, () => updateIncident(demo, writing.operator, update));
  });
}

const settings = [
  [64, "welcome_points", "750"],
  [58, "key_requests_per_minute", "120"],
  [30, "welcome_points", "1000"],
  [29, "welcome_per_domain", "5"],
  [28, "seller_name", "Example Relay Ltd."],
  [28, "seller_address", "1 Example Street, London, United Kingdom"],
  [28, "seller_tax_number", "GB 123 4567 89"],
] as const;

export function addSite(writing: Writing): void {
  const { demo } = writing;
  addPrices(writing);
  addNotices(writing);
  for (const [daysAgo, name, value] of settings)
    writing.at(daysAgo, 11, () => setLiveSetting(demo, writing.operator, { name, value }));
  writing.at(30, 10, () => {
    const wanted = { userId: writing.operator, name: "Billing system" };
    return createOperatorKey(demo, writing.operator, { ...wanted, scopes: ["points:write"] });
  });
}

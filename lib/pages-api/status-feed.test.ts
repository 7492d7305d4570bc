import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { IncidentView } from "../contract/incidents";
import { statusFeed } from "./status-feed";

const origin = "https://relay.example.com";
const update = (number: number, at: string, text: string) => ({
  number,
  state: "monitoring" as const,
  textEn: text,
  textZh: null,
  at,
});
const incident: IncidentView = {
  id: "inc_1",
  titleEn: 'Slow <b>"answers"</b> & more',
  titleZh: null,
  models: ["RelayV1"],
  beganAt: "2026-11-20T10:00:00.000Z",
  resolvedAt: null,
  updates: Array.from({ length: 50 }, (_, at) =>
    update(50 - at, `2026-11-20T11:${String(50 - at).padStart(2, "0")}:00.000Z`, `u${50 - at} ]]>`),
  ),
};

/** What a parser of XML reads. */
const parsed = (feed: string, path: string) =>
  execFileSync(
    "python3",
    [
      "-c",
      "import sys, xml.etree.ElementTree as e; r = e.fromstring(sys.stdin.buffer.read()); print('|'.join((x.text or x.get('href') or x.get('term') or '') for x in r.findall(sys.argv[1], {'a': 'http://www.w3.org/2005/Atom'})))",
      path,
    ],
    { input: feed, encoding: "utf8" },
  ).trim();

test("a feed has what RFC 4287 requires, and any text is text in it", () => {
  const feed = statusFeed(origin, [incident], "en");
  expect(parsed(feed, "a:id")).toBe(`${origin}/status/feed.atom`);
  expect(parsed(feed, "a:updated")).toBe("2026-11-20T11:50:00.000Z");
  expect(parsed(feed, "a:author/a:name")).toBe("Relay");
  expect(parsed(feed, "a:link")).toBe(`${origin}/status/feed.atom|${origin}/status`);
  expect(parsed(feed, "a:entry/a:id")).toBe(`${origin}/status#inc_1`);
  expect(parsed(feed, "a:entry/a:title")).toBe('Slow <b>"answers"</b> & more');
  expect(parsed(feed, "a:entry/a:updated")).toBe("2026-11-20T11:50:00.000Z");
  expect(parsed(feed, "a:entry/a:category")).toBe("monitoring|RelayV1");
  const content = parsed(feed, "a:entry/a:content");
  expect(content).toContain("2026-11-20T11:50:00.000Z Monitoring: u50 ]]>");
  expect(content).not.toContain("u40 ");
});

test("a feed without incidents is whole, and in Chinese it is another feed", () => {
  const feed = statusFeed(origin, [], "zh-CN");
  expect(parsed(feed, "a:id")).toBe(`${origin}/status/feed.atom?lang=zh-CN`);
  expect(parsed(feed, "a:title")).toBe("Relay · 事件");
  expect(parsed(feed, "a:updated")).toMatch(/^\d{4}-/);
});

test("characters that XML cannot have are left out", () => {
  const titleEn = "a\u0001b\uFFFEc\u2028d";
  expect(parsed(statusFeed(origin, [{ ...incident, titleEn }], "en"), "a:entry/a:title")).toBe(
    "a b c\u2028d",
  );
});

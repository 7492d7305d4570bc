/**
 * The browser is sent only some groups of the messages. Each group that a client component of a page
 * reads must be among those that the page, or the nearest layout above it, sends.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const places = readdirSync(join(root, "app"), { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)(page|layout)\.tsx$/.test(file))
  .map((file) => join("app", file));
/** Parts that these places import and never show. */
const neverShown: Readonly<Record<string, readonly string[]>> = {
  // Their example of a request has ended.
  "components/requests/elapsed-time.tsx": [
    "app/(home)/page.tsx",
    "app/(site)/docs/[guide]/page.tsx",
  ],
  // Operators' pages show no points of their own.
  "components/shell/wallet.tsx": ["app/(operator)/layout.tsx"],
};

const read = (file: string) => readFileSync(join(root, file), "utf8");
const groupsOf = (text: string) => [...text.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name);

const { metafile } = await build({
  entryPoints: places.map((file) => join(root, file)),
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  packages: "external",
  outdir: "none",
  loader: { ".css": "empty", ".woff2": "empty" },
  logLevel: "error",
});
const graph = metafile.inputs;

/** What each `ClientMessages` of a file sends. */
function sent(file: string): string[][] {
  const text = read(file);
  const shared = groupsOf(/const texts = \[(.*?)\]/s.exec(text)?.[1] ?? "");
  return [...text.matchAll(/<ClientMessages of=\{(.*?)\}>/gs)].map(([, list = ""]) => [
    ...groupsOf(list),
    ...(list.includes("texts") ? shared : []),
  ]);
}

/** The groups that client components read which `file` renders. */
function readBy(file: string): Map<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  const visit = (at: string, isClient: boolean) => {
    const text = read(at);
    const runsInBrowser = isClient || text.startsWith('"use client"');
    if (seen.has(`${at} ${runsInBrowser}`)) return;
    seen.add(`${at} ${runsInBrowser}`);
    if (runsInBrowser)
      for (const [, group = ""] of text.matchAll(/useTranslations\("(\w+)/g)) found.set(group, at);
    for (const { path, external } of graph[at]?.imports ?? [])
      if (!external && /\.tsx?$/.test(path)) visit(path, runsInBrowser);
  };
  visit(file, false);
  return found;
}

/** The file that sends messages to a page's components: itself, or the nearest layout. */
function senderOf(file: string): string | undefined {
  if (sent(file).length > 0) return file;
  for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) {
    const layout = join(folder, "layout.tsx");
    if (layout !== file && existsSync(join(root, layout)) && sent(layout).length > 0) return layout;
  }
  return undefined;
}

test.each(places)("%s: its client components have their messages", (file) => {
  const sender = senderOf(file);
  const lists = sender ? sent(sender) : [];
  // A layout has all that it sends; a page what everybody gets, signed in or not.
  const has = (group: string) =>
    sender === file
      ? lists.some((list) => list.includes(group))
      : lists.length > 0 && lists.every((list) => list.includes(group));
  const missing = [...readBy(file)].filter(
    ([group, at]) => !has(group) && !neverShown[at]?.includes(file),
  );
  expect(missing.map(([group, at]) => `${group} of ${at}`)).toEqual([]);
});

test("a group that is not sent is noticed", () => {
  const overview = "app/(dashboard)/overview/page.tsx";
  expect(readBy(overview).has("overview")).toBe(true);
  expect(sent("app/(auth)/layout.tsx")[0]).not.toContain("overview");
});

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtInModels as models } from "../catalog/built-in";
import { guideNames } from "../docs/guides";
import type { PriceBook } from "../price-book/price-version";
import {
  apiCatalog,
  llmsText,
  robotsText,
  securityText,
  sitemapText,
  webManifest,
} from "./public-files";
import { publicPaths } from "./public-paths";

const origin = "https://relay.example";
/** Of an installation without a name of its own. */
const live = { value: () => "" };
const priceBook: PriceBook = {
  current: (model) =>
    model === "Super-Relay2.5"
      ? undefined
      : {
          id: "1",
          model,
          price: { input: 80_000_000n, output: 1_500_500_000n },
          effectiveAt: new Date(0),
        },
};

test("the sitemap names every public page once and no page that needs a session", () => {
  const places = [...sitemapText(origin, live).matchAll(/<loc>(.*?)<\/loc>/g)].map(
    ([, place]) => place,
  );
  expect(places).toEqual(publicPaths().map((path) => new URL(path, origin).href));
  expect(new Set(places).size).toBe(places.length);
  for (const { alias } of models) expect(places).toContain(`${origin}/models/${alias}`);
  for (const name of guideNames) expect(places).toContain(`${origin}/docs/${name}`);
  const signedIn = readdirSync(join(import.meta.dirname, "../../app/(dashboard)"));
  expect(
    places.filter((place) => signedIn.some((name) => place?.startsWith(`${origin}/${name}`))),
  ).toEqual([]);
});

test("robots.txt excludes the API and names the sitemap", () => {
  expect(robotsText(origin)).toMatch(
    /^User-agent: \*\n[\s\S]*Disallow: \/api\/\n[\s\S]*\nSitemap: https:\/\/relay\.example\/sitemap\.xml\n$/,
  );
});

test("security.txt expires within a year of any day, at a whole day", () => {
  const now = new Date("2026-11-21T13:14:15Z");
  const text = securityText(origin, "mailto:security@relay.example", now);
  expect(text).toMatch(/^Contact: mailto:security@relay\.example\n/);
  const expires = new Date(/^Expires: (\S+)$/m.exec(text)?.[1] ?? "");
  expect(expires.toISOString()).toBe("2027-05-20T00:00:00.000Z");
  expect(text).toContain(`Canonical: ${origin}/.well-known/security.txt`);
});

test("the API catalogue links to the API document, the documentation and the prices", () => {
  expect(apiCatalog(origin)).toMatchObject({
    linkset: [
      {
        anchor: `${origin}/v1`,
        "service-desc": [{ href: `${origin}/openapi.json` }],
        "service-doc": [{ href: `${origin}/docs` }],
      },
    ],
  });
});

test("llms.txt names every model with its current price and every page of the documentation", () => {
  const text = llmsText(origin, { priceBook, live });
  expect(text).toContain(
    `[RelayV1](${origin}/models/relay-v1): text, also named \`relay-v1\`; input 80, output 1500.5 points per million tokens`,
  );
  expect(text).toContain("`super-relay-2.5`; currently not for sale");
  for (const name of guideNames) expect(text).toContain(`${origin}/docs/${name}): `);
  expect(text).not.toMatch(/undefined|null|NaN|\[object/);
});

test("the manifest's icons exist", () => {
  const { icons } = webManifest(live) as { icons: { src: string }[] };
  const files = readdirSync(join(import.meta.dirname, "../../public"));
  for (const { src } of icons) expect(files).toContain(src.slice(1));
});

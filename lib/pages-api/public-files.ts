/** Files for machines: crawlers, API discovery tools, and people who report a security problem. */

import en from "../../messages/en.json";
import { type Model, offeredModels } from "../catalog/models";
import { brandName } from "../contract/brand";
import { publicEndpoints } from "../contract/public";
import { docPages } from "../docs/guides";
import { failures } from "../failures/failure-table";
import { givenLegalPages } from "../live-settings/brand-texts";
import type { LiveSettings } from "../live-settings/live-settings";
import { formatPoints, shortDecimal } from "../money/points";
import type { PriceBook } from "../price-book/price-version";
import { rateLine } from "../pricing/rate-line";
import { shownIcon, siteDescription, siteTitle } from "./brand";
import { publicPaths } from "./public-paths";

const { showPrices, showPriceHistory, showVersion } = publicEndpoints;

type Live = Pick<LiveSettings, "value">;

const SECURITY_DAYS = 180;
const DAY_MS = 24 * 60 * 60 * 1000;

export function robotsText(origin: string): string {
  const lines = [
    "User-agent: *",
    `Allow: ${showPrices.path}`,
    `Allow: ${showVersion.path}`,
    "Disallow: /api/",
    "Disallow: /v1/",
  ];
  return `${lines.join("\n")}\n\nSitemap: ${origin}/sitemap.xml\n`;
}

export function sitemapText(origin: string, live: Live): string {
  const rows = publicPaths(givenLegalPages(live.value)).map(
    (path) => `  <url><loc>${new URL(path, origin).href}</loc></url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${rows.join("\n")}\n</urlset>\n`;
}

/** RFC 9727: links to the description of this API. */
export function apiCatalog(origin: string): object {
  return {
    linkset: [
      {
        anchor: `${origin}/v1`,
        "service-desc": [{ href: `${origin}/openapi.json`, type: "application/json" }],
        "service-doc": [{ href: `${origin}/docs`, type: "text/html" }],
        "service-meta": [{ href: `${origin}${showPrices.path}`, type: "application/json" }],
        status: [{ href: `${origin}/readyz`, type: "application/json" }],
      },
    ],
  };
}

/**
 * RFC 9116. It expires half a year after the day of the request; a whole day, so that it can be
 * cached.
 */
export function securityText(origin: string, contact: string, now: Date): string {
  const expires = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + SECURITY_DAYS * DAY_MS);
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en, zh",
    `Canonical: ${origin}/.well-known/security.txt`,
  ];
  return `${lines.join("\n")}\n`;
}

function modelLine(origin: string, priceBook: PriceBook, { id, alias, family }: Model): string {
  const price = priceBook.current(id)?.price;
  const pointsOf = (amount: bigint) => shortDecimal(formatPoints(amount));
  const input = price && family === "text" ? `input ${pointsOf(price.input)}, ` : "";
  const other = price?.others ? `; also, in points: ${price.others.map(rateLine).join(", ")}` : "";
  const cost = price
    ? `${input}output ${pointsOf(price.output)} points per million tokens${other}`
    : "currently not for sale";
  return `- [${id}](${origin}/models/${alias}): ${family}, also named \`${alias}\`; ${cost}`;
}

/** A short index of the documentation for language models (llmstxt.org). */
export function llmsText(
  origin: string,
  { priceBook, live }: { readonly priceBook: PriceBook; readonly live: Live },
): string {
  const guides = docPages.map(
    ({ name, path }) => `- [${en.docs.names[name]}](${origin}${path}): ${en.docs.about[name]}`,
  );
  return `# ${brandName()}

> ${siteDescription(live.value, "en")}

Base URL: ${origin}/v1. Send \`Authorization: Bearer sk-rly-…\` with every call; create keys at ${origin}/points.
The chat endpoint speaks the OpenAI format, so an OpenAI client library works with that base URL.
Every failure is \`{"error":{"message","type","param","code"}}\`; there are ${Object.keys(failures).length} codes, listed on ${origin}/docs/errors.

## Documentation

${guides.join("\n")}

## Models

${offeredModels()
  .map((model) => modelLine(origin, priceBook, model))
  .join("\n")}

## Machine-readable

- [OpenAPI 3.1](${origin}/openapi.json): every endpoint with its schemas, failures and examples
- [Prices](${origin}${showPrices.path}): the price list now; [its history](${origin}${showPriceHistory.path}) by model
- [Version](${origin}${showVersion.path}): what runs here
`;
}

const iconsOf = (icon: ReturnType<typeof shownIcon>) =>
  icon && [{ src: icon.address, sizes: icon.sizes, type: icon.image.type }];

export function webManifest({ value }: Live): object {
  return {
    name: siteTitle(value, "en"),
    short_name: brandName(),
    description: siteDescription(value, "en"),
    id: "/",
    start_url: "/overview",
    display: "standalone",
    background_color: "#fbfaf8",
    theme_color: "#fbfaf8",
    icons: iconsOf(shownIcon(value)) ?? [
      { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
}

import { createHash } from "node:crypto";
import { getLocale } from "next-intl/server";
import type { LegalPage } from "@/lib/contract/setting-names";
import {
  brandSheet,
  brandText,
  givenLegalPages,
  sharedImage,
  shownIcon,
  shownMark,
  siteDescription,
  siteTitle,
} from "@/lib/pages-api/brand";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { chosenLocale } from "@/messages/locales";
import { isStatusPublic } from "./status";

const locale = async () => chosenLocale(await getLocale(), null);

/** The installation's own title, description and images, in the reader's language. */
export async function siteFace() {
  const { value } = pagesDeps().live;
  return {
    title: siteTitle(value, await locale()),
    description: siteDescription(value, await locale()),
    icon: shownIcon(value),
    card: sharedImage(value),
  };
}

/** What the frame of every page needs: the mark, and the address of the colours' style sheet. */
export function shownBrand() {
  const { value } = pagesDeps().live;
  const sheet = brandSheet(value);
  const hash = sheet && createHash("sha256").update(sheet).digest("base64url").slice(0, 16);
  return { mark: shownMark(value), sheet: hash && `/brand/accent.css?v=${hash}` };
}

/** A text of the operator in the reader's language; null where there is none. */
export async function ownText(name: "home_title" | "home_lead" | "footer" | LegalPage) {
  return brandText(pagesDeps().live.value, name, await locale());
}

export const shownLegalPages = () => givenLegalPages(pagesDeps().live.value);

export async function footerFacts() {
  return { hasStatus: isStatusPublic(), legal: shownLegalPages(), note: await ownText("footer") };
}

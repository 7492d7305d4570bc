import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { siteFacts } from "./site";

/** The image shown where a page's link is shared. */
const card = { url: "/opengraph.png", width: 1200, height: 630 };

/**
 * Metadata of a public page for search engines and shared links. A null `title` means the site's
 * own title.
 */
export async function publicMetadata(
  path: string,
  title: string | null,
  description: string,
): Promise<Metadata> {
  const t = await getTranslations("meta");
  const shown = title === null ? t("title") : `${title} · ${t("name")}`;
  return {
    ...(title === null ? {} : { title }),
    description,
    metadataBase: new URL(siteFacts().origin),
    alternates: { canonical: path },
    openGraph: {
      type: "website",
      siteName: t("name"),
      title: shown,
      description,
      url: path,
      images: [card],
      locale: (await getLocale()).replace("-", "_"),
    },
    twitter: { card: "summary_large_image", title: shown, description, images: [card] },
  };
}

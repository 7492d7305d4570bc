import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { siteFace } from "./brand";
import { siteFacts } from "./site";

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
  const face = await siteFace();
  const shown = title === null ? face.title : `${title} · ${t("name")}`;
  const images = face.card === null ? {} : { images: [face.card] };
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
      ...images,
      locale: (await getLocale()).replace("-", "_"),
    },
    twitter: { card: "summary_large_image", title: shown, description, ...images },
  };
}

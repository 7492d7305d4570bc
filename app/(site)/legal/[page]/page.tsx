import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ownText, siteFace } from "@/app/_server/brand";
import { publicMetadata } from "@/app/_server/public-metadata";
import { OwnMarkdown } from "@/components/ui/own-markdown";
import { legalPath } from "@/lib/contract/page-paths";
import { legalPages } from "@/lib/contract/setting-names";

interface LegalProps {
  params: Promise<{ page: string }>;
}

/** The page and its text; the answer is 404 where the operator wrote none. */
async function written({ params }: LegalProps) {
  const { page: asked } = await params;
  const page = legalPages.find((each) => each === asked);
  const text = page === undefined ? null : await ownText(page);
  if (page === undefined || text === null) notFound();
  return { page, text };
}

export async function generateMetadata(props: LegalProps): Promise<Metadata> {
  const { page } = await written(props);
  const t = await getTranslations("shell");
  return publicMetadata(legalPath(page), t(page), (await siteFace()).description);
}

/** Terms, privacy or imprint, as the operator wrote it. */
export default async function LegalPage(props: LegalProps) {
  const { page, text } = await written(props);
  const t = await getTranslations("shell");
  return (
    <article className="mx-auto max-w-[72ch]">
      <h1 className="text-3xl tracking-tighter">{t(page)}</h1>
      <div lang={text.lang} className="mt-6 text-base/relaxed">
        <OwnMarkdown text={text.text} />
      </div>
    </article>
  );
}

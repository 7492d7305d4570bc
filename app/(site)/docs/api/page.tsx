import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { siteFacts } from "@/app/_server/site";
import { EndpointEntry } from "@/components/docs/endpoint-entry";
import { PathText } from "@/components/docs/path-text";
import { apiReference } from "@/lib/contract/reference";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("reference");
  return { title: t("name"), description: t("note") };
}

export default async function ApiReferencePage() {
  const t = await getTranslations("reference");
  const entries = apiReference(siteFacts().origin);
  return (
    <>
      <h1 className="text-4xl tracking-tighter">{t("title")}</h1>
      <p className="mt-3 max-w-[62ch] text-muted">{t("note")}</p>
      <p className="mt-2 mb-8">
        <a href="/openapi.json" className="underline underline-offset-4">
          {t("document")}
        </a>
      </p>
      <div className="grid grid-cols-1 gap-5.5 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <nav aria-label={t("contents")} className="text-sm lg:sticky lg:top-6 lg:self-start">
          <ul className="grid gap-1.5">
            {entries.map(({ name, method, path }) => (
              <li key={name}>
                <a href={`#${name}`} className="grid grid-cols-[3.75rem_minmax(0,1fr)] rounded-sm text-muted hover:text-ink">
                  <code className="text-xs leading-5">{method}</code>
                  <code className="[overflow-wrap:anywhere]">
                    <PathText path={path} />
                  </code>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="grid min-w-0 grid-cols-1 gap-5.5">
          {entries.map((entry) => (
            <EndpointEntry key={entry.name} entry={entry} />
          ))}
        </div>
      </div>
    </>
  );
}

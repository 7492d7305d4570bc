import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { apiTexts, entriesInLanguage } from "@/app/_i18n/api-texts";
import { publicMetadata } from "@/app/_server/public-metadata";
import { siteFacts } from "@/app/_server/site";
import { EndpointEntry } from "@/components/docs/endpoint-entry";
import { PreviousNextLinks } from "@/components/docs/guide-frame";
import { PathText } from "@/components/docs/path-text";
import type { TryCall } from "@/components/docs/try-call";
import { TryIt } from "@/components/docs/try-it";
import { ClientMessages } from "@/components/shell/client-messages";
import { endpoints } from "@/lib/contract/endpoints";
import { exampleAddresses, examples } from "@/lib/contract/examples";
import type { ReferenceEntry } from "@/lib/contract/reference";
import { endpointExamples } from "@/lib/docs/endpoint-samples";
import { groupPages } from "@/lib/docs/guides";
import { currentUser } from "@/lib/session/current-user";

interface GroupProps {
  params: Promise<{ group: string }>;
}

async function pageOf({ params }: GroupProps) {
  const { group } = await params;
  return groupPages.find((page) => page.group === group) ?? notFound();
}

export async function generateMetadata(props: GroupProps): Promise<Metadata> {
  const { name, path } = await pageOf(props);
  const t = await getTranslations("docs");
  return publicMetadata(path, t(`names.${name}`), t(`about.${name}`));
}

/** What the form that sends a request needs of an entry. A file's link is opened, not sent. */
function tryCallOf(entry: ReferenceEntry, say: (text: string) => string): TryCall {
  const { name, method, path, needsKey, takesSession, isSold } = entry;
  const shown = entry.body.length > 0 ? (examples()[path] ?? []) : [];
  return {
    ...{ name, method, path, needsKey, takesSession, isSold },
    query: entry.query.length === 0 ? null : (exampleAddresses()[name]?.query ?? ""),
    bodies: shown.map(({ summary, body }) => ({
      title: say(summary),
      text: JSON.stringify(body, null, 2),
    })),
  };
}

/** The endpoints of one group of the API. */
export default async function ApiGroupPage(props: GroupProps) {
  const { name, group, path } = await pageOf(props);
  const t = await getTranslations("reference");
  const docs = await getTranslations("docs");
  const place = siteFacts();
  const say = await apiTexts();
  const user = await currentUser();
  const entries = await entriesInLanguage(group);
  return (
    <ClientMessages of={["ui", "tryIt"]}>
      <h1 className="text-3xl tracking-tighter">{docs(`names.${name}`)}</h1>
      <p className="mt-2.5 max-w-[62ch] text-lg text-muted">{docs(`about.${name}`)}</p>
      {entries.length > 1 ? (
        <nav aria-label={t("contents")} className="mt-4 border-y py-3 text-sm">
          <ul className="grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
            {entries.map(({ entry }) => (
              <li key={entry.name}>
                <a
                  href={`#${entry.name}`}
                  className="grid grid-cols-[3.75rem_minmax(0,1fr)] rounded-sm text-muted hover:text-ink"
                >
                  <code className="text-xs leading-5">{entry.method}</code>
                  <code className="[overflow-wrap:anywhere]">
                    <PathText path={entry.path} />
                  </code>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      <div className="mt-6 grid min-w-0 grid-cols-1 gap-5.5">
        {entries.map(({ entry, html }) => (
          <EndpointEntry
            key={entry.name}
            entry={entry}
            html={html}
            examples={endpointExamples(endpoints[entry.name], place).map(({ title, samples }) => ({
              title: say(title),
              samples,
            }))}
            tryIt={
              entry.name === "getMedia" || entry.name === "getVideoContent" ? null : (
                <TryIt call={tryCallOf(entry, say)} isSignedIn={user !== null} page={path} />
              )
            }
          />
        ))}
      </div>
      <PreviousNextLinks name={name} />
    </ClientMessages>
  );
}

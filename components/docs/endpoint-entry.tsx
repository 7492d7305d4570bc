import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { CodeSamples } from "@/components/ui/code-samples";
import { Pill } from "@/components/ui/pill";
import type { ReferenceEntry } from "@/lib/contract/reference";
import type { EndpointExample } from "@/lib/docs/endpoint-samples";
import type { EntryHtml } from "./entry-html";
import { FailureList } from "./failure-list";
import { FieldList } from "./field-list";
import { PathText } from "./path-text";

interface EndpointEntryProps {
  entry: ReferenceEntry;
  /** Its fields and failures. */
  html: EntryHtml;
  examples: readonly EndpointExample[];
  /** The form that sends a request; null where there is none. */
  tryIt: ReactNode;
}

/** One endpoint: its sample calls, its request, its answer, and its failures. */
export function EndpointEntry({ entry, html, examples, tryIt }: EndpointEntryProps) {
  const t = useTranslations("reference");
  const { name, method, path, summary, needsKey, scope, bodyMebibytesMax } = entry;
  return (
    <Card aria-labelledby={name} className="grid grid-cols-1 gap-6 p-5">
      <div>
        <h2 id={name} className="flex scroll-mt-6 flex-wrap items-center gap-x-3 gap-y-1 text-lg">
          <Pill>{method}</Pill>
          <code className="min-w-0 [overflow-wrap:anywhere]">
            <PathText path={path} />
          </code>
        </h2>
        <p className="mt-1 text-muted">{summary}</p>
        {needsKey ? null : <p className="mt-1 text-muted text-sm">{t("noKey")}</p>}
        {scope === null ? null : <p className="mt-1 text-muted text-sm">{t("scope", { scope })}</p>}
      </div>
      {examples.map(({ title, samples }) => (
        <section key={title}>
          {examples.length > 1 ? <h3 className="mb-2 font-medium text-sm">{title}</h3> : null}
          <CodeSamples label={title} samples={samples} />
        </section>
      ))}
      {tryIt}
      <FieldList title={t("path")} rows={html.parameters} />
      <FieldList title={t("query")} rows={html.query} />
      <FieldList title={t("headers")} rows={html.headers} />
      <FieldList
        title={t("body")}
        note={t("bodyNote", { mebibytes: bodyMebibytesMax })}
        rows={html.body}
      />
      <FieldList title={t("answer")} rows={html.answer} isFolded />
      <FieldList
        isFolded
        title={t("event")}
        note={
          name === "createChatCompletion" ? `${t("eventNote")} ${t("doneNote")}` : t("eventNote")
        }
        rows={html.event}
      />
      <FailureList rows={html.failures} />
    </Card>
  );
}

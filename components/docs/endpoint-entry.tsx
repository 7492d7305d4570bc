import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Pill } from "@/components/ui/pill";
import type { ReferenceEntry } from "@/lib/contract/reference";
import { FieldList } from "./field-list";
import { PathText } from "./path-text";

/** One endpoint: its request, its answer, its failures, and sample calls. */
export function EndpointEntry({ entry }: { entry: ReferenceEntry }) {
  const t = useTranslations("reference");
  return (
    <Card aria-labelledby={entry.name} className="grid grid-cols-1 gap-6 p-5">
      <div>
        <h2
          id={entry.name}
          className="flex scroll-mt-6 flex-wrap items-center gap-x-3 gap-y-1 text-lg"
        >
          <Pill>{entry.method}</Pill>
          <code className="min-w-0 [overflow-wrap:anywhere]">
            <PathText path={entry.path} />
          </code>
        </h2>
        <p className="mt-1 text-muted">{entry.summary}</p>
        {entry.needsKey ? null : <p className="mt-1 text-muted text-sm">{t("noKey")}</p>}
      </div>
      {entry.samples.map(({ name, code }) => (
        <section key={name}>
          <div className="mb-2 flex items-center justify-between gap-4">
            <h3 className="font-medium text-sm">{name}</h3>
            <CopyButton look="quiet" text={code} what={name} />
          </div>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
            tabIndex={0}
            className="overflow-x-auto rounded-md border bg-wash p-4 text-sm/relaxed"
          >
            <code>{code}</code>
          </pre>
        </section>
      ))}
      <FieldList title={t("query")} fields={entry.query} />
      <FieldList title={t("body")} fields={entry.body} />
      <FieldList title={t("answer")} fields={entry.answer} />
      <section>
        <h3 className="mb-2 font-medium text-sm">{t("failures")}</h3>
        <dl className="grid gap-1 text-sm">
          {entry.failures.map(({ status, codes }) => (
            <div key={status} className="grid grid-cols-[3rem_minmax(0,1fr)]">
              <dt className="num">{status}</dt>
              <dd className="break-words text-muted">
                <code>{codes.join(", ")}</code>
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </Card>
  );
}

import { useTranslations } from "next-intl";
import { Pill } from "@/components/ui/pill";
import { tags } from "@/components/ui/rich-text";
import type { Place } from "@/lib/docs/code";
import { shownFailures } from "@/lib/docs/shown-failures";
import { snippets } from "@/lib/docs/snippets";
import { failures } from "@/lib/failures/failure-table";
import { GuideFrame, Prose, sectionsOf } from "../guide-frame";
import { Sample } from "../sample";

const statuses = [...new Set(shownFailures.map((code) => failures[code].status))].sort(
  (a, b) => a - b,
);

export function ErrorsGuide({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.errors");
  return (
    <GuideFrame
      name="errors"
      title={t("title")}
      lead={t("lead")}
      sections={sectionsOf(t, {
        form: (
          <>
            <Prose>{t.rich("form.text", tags)}</Prose>
            <Sample title={t("form.sample")} code={snippets.failure(place)} />
          </>
        ),
        money: <Prose>{t.rich("money.text", tags)}</Prose>,
        points: <Prose>{t.rich("points.text", tags)}</Prose>,
        list: <FailureTable />,
      })}
    />
  );
}

function FailureTable() {
  const t = useTranslations("docs.guides.errors.list");
  const meanings = useTranslations("failures.codes");
  return (
    <div className="grid border-t">
      {statuses.map((status) => (
        <div key={status} className="grid gap-x-4 border-b py-3 sm:grid-cols-[4rem_minmax(0,1fr)]">
          <h3 className="num font-medium">{status}</h3>
          <dl className="grid gap-3">
            {shownFailures
              .filter((code) => failures[code].status === status)
              .map((code) => (
                <div key={code} id={code} className="scroll-mt-6">
                  <dt className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                    <code className="font-medium [overflow-wrap:anywhere]">{code}</code>
                    {failures[code].isRetryable ? (
                      <Pill tone="ok">{t("retry")}</Pill>
                    ) : (
                      <Pill>{t("final")}</Pill>
                    )}
                  </dt>
                  <dd className="text-muted">{meanings(code)}</dd>
                </div>
              ))}
          </dl>
        </div>
      ))}
    </div>
  );
}

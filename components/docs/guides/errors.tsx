import { useTranslations } from "next-intl";
import { Pill } from "@/components/ui/pill";
import { tags } from "@/components/ui/rich-text";
import type { Place } from "@/lib/docs/code";
import { snippets } from "@/lib/docs/snippets";
import { type FailureCode, failures } from "@/lib/failures/failure-table";
import { keysOf } from "@/lib/values/records";
import { GuideFrame, Prose } from "../guide-frame";
import { Sample } from "../sample";

/** Failures that only the pages' API returns. */
const ofPages: readonly FailureCode[] = [
  "sign_in_required",
  "wrong_credentials",
  "sign_up_closed",
  "human_check_failed",
  "proof_required",
  "role_not_allowed",
  "invitation_not_yours",
  "owns_other_account",
  "account_changed",
  "cross_site_request",
  "sign_in_rate_limited",
  "payment_rate_limited",
  "already_exists",
  "changed_meanwhile",
  "link_invalid",
  "email_changed_lately",
  "requests_running",
  "last_operator",
  "range_too_large",
];
const codes = keysOf(failures).filter((code) => !ofPages.includes(code));
const statuses = [...new Set(codes.map((code) => failures[code].status))].sort((a, b) => a - b);

export function ErrorsGuide({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.errors");
  return (
    <GuideFrame
      name="errors"
      title={t("title")}
      lead={t("lead")}
      sections={[
        {
          id: "form",
          title: t("form.title"),
          body: (
            <>
              <Prose>{t.rich("form.text", tags)}</Prose>
              <Sample title={t("form.sample")} code={snippets.failure(place)} />
            </>
          ),
        },
        { id: "money", title: t("money.title"), body: <Prose>{t.rich("money.text", tags)}</Prose> },
        {
          id: "points",
          title: t("points.title"),
          body: <Prose>{t.rich("points.text", tags)}</Prose>,
        },
        { id: "list", title: t("list.title"), body: <FailureTable /> },
      ]}
    />
  );
}

function FailureTable() {
  const t = useTranslations("docs.guides.errors.list");
  const meanings = useTranslations("failures.codes");
  return (
    <div className="grid border-t">
      {statuses.map((status) => (
        <section
          key={status}
          aria-label={String(status)}
          className="grid gap-x-4 border-b py-3 sm:grid-cols-[4rem_minmax(0,1fr)]"
        >
          <h3 className="num font-medium">{status}</h3>
          <dl className="grid gap-3">
            {codes
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
        </section>
      ))}
    </div>
  );
}

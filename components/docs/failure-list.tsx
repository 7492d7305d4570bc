import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReferenceEntry } from "@/lib/contract/reference";

/** The failures of an endpoint by status, each with a link to what to do. */
export function FailureList({ failures }: Pick<ReferenceEntry, "failures">) {
  const t = useTranslations("reference");
  return (
    <section>
      <h3 className="mb-2 font-medium text-sm">{t("failures")}</h3>
      <dl className="grid gap-1 text-sm">
        {failures.map(({ status, codes }) => (
          <div key={status} className="grid grid-cols-[3rem_minmax(0,1fr)]">
            <dt className="num">{status}</dt>
            <dd className="flex flex-wrap gap-x-3">
              {codes.map((code) => (
                <Link
                  key={code}
                  href={`/docs/errors#${code}`}
                  prefetch={false}
                  className="rounded-sm text-muted underline decoration-line-strong underline-offset-3 [overflow-wrap:anywhere] hover:text-ink"
                >
                  <code>{code}</code>
                </Link>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

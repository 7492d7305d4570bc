import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeSamples } from "@/components/ui/code-samples";
import { Link } from "@/components/ui/link";
import { useKeys } from "@/lib/client/api-keys";
import { chatSamples } from "@/lib/client/samples";
import { NEW_KEY_PATH } from "@/lib/contract/page-paths";

/** How to get a first answer. Hidden once a request has succeeded. */
export function FirstAnswer({ baseUrl }: { baseUrl: string }) {
  const t = useTranslations("overview.start");
  const hasKey = useKeys().data?.keys.some(({ status }) => status === "active");
  return (
    <Card aria-labelledby="start" className="grid gap-3.5 px-5 py-4.5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id="start" className="text-lg">
            {t("title")}
          </h2>
          <p className="max-w-[52ch] text-muted text-sm">{t("callText")}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {hasKey ? null : (
            // Not to be clicked while it may go away: it has its place until the keys are known.
            <Button asChild look="go" className={hasKey === undefined ? "invisible" : undefined}>
              <Link href={NEW_KEY_PATH}>{t("toKeys")}</Link>
            </Button>
          )}
          <Button asChild>
            <Link href="/playground">{t("toPlayground")}</Link>
          </Button>
        </div>
      </div>
      <div className="min-w-0">
        <CodeSamples label={t("samples")} samples={chatSamples(baseUrl)} />
      </div>
    </Card>
  );
}

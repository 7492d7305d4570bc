"use client";

import { useTranslations } from "next-intl";
import { DeadEnd } from "@/components/shell/dead-end";
import { Button } from "@/components/ui/button";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  const t = useTranslations("failurePage");
  return (
    <DeadEnd
      title={t("title")}
      text={
        <>
          <p>{t("text")}</p>
          {error.digest ? (
            <p className="num mt-3 text-base">{t("reference", { digest: error.digest })}</p>
          ) : null}
        </>
      }
    >
      <Button look="go" size="large" onClick={reset}>
        {t("retry")}
      </Button>
      <Button asChild size="large">
        <a href="/">{t("home")}</a>
      </Button>
    </DeadEnd>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { DeadEnd } from "@/components/shell/dead-end";
import { buttonStyle } from "@/components/ui/button-style";

/** Every page loads it. */
export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
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
      <button
        type="button"
        className={buttonStyle({ look: "go", size: "large" })}
        // The router's own retry keeps what it has of the page, and with it code that failed to load.
        onClick={() => window.location.reload()}
      >
        {t("retry")}
      </button>
      <a href="/" className={buttonStyle({ size: "large" })}>
        {t("home")}
      </a>
    </DeadEnd>
  );
}

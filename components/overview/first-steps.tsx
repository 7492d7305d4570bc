"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeSamples } from "@/components/ui/code-samples";
import { chatSamples } from "@/lib/client/samples";

/** The steps to a first answer. Hidden once a request has succeeded. */
export function FirstSteps({ baseUrl }: { baseUrl: string }) {
  const t = useTranslations("overview.start");
  return (
    <Card
      aria-labelledby="start"
      className="mt-3.5 grid grid-cols-1 gap-x-8 gap-y-4 px-5 py-5 lg:grid-cols-[1fr_1.4fr]"
    >
      <div>
        <h2 id="start" className="text-lg">
          {t("title")}
        </h2>
        <ol className="mt-3 grid gap-3.5">
          <Step number={1} title={t("key")}>
            {t("keyText")}
          </Step>
          <Step number={2} title={t("call")}>
            {t("callText")}
          </Step>
          <Step number={3} title={t("see")}>
            {t("seeText")}
          </Step>
        </ol>
        <Button asChild look="go" className="mt-4">
          <Link href="/points#keys">{t("toKeys")}</Link>
        </Button>
      </div>
      <div className="min-w-0">
        <CodeSamples label={t("samples")} samples={chatSamples(baseUrl)} />
      </div>
    </Card>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[1.5rem_1fr]">
      <span aria-hidden className="num text-faint">
        {number}
      </span>
      <div>
        <h3 className="font-medium text-base">{title}</h3>
        <p className="text-muted text-sm">{children}</p>
      </div>
    </li>
  );
}

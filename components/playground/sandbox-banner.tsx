import { useTranslations } from "next-intl";
import { useState } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import type { Family } from "@/lib/contract/states";

/** The instructions that the sandbox finds in a prompt. */
const orders = {
  text: ["fail", "status", "delay", "truncate", "tokens"],
  video: ["fail", "failAudio", "delay", "queue", "status"],
  image: ["fail", "status", "delay"],
} as const satisfies Record<Family, readonly string[]>;
const written = {
  fail: "[[fail]]",
  failAudio: "[[fail:audio]]",
  status: "[[status:503]]",
  delay: "[[delay:5]]",
  queue: "[[queue:30]]",
  truncate: "[[truncate]]",
  tokens: "[[tokens:500]]",
} as const;

/** Says that the sandbox answers, and how a prompt makes it fail. */
export function SandboxBanner({ family }: { family: Family }) {
  const t = useTranslations("sandbox");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section
      aria-label={t("name")}
      className="flex min-h-7 items-center gap-2.5 border-b bg-wash px-4 py-0.5 text-xs lg:px-6"
    >
      <span className="rounded-sm bg-ink px-1.5 py-0.5 font-medium text-paper">{t("name")}</span>
      <p className="min-w-0 flex-1 truncate">
        <span className="font-medium">{t(`${family}.note`)}</span>{" "}
        <span className="text-muted">{t("same")}</span>
      </p>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        className="shrink-0 rounded-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink max-sm:max-w-32 max-sm:truncate"
      >
        {t("more")}
      </button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={t("more")}
        description={t(`${family}.about`)}
      >
        <p className="mb-3 text-sm">{t("orders")}</p>
        <dl className="grid gap-2 text-sm">
          {orders[family].map((order) => (
            <div key={order} className="grid grid-cols-[9.5rem_1fr] items-start gap-3">
              <dt className="flex items-center justify-between gap-1">
                <code className="text-code text-xs">{written[order]}</code>
                <CopyButton
                  text={written[order]}
                  what={written[order]}
                  look="quiet"
                  hasText={false}
                  className="-my-1 size-7 p-0"
                />
              </dt>
              <dd className="text-muted">{t(`does.${order}`)}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </section>
  );
}

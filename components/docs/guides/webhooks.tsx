import { useTranslations } from "next-intl";
import { tags } from "@/components/ui/rich-text";
import { customerKinds, eventOf } from "@/lib/contract/notification-kinds";
import { webhookReceiver } from "@/lib/docs/webhook-snippets";
import { GuideFrame, Prose, sectionsOf } from "../guide-frame";
import { Sample } from "../sample";

export function WebhooksGuide() {
  const t = useTranslations("docs.guides.webhooks");
  const text = (id: "add" | "verify" | "retry" | "mails") => (
    <Prose>{t.rich(`${id}.text`, tags)}</Prose>
  );
  return (
    <GuideFrame
      name="webhooks"
      title={t("title")}
      lead={t("lead")}
      sections={sectionsOf(t, {
        add: text("add"),
        verify: (
          <>
            {text("verify")}
            <Sample title={t("verify.sample")} code={webhookReceiver} />
          </>
        ),
        events: (
          <>
            <Prose>{t.rich("events.text", tags)}</Prose>
            <ul className="mt-3 grid gap-1.5">
              {customerKinds.map((kind) => (
                <li key={kind}>
                  <code>{eventOf(kind)}</code>: {t.rich(`events.of.${kind}`, tags)}
                </li>
              ))}
            </ul>
          </>
        ),
        retry: text("retry"),
        mails: text("mails"),
      })}
    />
  );
}

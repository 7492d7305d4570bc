import { useTranslations } from "next-intl";
import { tags } from "@/components/ui/rich-text";
import { customerKinds, eventOf } from "@/lib/contract/notification-kinds";
import { webhookReceiver } from "@/lib/docs/webhook-snippets";
import { GuideFrame, Prose } from "../guide-frame";
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
      sections={[
        { id: "add", title: t("add.title"), body: text("add") },
        {
          id: "verify",
          title: t("verify.title"),
          body: (
            <>
              {text("verify")}
              <Sample title={t("verify.sample")} code={webhookReceiver} />
            </>
          ),
        },
        {
          id: "events",
          title: t("events.title"),
          body: (
            <>
              <Prose>{t.rich("events.text", tags)}</Prose>
              <ul className="mt-3 grid gap-1.5">
                {customerKinds.map((kind) => (
                  <li key={kind}>
                    <code>{eventOf(kind)}</code>: {t(`events.of.${kind}`)}
                  </li>
                ))}
              </ul>
            </>
          ),
        },
        { id: "retry", title: t("retry.title"), body: text("retry") },
        { id: "mails", title: t("mails.title"), body: text("mails") },
      ]}
    />
  );
}

import { useTranslations } from "next-intl";
import { FactList } from "@/components/ui/fact-list";
import { tags } from "@/components/ui/rich-text";
import { formFields, openWebUi } from "@/lib/docs/chat-apps";
import type { Place } from "@/lib/docs/code";
import { CodeFile } from "../code-file";
import { Prose } from "../guide-frame";

/** What to fill in where an application has a form for a provider. */
export function FormFields({ name, place }: { name: "cursor" | "n8n"; place: Place }) {
  const t = useTranslations("docs.guides.clients");
  return (
    <>
      <Prose>{t.rich(`${name}.text`, tags)}</Prose>
      <FactList
        facts={formFields(place).map(([field, value]) => ({
          name: t(`fields.${field}`),
          text: tags.code(value),
        }))}
      />
    </>
  );
}

export function OpenWebUi({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.clients.openWebUi");
  return (
    <>
      <Prose>{t.rich("text", tags)}</Prose>
      <CodeFile title={t("command")} file={openWebUi(place)} />
    </>
  );
}

import { useTranslations } from "next-intl";
import { DialogForm } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import type { WebhookTerms } from "@/lib/client/webhooks";
import { CALLBACK_CHARACTERS_MAX } from "@/lib/contract/limits";
import { EventChoice } from "./event-choice";

const isAddress = (text: string) => /^https?:\/\/./i.test(text.trim()) && URL.canParse(text.trim());

interface WebhookFormProps<Answer> {
  start: WebhookTerms;
  go: string;
  send: (terms: WebhookTerms) => Promise<Answer>;
  onDone: (answer: Answer) => void;
  onCancel: () => void;
}

export function WebhookForm<Answer>(props: WebhookFormProps<Answer>) {
  const { start, go, send, onDone, onCancel } = props;
  const t = useTranslations("notifications");
  const form = useServerForm({
    start: { ...start },
    problemsOf: ({ url, kinds }) => ({
      url: isAddress(url) ? undefined : t("addressProblem"),
      kinds: kinds.length === 0 ? t("eventsProblem") : undefined,
    }),
    send: ({ url, kinds }) => send({ url: url.trim(), kinds }),
    onDone,
  });
  return (
    <DialogForm form={form} go={go} onCancel={onCancel}>
      <TextField
        label={t("address")}
        type="url"
        inputMode="url"
        maxLength={CALLBACK_CHARACTERS_MAX}
        {...form.field("url")}
      />
      <EventChoice
        kinds={form.watch().kinds}
        onChange={(kinds) => form.change({ kinds })}
        error={form.errorOf("kinds")}
      />
    </DialogForm>
  );
}

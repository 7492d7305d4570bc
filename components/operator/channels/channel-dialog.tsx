import { useTranslations } from "next-intl";
import { CollapsibleSection } from "@/components/forms/collapsible-section";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { showToast } from "@/components/ui/toast";
import { useSaveChannel } from "@/lib/client/operator-channels";
import type { ChannelView } from "@/lib/contract/operator-channels";
import { ChannelFields } from "./channel-fields";
import {
  type ChannelInput,
  changeBody,
  createBody,
  emptyChannel,
  foldedFields,
  inputOf,
  wayFields,
} from "./channel-form";
import { ChatTermsFields } from "./chat-terms-fields";
import { FurtherCredentials } from "./further-credentials";
import { HeadersField } from "./headers-field";
import { NumberFields } from "./number-fields";
import { useChannelForm } from "./use-channel-form";

interface ChannelDialogProps {
  /** Null for a new channel. */
  channel: ChannelView | null;
  onClose: () => void;
}

export function ChannelDialog({ channel, onClose }: ChannelDialogProps) {
  const t = useTranslations("operator.channels");
  const ui = useTranslations("ui");
  const save = useSaveChannel();
  const form = useChannelForm({
    start: channel ? inputOf(channel) : emptyChannel,
    send: (input) =>
      save.mutateAsync(
        channel
          ? { id: channel.id, body: changeBody(input) }
          : { id: null, body: createBody(input) },
      ),
    onDone: ({ name }) => {
      showToast(t(channel ? "saved" : "added", { name: name.trim() }));
      onClose();
    },
  });
  const { requestsPerSecond, requestsPerMinute, priority, weight, credentials, headers } =
    form.watch();
  const headerCount = headers.split("\n").filter((line) => line.trim() !== "").length;
  const hasProblem = (fields: readonly (keyof ChannelInput)[]) =>
    fields.some((field) => form.errorOf(field) !== undefined);
  return (
    <FormDialog
      form={form}
      go={channel ? ui("save") : t("add")}
      onClose={onClose}
      title={channel ? t("editTitle", { name: channel.name }) : t("addTitle")}
      note={channel ? t("editNote") : t("addNote")}
      className="sm:w-[min(42rem,calc(100vw-2rem))]"
    >
      <ChannelFields channel={channel} form={form} />
      <CollapsibleSection
        title={t("way")}
        note={t("wayNow", { keys: credentials.length, headers: headerCount })}
        isOpen={hasProblem(wayFields)}
      >
        <div className="grid gap-5">
          <FurtherCredentials channel={channel} form={form} />
          <HeadersField form={form} />
          <TextField
            label={t("proxy")}
            hint={t(channel?.hasProxyUser ? "proxyKept" : "proxyHint")}
            inputMode="url"
            spellCheck={false}
            {...form.field("proxy")}
          />
        </div>
      </CollapsibleSection>
      <CollapsibleSection
        title={t("limits")}
        note={t("limitsNow", {
          perSecond: requestsPerSecond,
          perMinute: requestsPerMinute,
          priority,
          weight,
        })}
        isOpen={hasProblem(foldedFields)}
      >
        <NumberFields form={form} />
        <ChatTermsFields form={form} />
      </CollapsibleSection>
    </FormDialog>
  );
}

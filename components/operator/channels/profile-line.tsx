import { useTranslations } from "next-intl";
import { RelativeTime } from "@/components/ui/relative-time";
import { findModel } from "@/lib/catalog/models";
import type { ChannelView } from "@/lib/contract/operator-channels";

/** Whether a channel for text was tested, and why it is refused if it is. */
export function ProfileLine({ channel }: { channel: ChannelView }) {
  const t = useTranslations("operator.channels");
  const { profiledAt, refusal, models } = channel;
  const hasText = Object.keys(models).some((id) => findModel(id)?.family === "text");
  if (!hasText) return null;
  if (refusal !== null)
    return <span className="block text-bad text-sm">{t(`refusals.${refusal}`)}</span>;
  return (
    <span className="block text-muted text-sm">
      {profiledAt === null ? (
        t("notTested")
      ) : (
        <>
          {t("testedAt")} <RelativeTime at={profiledAt} />
        </>
      )}
    </span>
  );
}

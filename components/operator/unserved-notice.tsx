import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useListText } from "@/components/ui/use-list-text";
import type { UnservedModel } from "@/lib/contract/unserved";

interface UnservedNoticeProps {
  unserved: readonly UnservedModel[];
  /** The page has the channels already. */
  isOnChannels?: boolean;
}

/** Lists the models without a working channel, and what to do. */
export function UnservedNotice({ unserved, isOnChannels = false }: UnservedNoticeProps) {
  const listed = useListText();
  const t = useTranslations("operator.unserved");
  if (unserved.length === 0) return null;
  const names = (hasChannel: boolean) =>
    unserved.filter((each) => each.hasChannel === hasChannel).map(({ model }) => model);
  const [off, missing] = [names(true), names(false)];
  return (
    <div className="mb-5">
      <Notice tone="bad">
        <p className="font-medium">{t("title", { count: unserved.length })}</p>
        {off.length > 0 ? <p>{t("off", { models: listed(off), count: off.length })}</p> : null}
        {missing.length > 0 ? (
          <p>{t("missing", { models: listed(missing), count: missing.length })}</p>
        ) : null}
        <p className="text-muted">{t("sandbox")}</p>
        {isOnChannels ? null : (
          <Link
            href="/admin/channels"
            className="mt-1.5 inline-block rounded-sm font-medium underline decoration-line-strong underline-offset-3 hover:decoration-ink"
          >
            {t("toChannels")}
          </Link>
        )}
      </Notice>
    </div>
  );
}

import { Megaphone } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card, CardHead } from "@/components/ui/card";
import { ExactTime } from "@/components/ui/exact-time";
import { Pill } from "@/components/ui/pill";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useEndNotice } from "@/lib/client/operator-settings";
import type { NoticeView } from "@/lib/contract/operator-settings";
import { NoticeDialog } from "./notice-dialog";

const tones = { shown: "ok", coming: "held", ended: "plain" } as const;

/** Notices to everyone: current, planned and past. */
export function NoticesCard({ notices }: { notices: readonly NoticeView[] }) {
  const t = useTranslations("operator.settings.notices");
  const [isPosting, setIsPosting] = useState(false);
  return (
    <Card id="notices" aria-labelledby="notices-head" className="max-lg:scroll-mt-18">
      <CardHead id="notices-head" title={t("title")} note={t("note")}>
        <Button onClick={() => setIsPosting(true)}>
          <Megaphone aria-hidden />
          {t("post")}
        </Button>
      </CardHead>
      {isPosting ? <NoticeDialog onClose={() => setIsPosting(false)} /> : null}
      {notices.length === 0 ? (
        <p className="border-t px-5 py-10 text-center text-muted">{t("empty")}</p>
      ) : (
        <ul className="divide-y border-t">
          {notices.map((notice) => (
            <NoticeLine key={notice.id} notice={notice} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function NoticeLine({ notice }: { notice: NoticeView }) {
  const t = useTranslations("operator.settings.notices");
  const showFailure = useFailureToast("operator");
  const end = useEndNotice();
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-5 py-3.5">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap gap-2">
          <Pill tone={tones[notice.state]}>{t(`states.${notice.state}`)}</Pill>
          <Pill>{t(`levels.${notice.level}`)}</Pill>
        </p>
        <p lang="en" className="wrap-anywhere mt-1.5">
          {notice.textEn}
        </p>
        <p lang="zh-CN" className="wrap-anywhere text-muted">
          {notice.textZh}
        </p>
        <p className="mt-1 text-muted text-sm">
          <ExactTime at={notice.startsAt} /> –{" "}
          {notice.endsAt ? <ExactTime at={notice.endsAt} /> : t("noEnd")}
        </p>
      </div>
      {notice.state === "ended" ? null : (
        <Button
          size="small"
          isBusy={end.isPending}
          onClick={() =>
            end.mutate(notice.id, { onSuccess: () => showToast(t("ended")), onError: showFailure })
          }
        >
          {t("end")}
        </Button>
      )}
    </li>
  );
}

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { type MediaKind, mediaText, openMedia } from "@/lib/client/media-sessions";
import { SessionsButton } from "./sessions-button";
import type { useMediaSession } from "./use-media-session";

interface MediaActionsProps {
  kind: MediaKind;
  session: Pick<ReturnType<typeof useMediaSession>, "open" | "startNew">;
}

/** The kept series of videos or images, and a new one. */
export function MediaActions({ kind, session }: MediaActionsProps) {
  const t = useTranslations("playground");
  return (
    <>
      <SessionsButton
        kind={kind}
        open={openMedia}
        onOpen={session.open}
        name={kind === "video" ? "videos" : "images"}
        textOf={(kept) => mediaText(kept, window.location.origin)}
        jsonOf={({ orders }) => JSON.stringify({ orders }, null, 2)}
      />
      <Button look="quiet" onClick={session.startNew} title={t("sessionNew")}>
        <Plus aria-hidden />
        <span className="max-xl:sr-only">{t("sessionNew")}</span>
      </Button>
    </>
  );
}

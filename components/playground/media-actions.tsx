"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import {
  type MediaKind,
  type MediaSession,
  mediaText,
  openMedia,
} from "@/lib/client/media-sessions";
import { SessionsButton } from "./sessions-button";

/** The kept series of videos or images, and a new one. */
export function MediaActions({
  kind,
  onOpen,
  onNew,
}: {
  kind: MediaKind;
  onOpen: (session: MediaSession) => void;
  onNew: () => void;
}) {
  const t = useTranslations("playground");
  return (
    <>
      <SessionsButton
        kind={kind}
        open={openMedia}
        onOpen={onOpen}
        name={kind === "video" ? "videos" : "images"}
        textOf={(session) => mediaText(session, window.location.origin)}
        jsonOf={({ orders }) => JSON.stringify({ orders }, null, 2)}
      />
      <Button look="quiet" onClick={onNew} title={t("sessionNew")}>
        <Plus aria-hidden />
        <span className="max-xl:sr-only">{t("sessionNew")}</span>
      </Button>
    </>
  );
}

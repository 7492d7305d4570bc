"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { Notice } from "@/components/ui/notice";
import { shortPoints } from "@/lib/client/points-display";
import {
  REFERRAL_COOKIE,
  REFERRAL_COOKIE_SECONDS,
  type ReferralOffer,
} from "@/lib/contract/referral";

/** What the link promises. Keeps its code, so that every way to sign up knows it. */
export function ReferralNotice({ offer: { code, points, days } }: { offer: ReferralOffer }) {
  const t = useTranslations("auth");
  useEffect(() => {
    const secure = window.location.protocol === "https:" ? "; secure" : "";
    // biome-ignore lint/suspicious/noDocumentCookie: the other interface needs https
    document.cookie = `${REFERRAL_COOKIE}=${code}; path=/; max-age=${REFERRAL_COOKIE_SECONDS}; samesite=lax${secure}`;
  }, [code]);
  return (
    <div className="mb-4">
      <Notice tone="note">{t("referral", { points: shortPoints(points), days })}</Notice>
    </div>
  );
}

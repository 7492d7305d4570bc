"use client";

import { useTranslations } from "next-intl";
import { Card, CardHead } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Input } from "@/components/ui/input";
import { shortPoints } from "@/lib/client/points-display";
import type { ReferralView } from "@/lib/contract/referral";
import { ReferralLines } from "./referral-lines";

/** The account's own referral link and what it brought; also what the link it came by brought. */
export function ReferralCard({ view, origin }: { view: ReferralView; origin: string }) {
  const t = useTranslations("points.referral");
  const { code, points, days, monthMax, totalMax, own } = view;
  const isOn = Number(points) > 0;
  const link = `${origin}/signup?ref=${code}`;
  const bounds = [
    monthMax === null ? null : t("monthMax", { count: monthMax }),
    totalMax === null ? null : t("totalMax", { count: totalMax }),
  ].filter((text) => text !== null);
  return (
    <Card aria-labelledby="referral" className="mt-3.5">
      <CardHead
        id="referral"
        title={t("title")}
        note={isOn ? t("note", { points: shortPoints(points), days }) : t("off")}
      />
      <div className="grid gap-3 px-5 pb-4.5">
        {isOn ? (
          <div className="flex max-w-160 gap-2">
            <Input
              readOnly
              aria-label={t("link")}
              value={link}
              className="num text-sm"
              onFocus={(event) => event.target.select()}
            />
            <CopyButton text={link} what={t("link")} size="medium" className="h-10" />
          </div>
        ) : null}
        {isOn && bounds.length > 0 ? (
          <p className="text-muted text-sm">{bounds.join(" ")}</p>
        ) : null}
        {own === null ? null : (
          <p className="text-sm">{t(`own.${own.state}`, { points: shortPoints(own.points) })}</p>
        )}
        <p className="text-sm">
          {t("sums", {
            signedUp: view.signedUp,
            rewarded: view.rewarded,
            earned: shortPoints(view.earned),
          })}
        </p>
      </div>
      <ReferralLines lines={view.lines} count={view.paid} />
    </Card>
  );
}

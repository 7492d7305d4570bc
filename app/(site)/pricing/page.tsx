import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { priceViews } from "@/app/_server/prices";
import { publicMetadata } from "@/app/_server/public-metadata";
import { Calculator } from "@/components/pricing/calculator";
import { FamilyFilter } from "@/components/pricing/family-filter";
import { PriceTable } from "@/components/pricing/price-table";
import { linkClassName } from "@/components/ui/rich-text";
import { publicEndpoints } from "@/lib/contract/public";
import { families } from "@/lib/contract/states";
import { currentUser } from "@/lib/session/current-user";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("pricing");
  return publicMetadata("/pricing", t("name"), t("note"));
}

interface PricingProps {
  searchParams: Promise<{ family?: string | string[] }>;
}

export default async function PricingPage({ searchParams }: PricingProps) {
  const wanted = (await searchParams).family;
  const family = families.find((each) => each === wanted) ?? null;
  const t = await getTranslations("pricing");
  const format = await getFormatter();
  const user = await currentUser();
  const prices = await priceViews(user?.accountId ?? null);
  const hasOwn = prices.some(({ own }) => own !== null);
  const changedAt = prices.reduce(
    (latest, { effectiveAt }) => (effectiveAt && effectiveAt > latest ? effectiveAt : latest),
    "",
  );
  return (
    <>
      <h1 className="max-w-[17ch] text-4xl lang-zh:max-w-[20ch] tracking-tighter">{t("title")}</h1>
      <p className="mt-3 mb-8 max-w-[62ch] text-muted">{hasOwn ? t("noteOwn") : t("note")}</p>
      <div className="grid grid-cols-1 gap-5.5 lg:grid-cols-[minmax(0,1fr)_20.625rem]">
        <div className="min-w-0">
          <FamilyFilter family={family} />
          <PriceTable prices={prices} hasOwn={hasOwn} family={family} />
          {changedAt ? (
            <p className="mt-3 text-muted text-sm">
              {t("changed")}{" "}
              <time dateTime={changedAt}>
                {format.dateTime(new Date(changedAt), {
                  year: "numeric",
                  month: "long",
                  day: "numeric",
                  hour: "2-digit",
                  minute: "2-digit",
                  hourCycle: "h23",
                  timeZone: "UTC",
                  timeZoneName: "short",
                })}
              </time>
            </p>
          ) : null}
          <p className="mt-1 text-muted text-sm">
            {t.rich("data", {
              prices: (text) => (
                <a href={publicEndpoints.showPrices.path} className={linkClassName}>
                  {text}
                </a>
              ),
            })}
          </p>
        </div>
        <Calculator prices={prices} />
      </div>
      <section aria-labelledby="rules" className="mt-14 max-w-[70ch]">
        <h2 id="rules" className="text-xl">
          {t("rules.title")}
        </h2>
        <dl className="mt-4 grid gap-4">
          {(["unit", "rounding", "failed", "held", "text", "video", "image"] as const).map(
            (rule) => (
              <div key={rule} className="grid gap-x-6 gap-y-0.5 sm:grid-cols-[9rem_1fr]">
                <dt className="font-medium">{t(`rules.${rule}.name`)}</dt>
                <dd className="text-muted">{t(`rules.${rule}.text`)}</dd>
              </div>
            ),
          )}
        </dl>
      </section>
    </>
  );
}

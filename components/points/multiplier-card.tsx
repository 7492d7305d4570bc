import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import type { Me } from "@/lib/contract/me";

export function MultiplierCard({ me }: { me: Me | undefined }) {
  const t = useTranslations("points");
  return (
    <Card aria-labelledby="multiplier" className="flex min-h-40 flex-col px-5 py-4.5">
      <h2 id="multiplier" className="font-normal text-muted text-sm tracking-normal">
        {t("yourPrice")}
      </h2>
      {me ? (
        <>
          <p className="mt-1.5 mb-1 font-medium">
            {Number(me.account.multiplier) === 1
              ? t("listPrice")
              : t("timesList", { multiplier: me.account.multiplier })}
          </p>
          <p className="text-muted text-sm">{t("multiplierNote")}</p>
          {me.account.modelMultipliers.length > 0 ? (
            <ul className="mt-2 grid gap-0.5 text-sm">
              {me.account.modelMultipliers.map(({ model, multiplier }) => (
                <li key={model} className="flex justify-between gap-3">
                  <span className="truncate">{model}</span>
                  <span className="num">× {multiplier}</span>
                </li>
              ))}
            </ul>
          ) : null}
          <Link
            href="/pricing"
            className="mt-auto self-start rounded-sm pt-3 text-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink"
          >
            {t("seePrices")}
          </Link>
        </>
      ) : (
        <div className="grid gap-2.5 pt-2.5">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-3 w-full" />
          <Skeleton className="h-3 w-4/5" />
        </div>
      )}
    </Card>
  );
}

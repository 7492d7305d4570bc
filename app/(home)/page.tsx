import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ownText, siteFace } from "@/app/_server/brand";
import { homeExamples } from "@/app/_server/examples";
import { figuresByModel, lastHour } from "@/app/_server/model-figures";
import { priceViews } from "@/app/_server/prices";
import { publicMetadata } from "@/app/_server/public-metadata";
import { siteFacts } from "@/app/_server/site";
import { packagesOnSale } from "@/app/_server/topup";
import { PackagesOnSale } from "@/components/catalog/packages-on-sale";
import { DialectCards } from "@/components/home/dialect-cards";
import { FamilyCards } from "@/components/home/family-cards";
import { LiveFigures } from "@/components/home/live-figures";
import { ModelsAtWork } from "@/components/home/models-at-work";
import { Promises } from "@/components/home/promises";
import { QuickStart } from "@/components/home/quick-start";
import { RequestExamples } from "@/components/home/request-examples";
import { ShownExamples } from "@/components/home/shown-examples";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { pointCost } from "@/lib/client/point-cost";
import { FIRST_KEY_PATH } from "@/lib/contract/page-paths";
import { areSandboxExamples } from "@/lib/pages-api/example-file";
import { currentUser } from "@/lib/session/current-user";

export async function generateMetadata(): Promise<Metadata> {
  return publicMetadata("/", null, (await siteFace()).description);
}

interface HomeProps {
  searchParams: Promise<{ currency?: string | string[] }>;
}

export default async function HomePage({ searchParams }: HomeProps) {
  const { currency } = await searchParams;
  const user = await currentUser();
  const { origin, baseUrl, welcomePoints } = siteFacts();
  const wanted = typeof currency === "string" ? currency : null;
  const [prices, figures, examples, packages, hour] = await Promise.all([
    priceViews(null),
    figuresByModel(),
    homeExamples(),
    packagesOnSale(),
    lastHour(),
  ]);
  return (
    <>
      <div className="grid grid-cols-1 gap-x-14 gap-y-10 lg:grid-cols-[1fr_1.05fr]">
        <Lead isSignedIn={user !== null} />
        <RequestExamples prices={prices} />
      </div>
      {hour ? <LiveFigures hour={hour} /> : null}
      <ShownExamples
        examples={examples}
        isSandbox={areSandboxExamples()}
        prices={prices}
        figures={figures}
        cost={pointCost(packages, wanted)}
      />
      <ModelsAtWork prices={prices} figures={figures} />
      <FamilyCards prices={prices} />
      <PackagesOnSale
        packages={packages}
        prices={prices}
        wanted={wanted}
        hrefOf={(each) => `/?currency=${each}`}
        className="mt-20"
      />
      <DialectCards place={{ origin, baseUrl }} />
      <Promises />
      <QuickStart baseUrl={baseUrl} welcomePoints={welcomePoints} isSignedIn={user !== null} />
    </>
  );
}

/** Starts at a fixed height. Centred, it would move while the column beside it loads. */
async function Lead({ isSignedIn }: { isSignedIn: boolean }) {
  const t = await getTranslations("home");
  const name = (await getTranslations("meta"))("name");
  const [title, lead] = [await ownText("home_title"), await ownText("home_lead")];
  return (
    <div className="lg:pt-16">
      <h1
        className="max-w-[15ch] text-4xl lang-zh:max-w-[20ch] tracking-tighter"
        lang={title?.lang}
      >
        {title?.text ?? t("title")}
      </h1>
      <p className="mt-4 max-w-[52ch] text-lg text-muted" lang={lead?.lang}>
        {lead?.text ?? t("lead", { name })}
      </p>
      <div className="mt-7 flex flex-wrap gap-2.5">
        <Button asChild look="signal" size="large">
          <Link href={isSignedIn ? "/points" : FIRST_KEY_PATH}>
            {isSignedIn ? t("toPoints") : t("getKey")}
          </Link>
        </Button>
        <Button asChild size="large">
          <Link href="/pricing">{t("seePrices")}</Link>
        </Button>
      </div>
    </div>
  );
}

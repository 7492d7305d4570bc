import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import type { ComponentType, ReactNode } from "react";
import { priceViews } from "@/app/_server/prices";
import { publicMetadata } from "@/app/_server/public-metadata";
import { siteFacts } from "@/app/_server/site";
import { BillingGuide } from "@/components/docs/guides/billing";
import { ClientsGuide } from "@/components/docs/guides/clients";
import { ErrorsGuide } from "@/components/docs/guides/errors";
import { ImagesGuide } from "@/components/docs/guides/images";
import { LibrariesGuide } from "@/components/docs/guides/libraries";
import { LimitsGuide } from "@/components/docs/guides/limits";
import { RetriesGuide } from "@/components/docs/guides/retries";
import { StreamingGuide } from "@/components/docs/guides/streaming";
import { VideosGuide } from "@/components/docs/guides/videos";
import { WebhooksGuide } from "@/components/docs/guides/webhooks";
import { ModelTable } from "@/components/models/model-table";
import type { ModelPriceView } from "@/lib/contract/prices";
import type { Place } from "@/lib/docs/code";
import { type GuideName, guideNames } from "@/lib/docs/guides";

interface GuideParts {
  place: Place;
  prices: readonly ModelPriceView[];
  modelTable: ReactNode;
}

const guides: Readonly<Record<GuideName, ComponentType<GuideParts>>> = {
  streaming: StreamingGuide,
  videos: VideosGuide,
  images: ImagesGuide,
  retries: RetriesGuide,
  webhooks: WebhooksGuide,
  limits: LimitsGuide,
  errors: ErrorsGuide,
  billing: BillingGuide,
  libraries: LibrariesGuide,
  clients: ClientsGuide,
};

interface GuideProps {
  params: Promise<{ guide: string }>;
}

async function guideOf({ params }: GuideProps): Promise<GuideName> {
  const { guide } = await params;
  return guideNames.find((name) => name === guide) ?? notFound();
}

export async function generateMetadata(props: GuideProps): Promise<Metadata> {
  const name = await guideOf(props);
  const t = await getTranslations("docs");
  return publicMetadata(`/docs/${name}`, t(`names.${name}`), t(`about.${name}`));
}

export default async function GuidePage(props: GuideProps) {
  const name = await guideOf(props);
  const Guide = guides[name];
  const { origin, baseUrl } = siteFacts();
  const prices = name === "billing" ? await priceViews(null) : [];
  return (
    <Guide
      place={{ origin, baseUrl }}
      prices={prices}
      modelTable={<ModelTable labelledBy="models" />}
    />
  );
}

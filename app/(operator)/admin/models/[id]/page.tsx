import type { Metadata } from "next";
import { requireOperator } from "@/app/_server/page-user";
import { ModelView } from "@/components/operator/models/model-view";

interface ModelPageProps {
  params: Promise<{ id: string }>;
}

const idOf = async ({ params }: ModelPageProps) => decodeURIComponent((await params).id);

export async function generateMetadata(props: ModelPageProps): Promise<Metadata> {
  await requireOperator();
  return { title: await idOf(props) };
}

export default async function OperatorModelPage(props: ModelPageProps) {
  await requireOperator();
  return <ModelView id={await idOf(props)} />;
}

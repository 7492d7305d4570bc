import { titled } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { isFromSandbox } from "@/app/_server/serving";
import { siteFacts } from "@/app/_server/site";
import { ImageView } from "@/components/playground/image-view";
import { textOf, type UrlParameters } from "@/lib/client/model-search";

export const generateMetadata = titled((t) => t("studio.imageTitle"));

export default async function ImagePlaygroundPage({
  searchParams,
}: {
  searchParams: Promise<UrlParameters>;
}) {
  await requirePageUser();
  const parameters = await searchParams;
  return (
    <ImageView
      baseUrl={siteFacts().baseUrl}
      model={textOf(parameters.model)}
      prompt={textOf(parameters.prompt)}
      isSandbox={isFromSandbox("image")}
    />
  );
}

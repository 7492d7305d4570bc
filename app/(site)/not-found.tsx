import { pageTitle } from "@/app/_server/page-title";
import { MissingPage } from "@/components/shell/missing-page";

export const generateMetadata = pageTitle("notFound");

export default function NotFoundInSite() {
  return <MissingPage isFramed />;
}

import { redirect } from "next/navigation";

/** What there is to see at a glance is on the points page for now. */
export default function OverviewPage() {
  redirect("/points");
}

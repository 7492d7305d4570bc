import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { chainHref, usesOf } from "@/lib/client/chain";
import { useResultPath } from "@/lib/client/result-url";
import { useMay } from "@/lib/client/shown-account";
import type { TaskView } from "@/lib/contract/tasks";

/** What a result can be used for next, as links to the studio. */
export function ChainLinks({ task }: { task: TaskView }) {
  const t = useTranslations("studio.chain");
  const path = useResultPath(task);
  const orders = useMay("order");
  if (path === null || !orders) return null;
  return usesOf(task).map((use) => (
    <Button asChild key={use} size="small">
      <Link href={chainHref(task, use)} prefetch={false}>
        {t(use)}
      </Link>
    </Button>
  ));
}

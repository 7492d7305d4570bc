import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { Button } from "@/components/ui/button";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { showToast } from "@/components/ui/toast";
import { useOperatorWrite } from "@/lib/client/write";
import { REASON_LENGTH_MAX } from "@/lib/contract/limits";
import { requestEndpoints, type StuckView } from "@/lib/contract/operator-requests";
import { useOperatorForm } from "./use-operator-form";

type Node = StuckView["nodes"][number];

/** A process that died with open holds. */
export function DeadNode({ node }: { node: Node }) {
  const t = useTranslations("operator.stuck");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-3 text-sm">
      <span className="min-w-0 flex-1 max-sm:basis-full">
        <code className="break-all">{node.id}</code>
        <span className="block text-muted">
          {t.rich("lastSeen", { time: () => <RelativeTime at={node.leaseUntil} /> })} ·{" "}
          {t(node.isHere ? "isHere" : "isElsewhere")}
        </span>
      </span>
      <span>
        {t.rich("owes", {
          count: node.open,
          amount: () => <PointsText value={node.held} className="text-held-ink" />,
        })}
      </span>
      <Button size="small" onClick={() => setIsOpen(true)}>
        {t("giveUp")}
      </Button>
      {isOpen ? <GiveUpDialog node={node} onClose={() => setIsOpen(false)} /> : null}
    </li>
  );
}

function GiveUpDialog({ node, onClose }: { node: Node; onClose: () => void }) {
  const t = useTranslations("operator.stuck");
  const write = useOperatorWrite(requestEndpoints.releaseNode);
  const form = useOperatorForm({
    start: { name: "" },
    problemsOf: ({ name }) => ({ name: name.trim() === node.id ? undefined : t("notTheId") }),
    send: async () => {
      const { operations } = await write.mutateAsync({ id: node.id });
      // The dialog and its row may already be unmounted.
      showToast(t("ended", { count: operations }));
    },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("giveUpTitle")}
      note={t("giveUpNote")}
      go={t("giveUp")}
      isDangerous
    >
      <TextField
        label={t("typeId", { id: node.id })}
        maxLength={REASON_LENGTH_MAX}
        {...form.field("name")}
      />
    </FormDialog>
  );
}

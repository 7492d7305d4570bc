"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { showToast } from "@/components/ui/toast";
import { useOperatorWrite } from "@/lib/client/operator-write";
import { releaseNodeResponse, type StuckView } from "@/lib/contract/operator-requests";
import { ChangeDialog, TextField, useFields } from "./change-dialog";

type Node = StuckView["nodes"][number];

/** A process that died while it owed something. */
export function DeadNode({ node }: { node: Node }) {
  const t = useTranslations("operator.stuck");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-3 text-sm">
      <span className="min-w-0 flex-1">
        <code className="break-all">{node.id}</code>
        <span className="block text-muted">
          {t.rich("lastSeen", { time: () => <RelativeTime at={node.leaseUntil} /> })} · {t(node.isHere ? "isHere" : "isElsewhere")}
        </span>
      </span>
      <span>
        {t("owes", { count: node.open })} <PointsText value={node.held} className="text-held-ink" />
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
  const write = useOperatorWrite(`/api/admin/nodes/${encodeURIComponent(node.id)}/release`, releaseNodeResponse);
  const { values, set } = useFields({ name: "" });
  const [isTried, setIsTried] = useState(false);
  const isSure = values.name.trim() === node.id;
  const submit = () => {
    setIsTried(true);
    if (!isSure) return;
    write.mutate(undefined, {
      onSuccess: ({ operations }) => {
        onClose();
        showToast(t("ended", { count: operations }));
      },
    });
  };
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={t("giveUpTitle")}
      note={t("giveUpNote")}
      go={t("giveUp")}
      isDangerous
      write={write}
      onSubmit={submit}
    >
      <TextField
        label={t("typeId", { id: node.id })}
        value={values.name}
        onChange={set("name")}
        error={isTried && !isSure ? t("notTheId") : undefined}
      />
    </ChangeDialog>
  );
}

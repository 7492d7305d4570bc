"use client";

import { Download, Ticket } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { useOperatorWrite } from "@/lib/client/operator-write";
import { NAME_LENGTH_MAX, POINTS_LENGTH_MAX, VOUCHERS_PER_BATCH_MAX } from "@/lib/contract/limits";
import { createBatchResponse } from "@/lib/contract/operator-topup";
import { csvOf } from "@/lib/csv";
import { ChangeDialog, TextField, useFields } from "./change-dialog";

interface Made {
  readonly name: string;
  readonly codes: readonly string[];
}

/** Makes a batch; its codes are shown and saved this one time. */
export function VoucherBatchDialog() {
  const t = useTranslations("operator.vouchers");
  const [isOpen, setIsOpen] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  return (
    <>
      <Button look="go" onClick={() => setIsOpen(true)}>
        <Ticket aria-hidden />
        {t("make")}
      </Button>
      {isOpen ? <BatchForm onClose={() => setIsOpen(false)} onMade={setMade} /> : null}
      <Dialog
        isOpen={made !== null}
        onOpenChange={() => setMade(null)}
        isDismissible={false}
        title={t("madeTitle")}
        description={t("madeNote")}
      >
        {made ? <Codes made={made} onClose={() => setMade(null)} /> : null}
      </Dialog>
    </>
  );
}

function saveCsv({ name, codes }: Made): void {
  const text = csvOf(
    ["code"],
    codes.map((code) => ({ code })),
  );
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `vouchers-${name.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 40)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function Codes({ made, onClose }: { made: Made; onClose: () => void }) {
  const t = useTranslations("operator.vouchers");
  const text = made.codes.join("\n");
  return (
    <>
      <textarea
        readOnly
        aria-label={t("codes")}
        value={text}
        rows={Math.min(8, made.codes.length)}
        onFocus={(event) => event.target.select()}
        className="num w-full resize-none rounded-md border border-control bg-card px-3 py-2 text-sm"
      />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={() => saveCsv(made)}>
          <Download aria-hidden />
          {t("saveCsv")}
        </Button>
        <CopyButton text={text} what={t("codes")} />
      </div>
      <DialogActions>
        <Button look="go" onClick={onClose}>
          {t("saved")}
        </Button>
      </DialogActions>
    </>
  );
}

function BatchForm({ onClose, onMade }: { onClose: () => void; onMade: (made: Made) => void }) {
  const t = useTranslations("operator.vouchers");
  const write = useOperatorWrite("/api/admin/vouchers", createBatchResponse);
  const { values, set, check, missing } = useFields({ name: "", points: "", count: "1", days: "" });
  const submit = () => {
    if (!check("name", "points", "count")) return;
    const expiresAt = values.days.trim() === "" ? null : new Date(Date.now() + Number(values.days) * 86_400_000);
    const body = {
      name: values.name.trim(),
      points: values.points.trim(),
      count: Number(values.count),
      expiresAt: expiresAt && !Number.isNaN(expiresAt.getTime()) ? expiresAt.toISOString() : null,
    };
    write.mutate(body, {
      onSuccess: ({ codes }) => {
        onClose();
        onMade({ name: body.name, codes });
      },
    });
  };
  return (
    <ChangeDialog isOpen onClose={onClose} title={t("make")} note={t("makeNote")} go={t("makeGo")} write={write} onSubmit={submit}>
      <TextField
        label={t("name")}
        hint={t("nameHint")}
        value={values.name}
        onChange={set("name")}
        maxLength={NAME_LENGTH_MAX}
        error={missing("name", t("nameMissing"))}
      />
      <TextField
        label={t("each")}
        isNumber
        value={values.points}
        onChange={set("points")}
        maxLength={POINTS_LENGTH_MAX}
        error={missing("points", t("pointsMissing"))}
      />
      <TextField
        label={t("count")}
        hint={t("countHint")}
        isNumber
        value={values.count}
        onChange={set("count")}
        maxLength={String(VOUCHERS_PER_BATCH_MAX).length}
        error={missing("count", t("countHint"))}
      />
      <TextField label={t("days")} hint={t("daysHint")} isNumber value={values.days} onChange={set("days")} maxLength={4} />
    </ChangeDialog>
  );
}

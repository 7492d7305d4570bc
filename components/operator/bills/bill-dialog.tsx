import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { SelectField, TextField } from "@/components/forms/text-field";
import { changeAddress } from "@/components/lists/address";
import { controlStyle, Options } from "@/components/ui/input";
import { channelsQuery } from "@/lib/client/operator-channels";
import { useOperatorWrite } from "@/lib/client/write";
import { type BillFormat, billFormats } from "@/lib/contract/bill-words";
import { BILL_UPLOAD_CHARACTERS_MAX, billEndpoints } from "@/lib/contract/operator-bills";
import { billText } from "@/lib/upstream-bills/bill-text";
import { LoadedSelect } from "../loaded-select";
import { useOperatorForm } from "../use-operator-form";

interface GivenFile {
  readonly name: string;
  readonly text: string;
}

type BillFault = "tooLong" | "unreadable";

async function readBillFile(given: File): Promise<GivenFile | BillFault> {
  if (given.size > BILL_UPLOAD_CHARACTERS_MAX) return "tooLong";
  try {
    const text = billText(new Uint8Array(await given.arrayBuffer()));
    return { name: given.name.slice(0, 80), text };
  } catch {
    return "unreadable";
  }
}

/** Compares a file with our own book. A longer one is compared on the command line. */
export function BillDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("operator.bills");
  const id = useId();
  const write = useOperatorWrite(billEndpoints.reconcileUpstreamBill);
  const channels = useQuery(channelsQuery);
  const [file, setFile] = useState<GivenFile | null>(null);
  const [fault, setFault] = useState<BillFault | null>(null);
  const form = useOperatorForm({
    start: { channelId: "", currency: "USD", zone: "UTC", format: "csv" as BillFormat },
    problemsOf: ({ channelId }) => ({
      channelId: channelId === "" ? t("channelMissing") : undefined,
    }),
    // The browser asks for a file first.
    send: (given) =>
      write.mutateAsync({ body: { ...given, ...(file ?? { name: "-", text: "" }) } }),
    onDone: ({ bill }) => {
      changeAddress({ bill: bill.id });
      onClose();
    },
  });
  const choose = async (given: File | undefined) => {
    const read = given && (await readBillFile(given));
    setFile(typeof read === "string" ? null : (read ?? null));
    setFault(typeof read === "string" ? read : null);
  };
  return (
    <FormDialog
      form={form}
      title={t("compare")}
      note={t("compareNote")}
      go={t("compareGo")}
      onClose={onClose}
    >
      <div className="grid gap-1.5">
        <label htmlFor={`${id}-file`} className="font-medium text-sm">
          {t("file")}
        </label>
        <input
          id={`${id}-file`}
          type="file"
          accept=".csv,.json,.jsonl,.txt"
          required
          className={`${controlStyle} px-3 py-2`}
          onChange={(event) => void choose(event.target.files?.[0])}
        />
        <p className="text-muted text-sm">
          {fault === "tooLong"
            ? t.rich("tooLong", { code: (text) => <code>{text}</code> })
            : t(fault ?? "fileHint")}
        </p>
      </div>
      <LoadedSelect
        label={t("channel")}
        query={channels}
        of={channels.data?.channels ?? []}
        none={t("choose")}
        {...form.field("channelId")}
      />
      <div className="grid grid-cols-2 items-start gap-3">
        <SelectField label={t("format")} {...form.field("format")}>
          <Options of={billFormats} name={(format) => t(`formats.${format}`)} />
        </SelectField>
        <TextField label={t("currency")} maxLength={3} {...form.field("currency")} />
      </div>
      <TextField label={t("zone")} hint={t("zoneHint")} {...form.field("zone")} />
    </FormDialog>
  );
}

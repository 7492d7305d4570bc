import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { SelectField, TextField } from "@/components/forms/text-field";
import { Options } from "@/components/ui/input";
import { channelsQuery } from "@/lib/client/operator-channels";
import { useOperatorWrite } from "@/lib/client/write";
import { PRICE_LIST_ADDRESS_MAX } from "@/lib/contract/limits";
import { upstreamEndpoints } from "@/lib/contract/operator-upstream";
import { priceListFormatNames } from "@/lib/contract/price-list-words";
import { LoadedSelect } from "../loaded-select";
import { useOperatorForm } from "../use-operator-form";

/** Sets where the price list of a channel's upstream is read. Render it only while it is open. */
export function PriceListDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("operator.bills.priceLists");
  const bills = useTranslations("operator.bills");
  const channels = useQuery(channelsQuery);
  const write = useOperatorWrite(upstreamEndpoints.setUpstreamPriceList);
  const form = useOperatorForm({
    start: { channelId: "", format: "new-api", address: "", currency: "USD" },
    problemsOf: ({ channelId }) => ({
      channelId: channelId === "" ? bills("choose") : undefined,
    }),
    send: ({ channelId, format, address, currency }) =>
      write.mutateAsync({
        body: {
          channelId,
          format: priceListFormatNames.find((each) => each === format) ?? null,
          address: address.trim() || null,
          currency: currency.trim(),
        },
      }),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t("setTitle")}
      note={t("setNote")}
      go={t("save")}
      onClose={onClose}
    >
      <LoadedSelect
        label={t("channel")}
        query={channels}
        of={channels.data?.channels ?? []}
        none={bills("choose")}
        {...form.field("channelId")}
      />
      <div className="grid grid-cols-2 items-start gap-3">
        <SelectField label={t("format")} {...form.field("format")}>
          <Options of={priceListFormatNames} />
          <option value="">{t("noList")}</option>
        </SelectField>
        <TextField label={t("currency")} maxLength={3} {...form.field("currency")} />
      </div>
      <TextField
        label={t("address")}
        maxLength={PRICE_LIST_ADDRESS_MAX}
        {...form.field("address")}
      />
    </FormDialog>
  );
}

import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { SelectField, TextField } from "@/components/forms/text-field";
import { ifEmpty } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { Card, CardHead } from "@/components/ui/card";
import { Options } from "@/components/ui/input";
import { closing } from "@/components/ui/toast";
import { allModels } from "@/lib/catalog/models";
import { useOperatorWrite } from "@/lib/client/write";
import {
  MULTIPLIER_LENGTH_MAX,
  REASON_LENGTH_MAX,
  REQUESTS_PER_MINUTE_MAX,
} from "@/lib/contract/limits";
import { type AccountView, accountEndpoints } from "@/lib/contract/operator-accounts";
import { AccountGroupDialog } from "./account-group-dialog";
import { useOperatorForm } from "./use-operator-form";

type Account = AccountView["account"];

/** The account's multipliers, and the limits of its new keys. */
export function AccountTerms({ account }: { account: Account }) {
  const t = useTranslations("operator.account");
  const format = useFormatter();
  const [dialog, setDialog] = useState<"group" | "multiplier" | "limit" | null>(null);
  const close = () => setDialog(null);
  const limit = account.keyRequestsPerMinute;
  return (
    <Card aria-labelledby="account-terms">
      <CardHead id="account-terms" title={t("terms")} note={t("termsNote")} />
      <dl className="border-t px-5 py-2 text-sm">
        <Term name={t("group")}>{account.group?.name ?? t("noGroup")}</Term>
        <Term name={t("multiplier")}>{`× ${account.multiplier}`}</Term>
        {account.group === null ? null : (
          <Term name={t("ownMultiplier")}>
            {account.ownMultiplier === null ? t("noOwn") : `× ${account.ownMultiplier}`}
          </Term>
        )}
        {account.modelMultipliers.map((own) => (
          <Term key={own.model} name={t("multiplierOf", { model: own.model })}>
            {`× ${own.multiplier}`}
          </Term>
        ))}
        <Term name={t("newKeys")}>
          {limit === null ? t("usual") : t("perMinute", { count: format.number(limit) })}
        </Term>
      </dl>
      <div className="flex flex-wrap gap-2 border-t px-5 py-3">
        <Button size="small" onClick={() => setDialog("group")}>
          {t("changeGroup")}
        </Button>
        <Button size="small" onClick={() => setDialog("multiplier")}>
          {t("changeMultiplier")}
        </Button>
        <Button size="small" onClick={() => setDialog("limit")}>
          {t("changeLimit")}
        </Button>
      </div>
      {dialog === "group" ? <AccountGroupDialog account={account} onClose={close} /> : null}
      {dialog === "multiplier" ? <MultiplierDialog account={account} onClose={close} /> : null}
      {dialog === "limit" ? <LimitDialog account={account} onClose={close} /> : null}
    </Card>
  );
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4 py-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}

function MultiplierDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const t = useTranslations("operator.account");
  const write = useOperatorWrite(accountEndpoints.changeMultiplier);
  const ownOf = (model: string) =>
    account.modelMultipliers.find((own) => own.model === model)?.multiplier;
  const form = useOperatorForm({
    start: { model: "", multiplier: account.ownMultiplier ?? "", reason: "" },
    problemsOf: ({ reason }) => ({
      reason: ifEmpty(reason, t("reasonMissing")),
    }),
    send: ({ model, multiplier, reason }) =>
      write.mutateAsync({
        id: account.id,
        body: {
          model: model || null,
          multiplier: multiplier.trim() || null,
          reason: reason.trim(),
        },
      }),
    onDone: closing(onClose, t("multiplierChanged")),
  });
  const { model } = form.watch();
  const choose = (next: string) =>
    form.change({
      model: next,
      multiplier: (next === "" ? account.ownMultiplier : ownOf(next)) ?? "",
    });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("changeMultiplier")}
      note={t("multiplierNote")}
      go={t("change")}
    >
      <SelectField
        label={t("model")}
        error={form.errorOf("model")}
        value={model}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">{t("allModels")}</option>
        <Options of={allModels().map(({ id }) => id)} />
      </SelectField>
      <TextField
        label={t("multiplier")}
        hint={t(model === "" ? "multiplierHint" : "multiplierOfHint")}
        isNumber
        maxLength={MULTIPLIER_LENGTH_MAX}
        {...form.field("multiplier")}
      />
      <TextField label={t("reason")} maxLength={REASON_LENGTH_MAX} {...form.field("reason")} />
    </FormDialog>
  );
}

function LimitDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const t = useTranslations("operator.account");
  const write = useOperatorWrite(accountEndpoints.changeKeyDefault);
  const isFair = (text: string) =>
    text === "" ||
    (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= REQUESTS_PER_MINUTE_MAX);
  const form = useOperatorForm({
    start: { requestsPerMinute: account.keyRequestsPerMinute?.toString() ?? "" },
    problemsOf: ({ requestsPerMinute }) => ({
      requestsPerMinute: isFair(requestsPerMinute.trim()) ? undefined : t("limitProblem"),
    }),
    send: ({ requestsPerMinute: text }) =>
      write.mutateAsync({
        id: account.id,
        body: { requestsPerMinute: text.trim() === "" ? null : Number(text) },
      }),
    onDone: closing(onClose, t("limitChanged")),
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("changeLimit")}
      note={t("limitNote")}
      go={t("change")}
    >
      <TextField
        label={t("newKeys")}
        hint={t("limitHint")}
        isNumber
        maxLength={String(REQUESTS_PER_MINUTE_MAX).length}
        {...form.field("requestsPerMinute")}
      />
    </FormDialog>
  );
}

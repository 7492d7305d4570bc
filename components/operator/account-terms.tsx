"use client";

import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card, CardHead } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/input";
import { showToast } from "@/components/ui/toast";
import { models } from "@/lib/catalog/models";
import { useOperatorWrite } from "@/lib/client/operator-write";
import { MULTIPLIER_LENGTH_MAX, REQUESTS_PER_MINUTE_MAX } from "@/lib/contract/limits";
import { type AccountView, doneResponse } from "@/lib/contract/operator-accounts";
import { ChangeDialog, TextField, useFields } from "./change-dialog";

type Account = AccountView["account"];

/** What the account pays, and what its new keys may do. */
export function AccountTerms({ account }: { account: Account }) {
  const t = useTranslations("operator.account");
  const format = useFormatter();
  const [dialog, setDialog] = useState<"multiplier" | "limit" | null>(null);
  const close = () => setDialog(null);
  const limit = account.keyRequestsPerMinute;
  return (
    <Card aria-labelledby="account-terms">
      <CardHead id="account-terms" title={t("terms")} note={t("termsNote")} />
      <dl className="border-t px-5 py-2 text-sm">
        <Term name={t("multiplier")}>{`× ${account.multiplier}`}</Term>
        {account.modelMultipliers.map((own) => (
          <Term key={own.model} name={t("multiplierOf", { model: own.model })}>
            {`× ${own.multiplier}`}
          </Term>
        ))}
        <Term name={t("newKeys")}>{limit === null ? t("usual") : t("perMinute", { count: format.number(limit) })}</Term>
      </dl>
      <div className="flex flex-wrap gap-2 border-t px-5 py-3">
        <Button size="small" onClick={() => setDialog("multiplier")}>
          {t("changeMultiplier")}
        </Button>
        <Button size="small" onClick={() => setDialog("limit")}>
          {t("changeLimit")}
        </Button>
      </div>
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

const address = (id: string, verb: string) => `/api/admin/accounts/${encodeURIComponent(id)}/${verb}`;

function MultiplierDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const t = useTranslations("operator.account");
  const write = useOperatorWrite(address(account.id, "multiplier"), doneResponse);
  const { values, set, check, missing } = useFields({ model: "", multiplier: account.multiplier, reason: "" });
  const ownOf = (model: string) => account.modelMultipliers.find((own) => own.model === model)?.multiplier;
  const choose = (model: string) => {
    set("model")(model);
    set("multiplier")(model === "" ? account.multiplier : (ownOf(model) ?? ""));
  };
  const submit = () => {
    const isReset = values.model !== "" && values.multiplier.trim() === "";
    if (!check(...(isReset ? (["reason"] as const) : (["multiplier", "reason"] as const)))) return;
    write.mutate(
      { model: values.model || null, multiplier: isReset ? null : values.multiplier.trim(), reason: values.reason.trim() },
      {
        onSuccess: () => {
          onClose();
          showToast(t("multiplierChanged"));
        },
      },
    );
  };
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={t("changeMultiplier")}
      note={t("multiplierNote")}
      go={t("change")}
      write={write}
      onSubmit={submit}
    >
      <Field label={t("model")}>
        {(control) => (
          <Select {...control} value={values.model} onChange={(event) => choose(event.target.value)}>
            <option value="">{t("allModels")}</option>
            {models.map(({ id }) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <TextField
        label={t("multiplier")}
        hint={t(values.model === "" ? "multiplierHint" : "multiplierOfHint")}
        isNumber
        value={values.multiplier}
        onChange={set("multiplier")}
        maxLength={MULTIPLIER_LENGTH_MAX}
        error={values.model === "" ? missing("multiplier", t("multiplierMissing")) : undefined}
      />
      <TextField label={t("reason")} value={values.reason} onChange={set("reason")} error={missing("reason", t("reasonMissing"))} />
    </ChangeDialog>
  );
}

function LimitDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const t = useTranslations("operator.account");
  const write = useOperatorWrite(address(account.id, "limits"), doneResponse);
  const { values, set } = useFields({ limit: account.keyRequestsPerMinute?.toString() ?? "" });
  const text = values.limit.trim();
  const isFair = text === "" || (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= REQUESTS_PER_MINUTE_MAX);
  const submit = () => {
    if (!isFair) return;
    write.mutate(
      { requestsPerMinute: text === "" ? null : Number(text) },
      {
        onSuccess: () => {
          onClose();
          showToast(t("limitChanged"));
        },
      },
    );
  };
  return (
    <ChangeDialog isOpen onClose={onClose} title={t("changeLimit")} note={t("limitNote")} go={t("change")} write={write} onSubmit={submit}>
      <TextField
        label={t("newKeys")}
        hint={t("limitHint")}
        isNumber
        value={values.limit}
        onChange={set("limit")}
        maxLength={String(REQUESTS_PER_MINUTE_MAX).length}
        error={isFair ? undefined : t("limitProblem")}
      />
    </ChangeDialog>
  );
}

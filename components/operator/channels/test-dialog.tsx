import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck } from "lucide-react";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { useDurationText } from "@/components/ui/duration-text";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";
import { findModel, type Model } from "@/lib/catalog/models";
import { decimalMoneyText } from "@/lib/client/money-text";
import { useTestChannel } from "@/lib/client/operator-channels";
import { operatorPricesQuery } from "@/lib/client/operator-prices";
import { readPoints } from "@/lib/client/points-display";
import { OWN_CREDENTIAL } from "@/lib/contract/channel-credentials";
import type { ChannelTestView, ChannelView } from "@/lib/contract/operator-channels";
import { formatPoints } from "@/lib/money/points";
import { trialTokens } from "@/lib/pricing/typical";
import { useOperatorFailureText } from "../operator-failure";
import { ProfileList } from "./profile-list";

interface TestDialogProps {
  channel: ChannelView;
  /** The only model to test; without it the person chooses. */
  only?: Pick<Model, "id" | "family">;
  onClose: () => void;
}

export function TestDialog({ channel, only, onClose }: TestDialogProps) {
  const t = useTranslations("operator.channels");
  return (
    <Dialog
      onClose={onClose}
      title={t("testTitle", { name: channel.name })}
      description={t("testNote")}
    >
      <TestForm channel={channel} only={only} onClose={onClose} />
    </Dialog>
  );
}

/** The names of the channel's keys; its own comes first. */
const keysOf = ({ hasApiKey, credentials }: ChannelView) => [
  ...(hasApiKey ? [OWN_CREDENTIAL] : []),
  ...credentials.map(({ name }) => name),
];

/** The key to test with, where there are several. */
function useKey(channel: ChannelView) {
  const keys = keysOf(channel);
  const [key, setKey] = useState(keys[0] ?? "");
  return { keys, key, setKey, chosen: keys.length > 1 ? { credential: key } : {} };
}

interface TestFormProps {
  channel: ChannelView;
  only: Pick<Model, "id" | "family"> | undefined;
  onClose: () => void;
}

function TestForm({ channel, only, onClose }: TestFormProps) {
  const t = useTranslations("operator.channels");
  const ui = useTranslations("ui");
  const failureText = useOperatorFailureText();
  const names = only ? [only.id] : Object.keys(channel.models);
  const [name, setName] = useState(names[0] ?? "");
  const [isReal, setIsReal] = useState(false);
  const { keys, key, setKey, chosen } = useKey(channel);
  const test = useTestChannel(channel.id);
  const model = findModel(name);
  const family = only?.family ?? model?.family;
  const isText = family === "text";
  const choose = (change: () => void) => {
    change();
    test.reset();
  };
  return (
    <div className="grid gap-4">
      <Choice
        label={t("model")}
        value={name}
        onChoose={(next) => choose(() => setName(next))}
        options={names.map((each) => [
          each,
          t("modelAs", { model: each, name: channel.models[each] ?? "" }),
        ])}
      />
      <KeyChoice keys={keys} value={key} onChoose={(next) => choose(() => setKey(next))} />
      {isText ? (
        <p className="text-muted text-sm">{t("testText")}</p>
      ) : (
        <div className="grid gap-2">
          <Segmented
            label={t("testKind")}
            value={isReal ? "real" : "dry"}
            options={[
              { value: "dry", label: t("testDry") },
              { value: "real", label: t("testReal") },
            ]}
            onChange={(kind) => choose(() => setIsReal(kind === "real"))}
          />
          <p className="text-muted text-sm">
            {isReal ? t(family === "video" ? "testVideo" : "testImage") : t("testDryNote")}{" "}
            {isReal && model ? <Cost model={model} /> : null}
          </p>
        </div>
      )}
      <div aria-live="polite" className="grid gap-4">
        {test.data ? <Outcome test={test.data} /> : null}
        {isText ? <ProfileList channel={channel} test={test.data ?? null} /> : null}
        {test.error ? <Notice tone="bad">{failureText(test.error)}</Notice> : null}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{ui("close")}</Button>
        <Button
          look="go"
          isBusy={test.isPending}
          onClick={() => test.mutate({ model: name, isReal: isReal && !isText, ...chosen })}
        >
          {t(isReal && !isText ? "testGoReal" : "testGo")}
        </Button>
      </DialogActions>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChoose(event.target.value)}>
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

interface KeyChoiceProps {
  keys: readonly string[];
  value: string;
  onChoose: (value: string) => void;
}

function KeyChoice({ keys, value, onChoose }: KeyChoiceProps) {
  const t = useTranslations("operator.channels");
  const options = keys.map((each) => [each, each] as const);
  return keys.length > 1 ? (
    <Choice label={t("testKey")} value={value} onChoose={onChoose} options={options} />
  ) : null;
}

/** The cost of a real test, if the upstream's price is known. */
function Cost({ model }: { model: Model }) {
  const t = useTranslations("operator.channels");
  const format = useFormatter();
  const locale = useLocale();
  const { data } = useQuery(operatorPricesQuery);
  const tokens = trialTokens(model);
  const upstream = data?.prices.find((price) => price.model === model.id)?.upstream;
  if (!upstream) return t("costTokens", { tokens: format.number(tokens) });
  const amount = (BigInt(tokens) * readPoints(upstream.output) + 999_999n) / 1_000_000n;
  return t("costMoney", {
    tokens: format.number(tokens),
    amount: decimalMoneyText(formatPoints(amount), upstream.currency, locale),
  });
}

function Outcome({ test }: { test: ChannelTestView }) {
  const t = useTranslations("operator.channels");
  const format = useFormatter();
  const durationText = useDurationText();
  const { failure, usage, stage, cancelled } = test;
  const Icon = failure ? CircleAlert : CircleCheck;
  return (
    <section
      aria-label={t("result")}
      className={`rounded-md border px-3.5 py-3 text-sm ${failure ? "border-bad/45 bg-bad/8" : "border-ok/40 bg-ok/8"}`}
    >
      <p className="flex gap-2 font-medium">
        <Icon
          aria-hidden
          className={`mt-0.5 size-4 shrink-0 ${failure ? "text-bad" : "text-ok-ink"}`}
        />
        {failure ? t(failure.isOperatorFault ? "failedByUs" : "failed") : t(`stages.${stage}`)}
      </p>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-muted">{t("tookName")}</dt>
        <dd className="num">{durationText(test.latencyMs)}</dd>
        {usage ? (
          <>
            <dt className="text-muted">{t("usageName")}</dt>
            <dd className="num">
              {t("usage", {
                input: format.number(usage.inputTokens),
                output: format.number(usage.outputTokens),
              })}
            </dd>
          </>
        ) : null}
        {failure ? (
          <>
            <dt className="text-muted">{t("upstreamSaid")}</dt>
            <dd className="num wrap-anywhere">{failure.internal}</dd>
            <dt className="text-muted">{t("customerTold")}</dt>
            <dd className="num wrap-anywhere">{failure.code}</dd>
          </>
        ) : null}
        {cancelled ? (
          <>
            <dt className="text-muted">{t("cancelName")}</dt>
            <dd>{t(`cancelled.${cancelled}`)}</dd>
          </>
        ) : null}
      </dl>
    </section>
  );
}

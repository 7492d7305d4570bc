"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { Field } from "@/components/ui/field";
import { controlStyle, Input, Select } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { PasswordInput } from "@/components/ui/password-input";
import { PointsText } from "@/components/ui/points-text";
import { Segmented } from "@/components/ui/segmented";
import type { Trial } from "@/lib/client/trial";
import { TryAnswer } from "./try-answer";
import type { TryCall } from "./try-it";
import { useTrial } from "./use-trial";

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** The fields of a request. The key is in this component's memory only. */
function useTryFields({ method, path, needsKey, takesSession, query, bodies }: TryCall) {
  const [source, setSource] = useState<"session" | "key">(takesSession ? "session" : "key");
  const [apiKey, setApiKey] = useState("");
  const [parameter, setParameter] = useState("");
  const [asked, setAsked] = useState(query ?? "");
  const [body, setBody] = useState(bodies[0]?.text ?? null);
  const parameterName = /\{(\w+)\}/.exec(path)?.[1] ?? null;
  const takesKey = needsKey && source === "key";
  const filled = path.replace(/\{\w+\}/, encodeURIComponent(parameter.trim()));
  const trial: Trial = {
    method,
    path: asked === "" ? filled : `${filled}?${asked.replace(/^\?/, "")}`,
    apiKey: takesKey ? apiKey.trim() : needsKey ? null : "",
    body,
  };
  const isBodyRight = body === null || isObjectText(body);
  const isReady =
    isBodyRight &&
    (!takesKey || apiKey.trim() !== "") &&
    (parameterName === null || parameter.trim() !== "");
  return {
    ...{ source, setSource, apiKey, setApiKey, takesKey, parameter, setParameter, parameterName },
    ...{ asked, setAsked, body, setBody, isBodyRight, trial, isReady },
  };
}

/** Sends one request from the page. A request that costs points is priced first. */
export function TryForm({ call }: { call: TryCall }) {
  const t = useTranslations("tryIt");
  const fields = useTryFields(call);
  const trial = useTrial(call.name);
  const { running, quote } = trial;
  const isPriced = !call.isSold || trial.quoted === JSON.stringify(fields.trial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (running !== null || !fields.isReady) return;
    void (isPriced ? trial.send(fields.trial) : trial.askPrice(fields.trial));
  };
  return (
    <form onSubmit={submit} className="mt-3 grid grid-cols-1 gap-4 rounded-lg border p-4">
      <TryFields call={call} fields={fields} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          type="submit"
          look={isPriced ? "signal" : "plain"}
          isBusy={running !== null}
          disabled={!fields.isReady}
        >
          {isPriced ? t("send") : t("price")}
        </Button>
        {running === "send" ? (
          <Button look="quiet" onClick={trial.stop}>
            {t("stop")}
          </Button>
        ) : null}
        <p role="status" className="text-muted text-sm">
          {call.isSold && isPriced && quote
            ? t.rich("cost", {
                estimate: () => <PointsText value={quote.estimate} form="exact" />,
                hold: () => <PointsText value={quote.hold} />,
              })
            : call.isSold
              ? t("priceFirst")
              : t("free")}
        </p>
      </div>
      {trial.hasFailed ? <Notice tone="bad">{t("offline")}</Notice> : null}
      <TryAnswer
        answer={trial.answer}
        arriving={running === "send" ? trial.arriving : ""}
        isFree={!call.isSold}
      />
    </form>
  );
}

function TryFields({ call, fields }: { call: TryCall; fields: ReturnType<typeof useTryFields> }) {
  const t = useTranslations("tryIt");
  return (
    <>
      {call.needsKey && call.takesSession ? (
        <Segmented
          label={t("source")}
          value={fields.source}
          onChange={fields.setSource}
          options={[
            { value: "session", label: t("session") },
            { value: "key", label: t("key") },
          ]}
          className="max-w-sm"
        />
      ) : null}
      {fields.takesKey ? (
        <Field label={t("key")} hint={t("keyNote")}>
          {(control) => (
            <PasswordInput
              {...control}
              value={fields.apiKey}
              onChange={({ target }) => fields.setApiKey(target.value)}
              autoComplete="off"
            />
          )}
        </Field>
      ) : null}
      {fields.parameterName === null ? null : (
        <Field label={<code>{fields.parameterName}</code>}>
          {(control) => (
            <Input
              {...control}
              value={fields.parameter}
              onChange={({ target }) => fields.setParameter(target.value)}
              spellCheck={false}
            />
          )}
        </Field>
      )}
      {call.query === null ? null : (
        <Field label={t("query")}>
          {(control) => (
            <Input
              {...control}
              value={fields.asked}
              onChange={({ target }) => fields.setAsked(target.value)}
              spellCheck={false}
            />
          )}
        </Field>
      )}
      <TryBody call={call} fields={fields} />
    </>
  );
}

function TryBody({ call, fields }: { call: TryCall; fields: ReturnType<typeof useTryFields> }) {
  const t = useTranslations("tryIt");
  const { body } = fields;
  if (body === null) return null;
  return (
    <>
      {call.bodies.length > 1 ? (
        <Field label={t("example")}>
          {(control) => (
            <Select {...control} onChange={({ target }) => fields.setBody(target.value)}>
              {call.bodies.map(({ title, text }) => (
                <option key={title} value={text}>
                  {title}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ) : null}
      <Field label={t("body")} error={fields.isBodyRight ? undefined : t("notJson")}>
        {(control) => (
          <textarea
            {...control}
            value={body}
            onChange={({ target }) => fields.setBody(target.value)}
            rows={Math.min(16, body.split("\n").length + 1)}
            spellCheck={false}
            className={cn(controlStyle, "p-3 font-mono text-sm sm:text-sm")}
          />
        )}
      </Field>
    </>
  );
}

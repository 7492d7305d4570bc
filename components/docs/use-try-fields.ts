import { useState } from "react";
import type { Trial } from "@/lib/client/trial";
import { jsonIn } from "@/lib/values/json-in";
import { isRecord } from "@/lib/values/records";
import type { TryCall } from "./try-call";

const isObjectText = (text: string): boolean => isRecord(jsonIn(text));

/** The fields of a request. The key is in this component's memory only. */
export function useTryFields({ method, path, needsKey, takesSession, query, bodies }: TryCall) {
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

export type TryFieldValues = ReturnType<typeof useTryFields>;

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FamilyTag } from "@/components/requests/family-tag";
import { Input } from "@/components/ui/input";
import { MODEL_ID_LENGTH_MAX, SEARCH_LENGTH_MAX } from "@/lib/contract/limits";
import type { modelEndpoints } from "@/lib/contract/operator-models";
import type { PageAnswerOf } from "@/lib/contract/page-endpoint";
import type { ImportForm } from "./use-import-form";

type Listed = PageAnswerOf<typeof modelEndpoints.listUpstreamModels>["models"];

/** More are found by typing. */
const SHOWN_MAX = 100;

/** What an upstream lists, to choose from, each with the name that it will have here. */
export function ImportList({ models, importing }: { models: Listed; importing: ImportForm }) {
  const t = useTranslations("operator.models");
  const ui = useTranslations("ui");
  const [words, setWords] = useState("");
  const { chosen, toggle, rename } = importing;
  const found = models.filter(
    ({ upstreamModel }) =>
      chosen.has(upstreamModel) || upstreamModel.toLowerCase().includes(words.trim().toLowerCase()),
  );
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium text-sm">
        {t("listed", { count: models.length })}
      </legend>
      <Input
        type="search"
        aria-label={t("search")}
        placeholder={t("search")}
        autoComplete="off"
        spellCheck={false}
        maxLength={SEARCH_LENGTH_MAX}
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      <ul className="max-h-72 divide-y overflow-y-auto rounded-md border">
        {found.slice(0, SHOWN_MAX).map(({ upstreamModel, family, hasPrice }) => {
          const id = chosen.get(upstreamModel);
          return (
            <li
              key={upstreamModel}
              className="grid items-center gap-x-3 gap-y-1.5 px-3 py-2 sm:grid-cols-2"
            >
              <label className="flex min-w-0 items-center gap-2.5">
                <input
                  type="checkbox"
                  className="size-4 shrink-0 accent-ink"
                  checked={id !== undefined}
                  onChange={() => toggle(upstreamModel)}
                />
                <FamilyTag family={family}>
                  <span className="wrap-anywhere">{upstreamModel}</span>
                </FamilyTag>
              </label>
              {id === undefined ? (
                <span className="text-muted text-sm sm:text-right">
                  {t(hasPrice ? "hasPrice" : "hasNoPrice")}
                </span>
              ) : (
                <Input
                  aria-label={t("nameHere", { model: upstreamModel })}
                  className="h-9 text-sm"
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={MODEL_ID_LENGTH_MAX}
                  value={id}
                  onChange={({ target }) => rename(upstreamModel, target.value)}
                />
              )}
            </li>
          );
        })}
      </ul>
      {found.length > SHOWN_MAX ? (
        <p className="text-muted text-sm">{ui("andMore", { count: found.length - SHOWN_MAX })}</p>
      ) : null}
    </fieldset>
  );
}

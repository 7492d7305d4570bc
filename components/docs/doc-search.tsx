"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, useRef, useState } from "react";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { type DocPlace, findPlaces } from "@/lib/docs/search";

const WORDS_LENGTH_MAX = 100;
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Searches the documentation. What it reads is loaded when somebody begins to search. */
export function DocSearch() {
  const t = useTranslations("docSearch");
  const box = useRef<HTMLElement>(null);
  const [places, setPlaces] = useState<readonly DocPlace[] | "failed" | null>(null);
  const [words, setWords] = useState("");
  const load = () => {
    if (Array.isArray(places)) return;
    fetch("/docs/search.json")
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer)))
      .then(setPlaces, () => setPlaces("failed"));
  };
  const isAsked = words.trim() !== "";
  const found = findPlaces(places === "failed" || places === null ? [] : places, words);
  /** The arrow keys go through the links; Escape ends the search. */
  const move = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "Escape") return setWords("");
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops = [...(box.current?.querySelectorAll<HTMLElement>("input, a") ?? [])];
    const here = document.activeElement;
    const at = here instanceof HTMLElement ? stops.indexOf(here) : -1;
    stops[Math.max(0, Math.min(stops.length - 1, at + step))]?.focus();
  };
  return (
    <search ref={box} className="relative mb-3 block" onKeyDown={move}>
      <Input
        type="search"
        aria-label={t("label")}
        placeholder={t("placeholder")}
        value={words}
        maxLength={WORDS_LENGTH_MAX}
        autoComplete="off"
        onFocus={load}
        onChange={({ target }) => setWords(target.value)}
      />
      {isAsked && places !== null ? (
        <div className="absolute top-full z-20 mt-1.5 w-[min(26rem,calc(100vw-2.5rem))] rounded-lg border bg-card p-1.5 shadow-float">
          <p role="status" className="px-2.5 py-1.5 text-muted text-xs">
            {places === "failed" ? t("failed") : t("count", { count: found.count })}
          </p>
          <ul aria-label={t("results")} className="grid max-h-[60vh] overflow-y-auto">
            {found.shown.map(({ path, title, page, text }) => (
              <li key={path}>
                <Link
                  href={path}
                  prefetch={false}
                  onClick={() => setWords("")}
                  className="block rounded-md px-2.5 py-2 text-sm hover:bg-wash focus-visible:bg-wash"
                >
                  <span className="wrap-anywhere font-medium">{title}</span>
                  {page === title ? null : <span className="text-muted">{` · ${page}`}</span>}
                  <span className="line-clamp-2 text-muted text-xs">{text}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </search>
  );
}

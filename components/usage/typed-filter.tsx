import { Filter } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { changeAddress } from "@/components/lists/address";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { useListText } from "@/components/ui/use-list-text";
import { knownModels } from "@/lib/catalog/models";
import { useKeys } from "@/lib/client/api-keys";
import { useMembers } from "@/lib/client/members";
import {
  type FilterProblem,
  filterExample,
  filterNames,
  type Known,
  readFilter,
  writeFilter,
} from "@/lib/client/typed-filter";
import { dialects } from "@/lib/contract/states";
import type { UsageAddress } from "./use-usage-filter";

const LENGTH_MAX = 400;
const names = ["status", "model", "key", "member", "dialect", "pointsMin", "pointsMax"] as const;

function useKnown(): Known {
  const keys = useKeys().data?.keys ?? [];
  const members = useMembers().data?.members ?? [];
  return {
    models: knownModels().map(({ id }) => ({ id, name: id })),
    keys,
    members: members.map(({ id, email }) => ({ id, name: email })),
    dialects: dialects.map((id) => ({ id, name: id })),
  };
}

/** All filters of the page as one line of text. It follows the other ways to filter. */
export function TypedFilter({ address }: { address: UsageAddress | null }) {
  const known = useKnown();
  const line = address === null ? "" : writeFilter(address.filter, known);
  return (
    <div className="mb-3.5 min-h-16">
      <Line line={line} known={known} isReady={address !== null} />
    </div>
  );
}

function useProblemText(): (problem: FilterProblem) => string {
  const listed = useListText();
  const t = useTranslations("usage.typed");
  return (problem) =>
    t(problem.code, {
      word: problem.word,
      names: problem.code === "severalMatch" ? problem.names : listed(filterNames),
    });
}

function Line({ line, known, isReady }: { line: string; known: Known; isReady: boolean }) {
  const t = useTranslations("usage.typed");
  const router = useRouter();
  const id = useId();
  const problemText = useProblemText();
  const [typed, setTyped] = useState({ line, text: line });
  // The filters were changed in another way.
  if (typed.line !== line) setTyped({ line, text: line });
  const { text } = typed;
  const [problem, setProblem] = useState<FilterProblem | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readFilter(text, known);
    setProblem(read.problem);
    if (read.values === null) return;
    const { request } = read.values;
    if (request !== undefined) router.push(`/requests/${request}`);
    else changeAddress(Object.fromEntries(names.map((name) => [name, read.values[name] ?? null])));
  };
  return (
    <search>
      <form onSubmit={submit} className="flex gap-2">
        <Input
          type="search"
          aria-label={t("label")}
          aria-describedby={`${id}-hint`}
          aria-invalid={problem !== null}
          placeholder={filterExample}
          translate="no"
          value={text}
          maxLength={LENGTH_MAX}
          autoComplete="off"
          spellCheck={false}
          className="num"
          onChange={(event) => setTyped({ line, text: event.target.value })}
        />
        <Button type="submit" disabled={!isReady} className="h-10">
          <Filter aria-hidden />
          {t("apply")}
        </Button>
      </form>
      <p id={`${id}-hint`} role="status" className="mt-1 text-xs">
        {problem === null ? (
          <span className="text-muted">{t("hint")}</span>
        ) : (
          <span className="text-bad">{problemText(problem)}</span>
        )}
      </p>
    </search>
  );
}

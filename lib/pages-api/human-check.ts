import { assertHuman, newHumanCheck } from "../accounts/human-check";
import type { humanCheckEndpoints } from "../contract/human-check";
import type { PagesDeps } from "./pages-deps";
import type { UseCases } from "./use-case";

/** How much work the operator wants; null for none. */
const triesOf = ({ live }: Pick<PagesDeps, "live">): number | null =>
  live.value("human_check") === "yes" ? Number(live.value("human_check_tries")) : null;

/** Rejects with `human_check_failed` where a check is wanted and the answer does not pass it. */
export async function assertHumanIfWanted(
  deps: Pick<PagesDeps, "live" | "secrets" | "database">,
  answer: string | undefined,
): Promise<void> {
  const tries = triesOf(deps);
  if (tries !== null) await assertHuman(deps, answer, tries);
}

export const humanCheckUseCases: UseCases<typeof humanCheckEndpoints> = {
  async showHumanCheck({ deps }) {
    const tries = triesOf(deps);
    return { challenge: tries === null ? null : await newHumanCheck(deps.secrets, tries) };
  },
};

/** Runs the use case of a page's row for a management key, whose own row has another form. */
import { keyEndpoints } from "../contract/api-keys";
import { memberProgramRows } from "../contract/members";
import type { PageResultOf } from "../contract/page-endpoint";
import { toWire } from "../contract/wire";
import type { Call } from "../http/serve";
import { isRecord } from "../values/records";
import { keyUseCases } from "./api-keys";
import { runByKey } from "./by-key";
import { memberProgramUseCases } from "./members";
import { programUser } from "./program-call";
import type { ProgramDeps, UseCases } from "./use-case";

const rows = { ...keyEndpoints, ...memberProgramRows };
type Rows = typeof rows;
const useCases: UseCases<Rows, ProgramDeps> = { ...keyUseCases, ...memberProgramUseCases };

type KeyCall = Pick<Call, "incoming" | "parameter"> & {
  readonly principal: { readonly managementKeyId: string; readonly accountId: string };
};

/** Does what the page's row does, with the key as the actor. `body`: in the convention of `/v1`. */
export function askRow<Name extends keyof Rows>(
  name: Name,
  deps: ProgramDeps,
  { incoming, parameter, principal: { managementKeyId: id, accountId } }: KeyCall,
  body?: object,
): Promise<PageResultOf<Rows[Name]>> {
  const user = programUser({ id, accountId, isOperator: false });
  const row = { page: rows[name], run: useCases[name] };
  return runByKey<Rows[Name], ProgramDeps>(row, { deps, user, incoming, parameter, body });
}

/** A view of a page in the convention of `/v1`. */
export function shownAs(schema: Parameters<typeof toWire>[0], view: object) {
  const shown = toWire(schema, view);
  if (!isRecord(shown)) throw new Error("a view is no object");
  return shown;
}

/** Runs the use case of a page's row for a management key, whose own row has another form. */
import type { UserSession } from "../accounts/session-store";
import { keyEndpoints } from "../contract/api-keys";
import { memberProgramRows } from "../contract/members";
import type { PageEndpoint, PageResultOf } from "../contract/page-endpoint";
import { fromWire, toWire, wireNames } from "../contract/wire";
import { isRelayError } from "../failures/relay-error";
import { goneSignal } from "../http/exchange";
import { namedAsSent } from "../http/named-as-sent";
import type { Call } from "../http/serve";
import { parseInput, runRow } from "../http/serve-page";
import { isRecord } from "../values/records";
import { keyUseCases } from "./api-keys";
import { memberProgramUseCases } from "./members";
import { programCall, programUser } from "./program-call";
import type { ProgramDeps, UseCases } from "./use-case";

const rows = { ...keyEndpoints, ...memberProgramRows };
type Rows = typeof rows;
const useCases: UseCases<Rows, ProgramDeps> = { ...keyUseCases, ...memberProgramUseCases };

type KeyCall = Pick<Call, "incoming" | "parameter"> & {
  readonly principal: { readonly managementKeyId: string; readonly accountId: string };
};

/**
 * Does what the page's row does, with the key as the actor. `sent` is its body in the convention of
 * `/v1`. Rejects with the names of that convention.
 */
export async function askRow<Name extends keyof Rows>(
  name: Name,
  deps: ProgramDeps,
  { incoming, parameter, principal: { managementKeyId: id, accountId } }: KeyCall,
  sent?: object,
): Promise<PageResultOf<Rows[Name]>> {
  const { body }: PageEndpoint = rows[name];
  try {
    const call = programCall({
      deps,
      user: programUser({ id, accountId, isOperator: false }),
      body: body && parseInput(body, fromWire(body, sent)),
      query: undefined,
      id: parameter,
      address: incoming.address,
      gone: goneSignal(incoming),
    });
    return await runRow<ProgramDeps, UserSession, Rows[Name]>(useCases[name], call);
  } catch (error) {
    const names = wireNames(body);
    throw isRelayError(error) ? namedAsSent(error, (field) => names.get(field)) : error;
  }
}

/** A view of a page in the convention of `/v1`. */
export function shownAs(schema: Parameters<typeof toWire>[0], view: object) {
  const shown = toWire(schema, view);
  if (!isRecord(shown)) throw new Error("a view is no object");
  return shown;
}

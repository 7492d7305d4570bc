/** The model of a tool's call that names none. */
import type { Family } from "../../contract/states";
import { RelayError } from "../../failures/relay-error";
import { isRecord } from "../../values/records";
import type { Ask } from "./ask";
import { answered } from "./results";

/** The only model of the family that the caller may use; throws where there are several, or none. */
export async function modelOr(
  ask: Ask,
  family: Family,
  named: string | undefined,
): Promise<string> {
  if (named !== undefined) return named;
  const { answer } = await answered(ask, { method: "GET", path: "/v1/models" });
  const listed: unknown[] = Array.isArray(answer.data) ? answer.data : [];
  const names = listed
    .filter(isRecord)
    .flatMap(({ id, family: own }) => (own === family && typeof id === "string" ? [id] : []));
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  const message =
    only === undefined
      ? `There is no ${family} model that this API key may use.`
      : `\`model\` is missing: send one of ${names.join(", ")}.`;
  throw new RelayError("missing_required_parameter", { message, param: "model" });
}

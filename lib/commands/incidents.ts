/** Commands about incidents: what the status page says about trouble. Nothing said is changed. */
import { type AuditFields, recordAction } from "../accounts/actions";
import { INCIDENT_UPDATES_MAX, INCIDENTS_OPEN_MAX } from "../contract/limits";
import type { IncidentState } from "../contract/states";
import { newId } from "../crypto/ids";
import type { Transaction } from "../db/client";
import { isCountLimit } from "../db/database-errors";
import { inDatabaseTransaction } from "../db/transaction";
import { invalidValue, RelayError } from "../failures/relay-error";
import type { CommandDeps } from "./command-deps";
import { beganAtOf, modelIds, titlesOf, updateTexts } from "./incident-input";

type Deps = Pick<CommandDeps, "database">;

interface NewUpdate {
  readonly state: IncidentState;
  /** Null for a language that is not written; one of them must be. */
  readonly textEn: string | null;
  readonly textZh: string | null;
}

interface NewIncident extends NewUpdate {
  readonly titleEn: string | null;
  readonly titleZh: string | null;
  /** Names of models; none for the whole service. */
  readonly models: readonly string[];
  /** Null for now. */
  readonly beganAt: Date | null;
}

function countRefusal(error: unknown): unknown {
  if (!isCountLimit(error)) return error;
  const message = `An incident has at most ${INCIDENT_UPDATES_MAX} updates, and at most ${INCIDENTS_OPEN_MAX} go on at once.`;
  return invalidValue("state", message);
}

function record(
  transaction: Transaction,
  actor: string,
  action: "incident.open" | "incident.update",
  subject: string,
  after: AuditFields,
): Promise<void> {
  return recordAction(transaction, actor, action, subject, { detail: { after } });
}

/** Tells of an incident with its first update. Rejects with `invalid_value`. */
export async function openIncident(
  { database }: Deps,
  actor: string,
  input: NewIncident,
): Promise<{ id: string }> {
  const id = newId("incident");
  const titles = titlesOf(input);
  const [models, beganAt] = [modelIds(input.models), beganAtOf(input.beganAt)];
  const update = { state: input.state, ...updateTexts(input) };
  await inDatabaseTransaction(database, async (transaction) => {
    const data = { id, ...titles, models, beganAt, createdBy: actor };
    await transaction.incident.create({ data });
    await transaction.incidentUpdate.create({
      data: { incidentId: id, ...update, createdBy: actor },
    });
    const after = { ...titles, models, beganAt: beganAt.toISOString(), ...update };
    await record(transaction, actor, "incident.open", id, after);
  }).catch((error: unknown) => Promise.reject(countRefusal(error)));
  return { id };
}

/** Adds what is known now. Rejects with `not_found`, `invalid_value`. */
export async function updateIncident(
  { database }: Deps,
  actor: string,
  input: NewUpdate & { id: string },
): Promise<void> {
  const { id, state } = input;
  const update = { state, ...updateTexts(input) };
  await inDatabaseTransaction(database, async (transaction) => {
    if ((await transaction.incident.findUnique({ where: { id } })) === null)
      throw new RelayError("not_found", { message: `There is no incident ${id}.` });
    await transaction.incidentUpdate.create({
      data: { incidentId: id, ...update, createdBy: actor },
    });
    await record(transaction, actor, "incident.update", id, update);
  }).catch((error: unknown) => Promise.reject(countRefusal(error)));
}

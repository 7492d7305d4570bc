/** Writes models. The database holds their rules; this says in words which one was broken. */
import pg from "pg";
import { MODELS_MAX } from "../contract/limits";
import type { ModelFile } from "../contract/model-file";
import { isCountLimit } from "../db/database-errors";
import { invalidValue, RelayError } from "../failures/relay-error";

type Queries = Pick<pg.ClientBase, "query">;
export type ModelParts = Required<Pick<ModelFile, "id" | "aliases" | "names" | "spec">>;

/** Changes of models come one after the other, so that each decides by what the others left. */
export async function lockModels(queries: Queries): Promise<void> {
  await queries.query("select pg_advisory_xact_lock(7275618)");
}

const builtInRefusal = (id: string) =>
  invalidValue(
    "spec",
    `${id} is built in: its id, aliases, family and limits are fixed. Its names, price, channels and state can be changed.`,
  );

function refusalOf(id: string, error: unknown): unknown {
  if (isCountLimit(error)) return invalidValue("id", `There can be at most ${MODELS_MAX} models.`);
  if (!(error instanceof pg.DatabaseError)) return error;
  const taken = error.constraint === "model_pkey" ? id : error.detail;
  switch (error.constraint) {
    case "model_pkey":
    case "model_name_once": {
      const param = taken?.toLowerCase() === id.toLowerCase() ? "id" : "aliases";
      const message = `${param} has ${taken}: another model has or had this name, and keeps it. Choose another one.`;
      return new RelayError("already_exists", { param, message });
    }
    case "model_name_reserved":
      return invalidValue("id", "point is no name of a model: it means the price of a point.");
    case "model_built_in":
      return builtInRefusal(id);
    case "model_version_number":
      return invalidValue("id", `${id} has 1000 versions, which is the most: make another model.`);
    default:
      return error;
  }
}

const inWords = async <T>(id: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw refusalOf(id, error);
  });

export const insertModel = (queries: Queries, { id, family }: ModelFile, actor: string) =>
  inWords(
    id,
    queries.query("insert into model (id, family, created_by) values ($1, $2, $3)", [
      id,
      family,
      actor,
    ]),
  );

export const insertVersion = (queries: Queries, parts: ModelParts, actor: string) =>
  inWords(
    parts.id,
    queries.query(
      `insert into model_version (model_id, number, aliases, names, spec, created_by)
       select $1::text, coalesce(max(number), 0) + 1, $2::text[], $3::jsonb, $4::json, $5
         from model_version where model_id = $1`,
      [
        parts.id,
        parts.aliases,
        parts.names && JSON.stringify(parts.names),
        JSON.stringify(parts.spec),
        actor,
      ],
    ),
  );

interface NewState {
  readonly state: "offered" | "retiring" | "retired";
  readonly retiresAt: Date | null;
  readonly replacedBy: string | null;
}

export const setState = (queries: Queries, id: string, next: NewState) =>
  inWords(
    id,
    queries.query("update model set state = $2, retires_at = $3, replaced_by = $4 where id = $1", [
      id,
      next.state,
      next.retiresAt,
      next.replacedBy,
    ]),
  );

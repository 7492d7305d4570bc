import type pg from "pg";
import type { Model } from "../catalog/model";
import { type Catalogue, catalogueOf } from "../catalog/models";
import type { Reader } from "../db/pool";
import { type ModelRow, modelOf } from "../model-file/model-of";

type Query = <T extends pg.QueryResultRow>(
  text: string,
  values: unknown[],
) => Promise<pg.QueryResult<T>>;

const columns = `v.number as version, m.id, m.family, m.is_built_in, m.state, m.retires_at, m.replaced_by, m.created_at,
  v.id as version_id, v.aliases, v.names, v.spec`;

const newest = `select ${columns} from model m
  join lateral (select * from model_version v where v.model_id = m.id order by v.number desc limit 1) v on true
  order by m.number`;

/** The rows of all models, or of the one that has or had the name. */
export async function readModelRows(queries: Reader, name?: string): Promise<ModelRow[]> {
  const text = `select * from (${newest}) found
    where $1::text is null or id = (select model_id from model_name where name = lower($1))`;
  return (await queries.query<ModelRow>(text, [name ?? null])).rows;
}

/** The sum grows with every change, whoever commits first. */
export async function readRevision(queries: Reader): Promise<string> {
  const { rows } = await queries.query<{ sum: string }>(
    "select coalesce(sum(revision), 0)::text as sum from model",
  );
  return rows[0]?.sum ?? "0";
}

/**
 * The catalogue under the newest version of each model. A row that this version of the product
 * cannot read is left out and reported.
 */
export async function readCatalogue(
  queries: Reader,
  onProblem: (id: string, error: unknown) => void = () => {},
): Promise<Catalogue> {
  const { rows } = await queries.query<ModelRow>(newest);
  return catalogueOf(
    rows.flatMap((row) => {
      try {
        return [modelOf(row)];
      } catch (error) {
        onProblem(row.id, error);
        return [];
      }
    }),
  );
}

/**
 * The model of a request, under the version that it began with. Null for one from before there
 * were versions.
 */
export async function readModelOf(query: Query, operationId: string): Promise<Model | null> {
  const { rows } = await query<ModelRow>(
    `select ${columns} from request_known r join model_version v on v.id = r.model_version_id
       join model m on m.id = v.model_id where r.id = $1`,
    [operationId],
  );
  return rows[0] === undefined ? null : modelOf(rows[0]);
}

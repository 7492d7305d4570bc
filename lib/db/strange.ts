/** What others made in the schema `public`, which the product leaves alone. */
import type pg from "pg";
import { tableGrants } from "./grants";

/** What is of an extension, or was made with another object, is not named. */
const isOnItsOwn = (oid: string) =>
  `not exists (select from pg_depend d where d.objid = ${oid} and d.deptype in ('e', 'i'))`;

const query = `
select case prokind when 'p' then 'procedure ' when 'a' then 'aggregate ' else 'function ' end || oid::regprocedure as name
  from pg_proc p where pronamespace = 'public'::regnamespace and ${isOnItsOwn("p.oid")}
   and (not proname = any($1) or exists (
     select from pg_proc other where other.proname = p.proname and other.pronamespace = p.pronamespace and other.oid < p.oid))
union all
select case relkind when 'v' then 'view ' when 'm' then 'view ' when 'S' then 'sequence ' else 'table ' end || c.oid::regclass
  from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S') and not relispartition
   and not relname = any($2) and ${isOnItsOwn("c.oid")}
   and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))
union all
select format('trigger %I on %s', tgname, tgrelid::regclass)
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
 where c.relnamespace = 'public'::regnamespace and c.relname = any($2) and not tgisinternal and not p.proname = any($1)
union all
select case typtype when 'd' then 'domain ' else 'type ' end || t.oid::regtype
  from pg_type t left join pg_class c on c.oid = t.typrelid
 where typnamespace = 'public'::regnamespace and (typtype in ('e', 'd', 'r') or c.relkind = 'c') and ${isOnItsOwn("t.oid")}
union all
select format('rule %I on %s', rulename, ev_class::regclass)
  from pg_rewrite r join pg_class c on c.oid = r.ev_class
 where c.relnamespace = 'public'::regnamespace and c.relname = any($2) and rulename <> '_RETURN'
union all
select format('policy %I on %s', polname, polrelid::regclass)
  from pg_policy p join pg_class c on c.oid = p.polrelid
 where c.relnamespace = 'public'::regnamespace and c.relname = any($2)
union all
select 'row security of ' || c.oid::regclass from pg_class c
 where relnamespace = 'public'::regnamespace and relname = any($2) and relrowsecurity
union all
select format('foreign key %I on %s', conname, conrelid::regclass)
  from pg_constraint f join pg_class c on c.oid = f.confrelid join pg_class o on o.oid = f.conrelid
 where f.contype = 'f' and c.relnamespace = 'public'::regnamespace and c.relname = any($2)
   and not (o.relnamespace = c.relnamespace and o.relname = any($2)) and not o.relispartition
union all
select format('%s, which inherits from %s', inhrelid::regclass, inhparent::regclass)
  from pg_inherits i join pg_class c on c.oid = i.inhparent join pg_class o on o.oid = i.inhrelid
 where c.relnamespace = 'public'::regnamespace and c.relname = any($2) and not o.relispartition
union all
select 'event trigger ' || quote_ident(evtname) from pg_event_trigger e where ${isOnItsOwn("e.oid")}
order by 1 limit 50`;

/** The first 50, by name. `functions`: the names of the product's own. */
export async function strangeObjects(
  client: Pick<pg.ClientBase, "query">,
  functions: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(query, [
    functions,
    [...tableGrants.keys()],
  ]);
  return rows.map(({ name }) => name);
}

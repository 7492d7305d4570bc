/** What a schema consists of, one line for each part, so that two can be compared. */
import type pg from "pg";

/** Partitions have their own dates and names of indexes. */
const unlessMonth = "c.relname !~ '_[0-9]{4}_[0-9]{2}$'";
const inSchema = (what: string) => `${what}.relnamespace = 'public'::regnamespace`;
/** Ids in bounds follow the day on which a database was made. */
const undated = (text: string) =>
  `regexp_replace(${text}, '''[0-9a-f]{8}-[0-9a-f]{4}-7000-8000-[0-9a-f]{12}''', '<bound>', 'g')`;

/** Of others than the owner, whose own rights are more in later versions of PostgreSQL. */
const rightsOf = (list: string, owner: string) =>
  `(select string_agg(grantee::regrole || ' ' || privilege_type, ',' order by grantee, privilege_type)
      from aclexplode(${list}) where grantee <> ${owner})`;

const parts: Readonly<Record<string, string>> = {
  tables: `select concat_ws(' ', relname, relkind, relpersistence, ${undated("pg_get_expr(relpartbound, c.oid)")},
      pg_get_partkeydef(c.oid), (select string_agg(o, ',' order by o) from unnest(reloptions) o),
      (select string_agg('toast.' || o, ',' order by o) from pg_class t, unnest(t.reloptions) o where t.oid = c.reltoastrelid)) as line
    from pg_class c where ${inSchema("c")} and relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ${unlessMonth}`,
  columns: `select concat_ws(' ', relname, attname,
      (select count(*) from pg_attribute b where b.attrelid = a.attrelid and b.attnum between 1 and a.attnum and not b.attisdropped),
      format_type(atttypid, atttypmod), case when attnotnull then 'not null' end, attstorage, attidentity, attgenerated, attoptions, attstattarget,
      attcollation::regcollation, (select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = attrelid and adnum = attnum)) as line
    from pg_attribute a join pg_class c on c.oid = attrelid
   where ${inSchema("c")} and relkind in ('r', 'p', 'v') and attnum > 0 and not attisdropped and ${unlessMonth}`,
  constraints: `select concat_ws(' ', relname, case when relispartition and contype <> 'c' then contype::text else conname end,
      pg_get_constraintdef(k.oid), convalidated, condeferrable, condeferred) as line
    from pg_constraint k join pg_class c on c.oid = conrelid where ${inSchema("c")} and ${unlessMonth}`,
  indexes: `select concat_ws(' ', c.relname, case when not c.relispartition then i.relname end,
      regexp_replace(pg_get_indexdef(x.indexrelid), case when c.relispartition then ' INDEX \\S+ ' else '^$' end, ' INDEX '),
      i.reloptions, indisvalid, indisunique, indisprimary, indisclustered, indisreplident) as line
    from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid where ${inSchema("c")} and ${unlessMonth}`,
  triggers: `select concat_ws(' ', relname, ${undated("pg_get_triggerdef(t.oid)")}, tgenabled) as line
    from pg_trigger t join pg_class c on c.oid = tgrelid where not tgisinternal and ${inSchema("c")} and ${unlessMonth}`,
  functions: `select concat_ws(' ', proname, case prokind when 'a' then pg_get_function_arguments(p.oid) else pg_get_functiondef(p.oid) end,
      ${rightsOf("proacl", "proowner")}) as line from pg_proc p where pronamespace = 'public'::regnamespace`,
  views: `select concat_ws(' ', relname, pg_get_viewdef(c.oid)) as line from pg_class c where ${inSchema("c")} and relkind in ('v', 'm')`,
  sequences: `select concat_ws(' ', relname, format_type(seqtypid, null), seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle,
      (select refobjid::regclass || '.' || attname from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
        where objid = seqrelid and deptype in ('a', 'i') and refclassid = 'pg_class'::regclass)) as line
    from pg_sequence join pg_class c on c.oid = seqrelid where ${inSchema("c")}`,
  statistics: `select pg_get_statisticsobjdef(oid) as line from pg_statistic_ext where stxnamespace = 'public'::regnamespace`,
  types: `select concat_ws(' ', typname, typtype) as line from pg_type t where typnamespace = 'public'::regnamespace and typtype in ('d', 'e', 'r', 'm')`,
  comments: `select concat_ws(' ', classoid::regclass, objoid::regclass, objsubid, description) as line from pg_description
    where classoid = 'pg_class'::regclass and objoid in (select oid from pg_class c where ${inSchema("c")})`,
  rights: `select concat_ws(' ', relname, ${rightsOf("relacl", "relowner")}) as line
    from pg_class c where ${inSchema("c")} and relkind in ('r', 'p', 'v', 'S') and ${unlessMonth}`,
};

/** Of the schema `public`, ordered; each begins with what it is a part of. */
export async function schemaLines(client: pg.ClientBase): Promise<string[]> {
  const lines: string[] = [];
  for (const [part, query] of Object.entries(parts)) {
    const { rows } = await client.query<{ line: string }>(query);
    lines.push(...rows.map(({ line }) => `${part}: ${line}`));
  }
  return lines.sort();
}

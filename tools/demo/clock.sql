-- The clock of a demo's database while its past is written: functions `now` and `clock_timestamp`
-- that are found before PostgreSQL's. Only the role that owns the database can do this.

create schema past;
create sequence past.clock as bigint;
create function past.now() returns timestamptz language sql stable as
  $$ select 'epoch'::timestamptz + last_value * interval '1 microsecond' from past.clock $$;
create function past.clock_timestamp() returns timestamptz language sql volatile as
  $$ select past.now() $$;
grant usage on schema past to public;
grant select on sequence past.clock to public;

-- Functions that run with their owner's rights have a path of their own; columns keep the function
-- that their default named when it was set.
create table past.path as
  select p.oid::regprocedure::text as signature, substr(c, length('search_path=') + 1) as path
    from pg_proc p, unnest(p.proconfig) c
   where p.pronamespace = 'public'::regnamespace and c like 'search_path=%';
create table past.time_default as
  select d.adrelid::regclass::text as name, quote_ident(a.attname) as attribute
    from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    join pg_class t on t.oid = d.adrelid and t.relnamespace = 'public'::regnamespace
   where pg_get_expr(d.adbin, d.adrelid) = 'now()';

create procedure past.use(path text, now text, application name) language plpgsql as $$
declare r record;
begin
  for r in select * from past.path loop
    execute format('alter function %s set search_path = %s%s', r.signature, path, r.path);
  end loop;
  for r in select * from past.time_default loop
    execute format('alter table %s alter column %s set default %s', r.name, r.attribute, now);
  end loop;
  -- Where the sessions of the product's role look for names, from their next connection on.
  execute format('alter role %I in database %I %s', application, current_database(),
    case when path = '' then 'reset search_path'
         else 'set search_path = public, past, pg_catalog' end);
end $$;

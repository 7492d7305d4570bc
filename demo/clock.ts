/**
 * The clock of a demo while its past is written: that of this process, and that of the demo's
 * database. The product's functions run unchanged and take the time from there.
 *
 * In the database, the schema `past` has functions `now` and `clock_timestamp` of its own, which
 * are found before PostgreSQL's. Only the role that owns the database can do this, and only
 * `stop` leaves a database that the product works on.
 */
import pg from "pg";
import { transact } from "@/lib/db/transaction";

export interface PastClock {
  /** Milliseconds. */
  now(): number;
  set(time: number): Promise<void>;
  /** Sets the time of this process only, until the next `set`. */
  setHere(time: number): void;
  /** Returns this process and the database to the real time. */
  stop(): Promise<void>;
}

/** Where the sessions of the product's role look for names meanwhile. */
const SESSION_PATH = "public, past, pg_catalog";

/**
 * The functions that run with their owner's rights have a path of their own; columns keep the
 * function that their default named when it was set.
 *
 * The ledger writes requests in batches, but each has a time of its own: an operation's id has the
 * time of its hold, and it was settled after its duration.
 */
const start = `
create schema past;
create sequence past.clock as bigint;
create function past.now() returns timestamptz language sql stable as
  $$ select 'epoch'::timestamptz + last_value * interval '1 microsecond' from past.clock $$;
create function past.clock_timestamp() returns timestamptz language sql volatile as
  $$ select past.now() $$;
grant usage on schema past to public;
grant select on sequence past.clock to public;

create function past.date_operation() returns trigger language plpgsql as $$
begin
  new.deadline := uuid_extract_timestamp(new.id) + (new.deadline - new.created_at);
  new.created_at := uuid_extract_timestamp(new.id);
  return new;
end $$;
create trigger past_time before insert on public.operation
  for each row execute function past.date_operation();

create function past.date_settlement() returns trigger language plpgsql as $$
begin
  new.created_at := uuid_extract_timestamp(new.operation_id)
    + coalesce(new.duration_ms, 0) * interval '1 millisecond';
  return new;
end $$;
create trigger past_time before insert on public.settlement
  for each row execute function past.date_settlement();

create table past.path as
  select p.oid::regprocedure::text as signature, substr(c, length('search_path=') + 1) as path
    from pg_proc p, unnest(p.proconfig) c
   where p.pronamespace = 'public'::regnamespace and c like 'search_path=%';
create table past.time_default as
  select d.adrelid::regclass::text as name, quote_ident(a.attname) as attribute
    from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    join pg_class t on t.oid = d.adrelid and t.relnamespace = 'public'::regnamespace
   where pg_get_expr(d.adbin, d.adrelid) = 'now()';
do $$
declare r record;
begin
  for r in select * from past.path loop
    execute format('alter function %s set search_path = past, %s', r.signature, r.path);
  end loop;
  for r in select * from past.time_default loop
    execute format('alter table %s alter column %s set default past.now()', r.name, r.attribute);
  end loop;
end $$;`;

const stop = `
do $$
declare r record;
begin
  for r in select * from past.path loop
    execute format('alter function %s set search_path = %s', r.signature, r.path);
  end loop;
  for r in select * from past.time_default loop
    execute format('alter table %s alter column %s set default now()', r.name, r.attribute);
  end loop;
end $$;
drop trigger past_time on public.operation;
drop trigger past_time on public.settlement;
drop schema past cascade;`;

/** Sets or resets where the sessions of `role` look for names, from their next connection on. */
async function setSessionPath(owner: pg.Client, role: string, path: string | null): Promise<void> {
  const { rows } = await owner.query<{ text: string }>(
    "select format('alter role %I in database %I', $1::text, current_database()) as text",
    [role],
  );
  await owner.query(
    `${rows[0]?.text} ${path === null ? "reset search_path" : `set search_path = ${path}`}`,
  );
}

/** Makes `new Date()` and `Date.now()` of this process tell `now`; returns how to end that. */
function replaceDates(now: () => number): () => void {
  const dates = globalThis.Date;
  globalThis.Date = new Proxy(dates, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
  return () => {
    globalThis.Date = dates;
  };
}

/**
 * Starts the clock at `time`. Connections of `role` that were open before keep the real time, so
 * open them afterwards.
 */
export async function startPastClock(
  ownerUrl: string,
  role: string,
  time: number,
): Promise<PastClock> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await transact(owner, async () => {
    await owner.query(start);
    await setSessionPath(owner, role, SESSION_PATH);
  });
  let current = time;
  const restoreDates = replaceDates(() => current);
  const clock: PastClock = {
    now: () => current,
    setHere(next) {
      current = next;
    },
    async set(next) {
      current = next;
      await owner.query("select setval('past.clock', $1)", [Math.round(next) * 1000]);
    },
    async stop() {
      restoreDates();
      await transact(owner, async () => {
        await owner.query(stop);
        await setSessionPath(owner, role, null);
      });
      await owner.end();
    },
  };
  await clock.set(time);
  return clock;
}

-- What is ordered in the demo. `past.plan` draws all of it before anything is written; `past.take`
-- gives the ledger's writer what has ended since, and `past.show` writes what belongs to it.

create table past.planned (
  email text, key text, family text, model text, channel text, node text, prompt text,
  at timestamptz not null, duration int not null,
  -- Null for requests that have not ended when the history ends.
  ended_at timestamptz,
  failure text, loss text,
  input_tokens int not null, output_tokens int not null, hold_input int not null,
  hold_output int not null,
  is_stream boolean, is_abandoned boolean, first_byte int,
  -- Of images and videos.
  width int, height int, ratio text, resolution text, seconds int, queued int, callback_url text,
  status text, poll_failures int, has_file boolean, media_id text,
  -- What is said of a special request, by column.
  fixed jsonb,
  id uuid primary key, noise text not null
);
create index on past.planned (ended_at);

-- As `newId` makes them.
create function past.new_id(prefix text, at timestamptz, noise text) returns text
language sql immutable as $$
  select prefix || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
           (floor(extract(epoch from at) * 1000)::bigint >> 5 * place & 31)::int + 1, 1), ''
           order by place desc) || substr(noise, 1, 16)
    from generate_series(0, 9) place
$$;

-- A choice by weight: the first one whose sum of weights so far is above `draw`, of their sum.
create function past.pick(choices text[], sums float8[], draw float8) returns text
language sql immutable as $$
  select choices[1 + width_bucket(draw * sums[cardinality(sums)], sums)]
$$;

-- Draws the requests of the habits (`Habit` in plan.ts) and the special ones, in formats (`Format`)
-- that the models make. The same seed draws the same.
create function past.plan(habits json, specials json, formats json, prompts json, seed float8,
  scale float8, ends timestamptz, whole interval) returns bigint language sql as $$
  select setseed(seed);
  with habit as (
    select * from json_to_recordset(habits) h(email text, key text, family text, models text[],
      weights float8[], per_day float8, hours float8[], weekend float8, zone interval,
      starts timestamptz, until timestamptz, input float8, output float8, cap int, streamed float8,
      language text)
  ), day as materialized (
    select h.*, d, per_day * scale * exp(0.18 * random_normal())
             * case when extract(isodow from d) > 5 then weekend else 1 end
             * (1.1 - 0.5 * least(1, extract(epoch from ends - d) / extract(epoch from whole)))
             as mean
      from habit h, generate_series(date_trunc('day', starts + zone, 'UTC'), until + zone,
             interval '1 day') d
  ), time as materialized (
    select t.*, null::jsonb as fixed from (
      select day.*, d - zone
               + (width_bucket(random() * hours[24], hours) + random()) * interval '1 hour' as at
        from day, generate_series(1, floor(mean + random())::int)) t
     where at >= starts and at < until
    union all
    select h.email, s.fixed ->> 'key', s.fixed ->> 'family', array[s.fixed ->> 'model'],
           array[1.0]::float8[], 0, null, 0, null, null, null, coalesce(u.input, 600),
           coalesce(u.output, 300),
           coalesce(u.cap, 1024), 0, 'en', null, 0,
           ends - (s.fixed ->> 'hours_ago')::float8 * interval '1 hour', s.fixed
      from (select value::jsonb as fixed from json_array_elements(specials)) s
      cross join lateral (select distinct email from habit where email = s.fixed ->> 'email') h
      left join habit u on u.email = h.email and u.key = s.fixed ->> 'key'
        and u.family = 'text' and s.fixed ->> 'family' = 'text'
  ), draw as materialized (
    select t.*, at > ends - interval '25 hours' as is_young,
           past.pick(models, weights, random()) as model, random() as a, random() as b,
           random() as c, random() as e, random() as f, random_normal() as x, random_normal() as y,
           random_normal() as z, md5(random()::text || random()::text) as noise
      from (select * from time order by at, email, family, key) t
  ), format as (
    select * from json_to_recordset(formats) f(model text, family text, resolution text, ratio text,
      width int, height int, most int, seconds_min int, seconds_max int, audio boolean)
  ), drawn as (
    select d.*, f.width, f.height, f.most, f.audio, w.resolution, w.ratio,
           greatest(f.seconds_min, least(f.seconds_max, w.seconds)) as seconds,
           case when d.family = 'text' and c >= 0.75 then 'Meridian Text'
                when d.family = 'text' then 'Harbor Text'
                when d.family = 'image' or f.audio or e < 0.75 or key is null
                  or at > ends - interval '9 days' then 'Northlight'
                else 'Northlight reserve' end as channel
      from draw d cross join lateral (
        select case when family = 'image' then '' when is_young or a < 0.56 then '480p'
                    else '720p' end as resolution,
               case when family = 'image' and (is_young or a < 0.3) then 'draft'
                    when family = 'image'
                    then past.pick('{1:1,16:9,3:4,9:16,3:2}', '{5,8,10,12,13}', b)
                    else past.pick('{16:9,9:16,1:1}', '{6,9,10}', b) end as ratio,
               case when is_young or c < 0.7 then 5 when c < 0.9 then 8 else 10 end as seconds) w
      left join format f on f.model = d.model and f.ratio = w.ratio and f.resolution = w.resolution
  ), went as (
    select d.*, case when family <> 'text' then null
             when channel = 'Meridian Text' and f < 0.7 and (
               at between ends - interval '417.6 hours' and ends - interval '415.2 hours'
               or at between ends - interval '4.3 hours' and ends - interval '2.9 hours')
             then 'upstream_failed' end as trouble,
           (case when channel = 'Meridian Text' then 610 else 380 end * exp(0.4 * z))::int as first,
           greatest(2, least(cap, (output * exp(0.7 * y))::int)) as text_output,
           greatest(8, (input * exp(0.6 * x))::int) as text_input,
           (7000 * exp(0.6 * y))::int as queue
      from drawn d
  ), ending as (
    select w.*, case family
        when 'text' then coalesce(trouble, past.pick(
          '{NULL,upstream_failed,upstream_timeout,upstream_bad_response,content_rejected,'
            'client_gone}', '{982,989,992,994,998,1000}', e))
        when 'image' then past.pick('{NULL,content_rejected,upstream_failed}', '{96,98.5,100}', e)
        else past.pick('{NULL,content_rejected,upstream_failed,task_cancelled}',
          '{90,95,98,100}', f)
      end as failure,
      family = 'text' and a < streamed as is_stream,
      case when family = 'image' then round(width * height / 256.0)
           when family = 'video' then ceil(width * height * (24 * seconds + 1) / 1024.0)
           else text_output end as tokens
      from went w
  )
  insert into past.planned
  select email, key, family, model, channel, null,
         prompts -> family -> language ->> (noise_place % json_array_length(prompts -> family
           -> language)),
         at, took, at + took * interval '1 millisecond', failure,
         case when failure = 'upstream_timeout' then 'usage_missing' end,
         case when family = 'text' then text_input else 0 end, tokens,
         case when family = 'text' then (text_input * 4.2)::int + 64 else 0 end,
         case when family = 'text' then cap
              when family = 'video' then ceil(most * (24 * seconds + 1) / 1024.0) else tokens end,
         is_stream, is_stream and failure is null and b < 0.02,
         case when family <> 'text' or failure is not null then null
              when is_stream then first else took end,
         width, height, case when ratio = 'draft' then '1:1' else ratio end, resolution, seconds,
         case when family = 'video' and failure is distinct from 'task_cancelled' then queue end,
         case when family = 'video' and key = 'Production' and b < 0.5
              then 'https://hooks.lumen-films.example/relay' end,
         case when family <> 'video' then null when failure is null then 'succeeded'
              when failure = 'task_cancelled' then 'cancelled' else 'failed' end,
         0, is_young and family <> 'text', null, fixed,
         (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '7'
           || substr(noise, 17, 3) || '8' || substr(noise, 20, 13)
           || substr(noise, 1, 2))::uuid, noise
    from ending cross join lateral (
      select case when failure = 'upstream_timeout' then 60000 + (a * 900)::int
                  when family = 'image' then (9500 * exp(0.35 * x))::int
                  when family = 'video' then queue + (seconds * 11000 * exp(0.3 * x))::int
                  when failure is null then first + (tokens * (9 + 13 * b))::int
                  else first end as took,
             ('x' || substr(noise, 1, 6))::bit(24)::int as noise_place) t;
  with special as (delete from past.planned where fixed is not null returning *)
  insert into past.planned
    select r.* from special s, jsonb_populate_record(row(s.*)::past.planned, s.fixed) r;
  update past.planned set ended_at = case when status in ('queued', 'running') or node is not null
      then null else at + duration * interval '1 millisecond' end
    where fixed is not null;
  delete from past.planned where ended_at >= ends;
  select count(*) from past.planned;
$$;

-- The requests that ended before `until`, or all that are left, as the ledger's writer wants them:
-- at the price and the multiplier of their time, and as long as the account has points for them.
create function past.take(until timestamptz, is_last boolean) returns bigint language plpgsql as $$
begin
  create temporary table made_request on commit drop as
  with taken as (
    delete from past.planned where ended_at < until or is_last returning *
  ), named as (
    select r.*, u.id as user_id, u.account_id as account, k.id as key_id, p.id as price,
           c.id as channel_id, p.input_price::numeric as input_price,
           p.output_price::numeric as output_price,
           coalesce(m.multiplier_ppm, a.own_multiplier_ppm, g.multiplier_ppm, o.multiplier_ppm,
             1000000) as ppm
      from taken r join "user" u on u.email = r.email join account a on a.id = u.account_id
      join channel c on c.name = r.channel
      left join api_key k on k.account_id = a.id and k.name = r.key
      left join account_model_multiplier m on m.account_id = a.id and m.model = r.model
      left join account_group_multiplier g on g.group_id = a.group_id and g.model = r.model
      left join account_group o on o.id = a.group_id
      left join lateral (select * from price_version p
        where p.model = r.model and p.effective_at <= r.at order by p.effective_at desc limit 1) p
        on true
     where (r.key is null or k.paused_at is null or r.at < k.paused_at)
  ), priced as (
    select n.*, div((input_tokens * input_price + output_tokens * output_price) * ppm
             + 999999999999, 1000000000000)::bigint as due,
           div((hold_input * input_price + hold_output * output_price) * ppm
             + 999999999999, 1000000000000)::bigint as hold
      from named n
  ), summed as (
    select p.*, sum(case when failure is null then least(due, hold) else 0 end)
                  over (partition by account order by at, id) as spent
      from priced p
  )
  select s.id, account, key_id as key, past.new_id('req_', at, noise) as request_id, family, model,
         null::text as dialect, price, ppm as multiplier_ppm,
         case when family = 'text' then hold else due end as quote, hold, node, at,
         at + case family when 'text' then interval '2 hours' when 'video' then interval '72 hours'
                          else interval '20 minutes' end as deadline,
         case when ended_at is not null
              then case when failure is null then 'settled' else 'released' end end as outcome,
         ended_at, due, input_tokens, output_tokens, failure as reason, channel_id as channel,
         case when family <> 'image' and (failure is null or family = 'video')
              then coalesce('demo-' || (fixed ->> 'upstream') || '-', '')
                || case when family = 'text' then 'chatcmpl-' else 'cgt-' end || s.id end
           as upstream_ref, is_stream, is_abandoned, duration, first_byte, loss,
         user_id, prompt, width, height, ratio, resolution, seconds, queued, callback_url, status,
         poll_failures, media_id, noise
    from summed s join wallet w on w.account_id = s.account
   -- Without a price the ledger refuses all of them, rather than that one is missing.
   where coalesce(spent + hold, 0) <= credits_posted - debits_posted - debits_pending;
  create temporary table shown_request on commit drop as
    select *, past.new_id('cgt-', at, noise) as task_id from made_request;
  return (select count(*) from shown_request);
end $$;

-- What belongs to the requests of `past.take`, which the ledger has now.
create function past.show(ends timestamptz) returns void language plpgsql as $$
begin
  insert into playground_operation (operation_id, account_id, user_id, created_at)
    select id, account, user_id, at from shown_request where key is null;
  update api_key k set last_used_at = greatest(used.at, k.last_used_at)
    from (select key, max(at) as at from shown_request group by 1) used where used.key = k.id;
  update channel c set first_used_at = used.at
    from (select channel, min(at) as at from shown_request group by 1) used
   where used.channel = c.id and c.first_used_at is null;

  -- The files of older results were removed since.
  update shown_request set media_id = past.new_id('media_', ended_at, noise)
    where media_id is null and family <> 'text' and outcome = 'settled';
  insert into media (id, account_id, kind, extension, content_type, bytes, width, height,
      created_at, stored_at, expires_at, deleted_at)
    select media_id, account, family, case when is_video then 'mp4' else 'png' end,
           case when is_video then 'video/mp4' else 'image/png' end,
           (width * height * case when is_video then 0.4 * seconds else 1.1 end)::bigint,
           case when not is_video then width end, case when not is_video then height end, ended_at,
           ended_at, removed_at, case when removed_at < ends then removed_at end
      from (select *, family = 'video' as is_video, ended_at + interval '30 hours' as removed_at
              from shown_request where media_id is not null) r
    on conflict (id) do nothing;

  insert into image_result (id, operation_id, account_id, model, spec, media_id, result_expires_at,
      created_at)
    select request_id, id, account, model,
           jsonb_build_object('prompt', prompt, 'width', width, 'height', height, 'ratio', ratio,
             'seed', null, 'pictures', '[]'::jsonb),
           media_id, case when media_id is not null then ended_at + interval '1 day' end, at
      from shown_request where family = 'image';

  insert into video_task (id, operation_id, account_id, api_key_id, model, model_named, spec,
      channel_id, channel_protocol, channel_base_url, submit_state, submits, upstream_ref, polls,
      poll_failures, callback_url, created_at, updated_at, submitted_at)
    select task_id, r.id, account, key, model, model,
           jsonb_build_object('prompt', prompt, 'resolution', resolution, 'ratio', ratio,
             'durationSeconds', seconds, 'seed', null, 'generateAudio', false, 'watermark', false,
             'cameraFixed', null, 'pictures', '[]'::jsonb),
           c.id, c.protocol, c.base_url, 'accepted', 1, upstream_ref,
           greatest(poll_failures + 3, least(400, duration / 2500)), poll_failures, callback_url,
           at, at, at + interval '0.9 seconds'
      from shown_request r join channel c on c.id = r.channel where family = 'video';
  update video_task t set status = 'running', updated_at = running, running_at = running
    from (select task_id, at + queued * interval '1 millisecond' as running
            from shown_request where queued is not null) r
   where t.id = r.task_id;
  update video_task t
     set status = r.status, updated_at = r.ended_at, ended_at = r.ended_at, error_code = reason,
         media_id = r.media_id, output_tokens = case when reason is null then r.output_tokens end,
         result_expires_at = case when reason is null then r.ended_at + interval '1 day' end,
         facts = case when reason is null then jsonb_build_object('resolution', resolution,
           'ratio', ratio, 'durationSeconds', seconds, 'framesPerSecond', 24, 'seed', null) end
    from shown_request r where t.id = r.task_id and r.ended_at is not null;
  -- What the upstreams of failed requests said.
  insert into upstream_attempt (id, operation_id, channel_id, model, upstream_model, code, internal,
      status, said, took_ms, ended_at)
    select gen_random_uuid(), r.id, c.id, r.model, coalesce(c.models ->> r.model, r.model), reason,
           case reason when 'upstream_failed' then 'status 503: service_unavailable' else reason end,
           case reason when 'upstream_failed' then 503 when 'upstream_bad_response' then 200 end,
           case reason when 'upstream_failed' then 'service_unavailable: overloaded, try again' end,
           duration, r.ended_at
      from shown_request r join channel c on c.id = r.channel
     where reason like 'upstream%' and r.ended_at > ends - interval '30 days';
  update callback_delivery d
     set created_at = ended_at, last_answer = case when is_lost then '503' else '204' end,
         attempts = case when is_lost then 8 else 1 end,
         delivered_at = case when not is_lost then ended_at end,
         given_up_at = case when is_lost then ended_at + interval '1 hour' end
    from (select *, noise < '0a' as is_lost from shown_request where ended_at is not null) r
   where d.task_id = r.task_id;
end $$;

-- The health of the channels, of the days for which the product keeps it; by the steps of
-- lib/channels/latency.ts.
create function past.note_health(ends timestamptz) returns void language sql as $$
  insert into channel_minute (channel_id, minute, succeeded, failed, refused, latencies, last_error,
      last_error_at)
  select channel_id, minute, cardinality(steps), count_failed, refused,
         array(select cardinality(array_positions(steps, place)) from generate_series(0, 49) place),
         case when count_failed > 0 then error end, case when count_failed > 0 then error_at end
    from (
      select channel_id, date_trunc('minute', at) as minute,
             coalesce(array_agg(step) filter (where not is_failed and not is_refused), '{}') steps,
             count(*) filter (where is_failed) as count_failed,
             count(*) filter (where is_refused) as refused,
             max(reason) filter (where is_failed)
               || ': status 503: service_unavailable' as error,
             max(at) filter (where is_failed) as error_at
        from (select channel_id, created_at as at, reason,
                     reason is not null and reason like 'upstream%' as is_failed,
                     reason is not distinct from 'content_rejected' as is_refused,
                     least(49, greatest(0, ceil(ln(greatest(1, case when family = 'video' then 900
                       else duration_ms end) / 10.0) / ln(1.25))))::int as step
                from request
               where created_at > ends - interval '8 days' and channel_id is not null) r
       group by 1, 2) m
$$;

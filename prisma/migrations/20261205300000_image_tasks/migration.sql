-- A task may be of an image: an order that nobody waits for. Its owner reads its row of
-- image_result, which has the id of the task.
alter table video_task add column family text not null default 'video'
  constraint video_task_family check (family in ('video', 'image'));

-- Of an order of several images: each one's stored file, or why it is missing. media_id is the
-- first file.
alter table image_result add column items jsonb
  constraint image_result_items check (jsonb_typeof(items) = 'array'
    and jsonb_array_length(items) <= 15);

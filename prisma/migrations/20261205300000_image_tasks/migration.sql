-- A task may be of an image: an order that nobody waits for. Its owner reads its row of
-- image_result, which has the id of the task.
alter table video_task add column family text not null default 'video'
  constraint video_task_family check (family in ('video', 'image'));

-- An image that is taken apart has up to 16 layers, and the picture behind them.
alter table image_result
  drop constraint image_result_items,
  add constraint image_result_items check (jsonb_typeof(items) = 'array'
    and jsonb_array_length(items) <= 17);

-- A file may have several frames.
alter table media
  drop constraint media_extension_check,
  add constraint media_extension_check check (extension in ('mp4', 'png', 'jpg', 'webp', 'gif'));

-- Settings may be a legal page or a logo of 64 KiB, which base64 makes 88 KiB.
alter table live_setting drop constraint live_setting_value_check;
alter table live_setting add constraint live_setting_value_check
  check (pg_column_size(value) <= 98304);

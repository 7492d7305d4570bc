-- Reads every row, but lets requests read and write meanwhile.
alter table notification validate constraint notification_kind_check;

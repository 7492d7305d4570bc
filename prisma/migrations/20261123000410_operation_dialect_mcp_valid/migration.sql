-- Reads every row, but lets requests read and write meanwhile.
alter table operation validate constraint operation_dialect_check;

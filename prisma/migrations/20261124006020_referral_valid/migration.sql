-- Reads every row, but lets requests read and write meanwhile.
alter table ledger_entry validate constraint ledger_entry_kind;

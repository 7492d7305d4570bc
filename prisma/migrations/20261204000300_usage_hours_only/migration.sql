-- The usage pages read the sums of hours, what no sum has yet, and the rows of an hour in which a
-- day begins: the sums of parts of hours and of four hours go.
drop table usage_part, usage_cut, usage_cut_head, usage_block, usage_block_mark, usage_block_head;

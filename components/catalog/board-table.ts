/** For the table of a `BoardHead`: its columns keep still while the rows arrive. */
export const boardTable = "[&>table]:@5xl/table:table-fixed";

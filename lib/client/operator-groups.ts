import { groupEndpoints } from "../contract/operator-groups";
import { reading } from "./read";

export const groupsQuery = reading(["operator", "groups"], groupEndpoints.listGroups, {});

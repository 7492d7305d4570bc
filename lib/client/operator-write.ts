import { useMutation, useQueryClient } from "@tanstack/react-query";
import type * as z from "zod";
import { requestWithProof } from "./proof";

/** A change an operator makes: asks for the password where the last proof is old, and reads the operators' pages anew. */
export function useOperatorWrite<Answer>(path: string, schema: z.ZodType<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body?: object) => requestWithProof(path, schema, { method: "POST", body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["operator"] }),
  });
}

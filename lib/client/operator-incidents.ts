import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import {
  incidentEndpoints,
  type OpenIncidentBody,
  type UpdateIncidentBody,
} from "../contract/operator-incidents";
import { call } from "./call";
import { reading } from "./read";

export const incidentsQuery = reading(
  ["operator", "incidents"],
  incidentEndpoints.listIncidents,
  {},
);

type Incidents = z.infer<(typeof incidentEndpoints)["listIncidents"]["answer"]>;

function useIncidentsMutation<Change>(send: (change: Change) => Promise<Incidents>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (incidents) => client.setQueryData(incidentsQuery.queryKey, incidents),
  });
}

export const useOpenIncident = () =>
  useIncidentsMutation((body: OpenIncidentBody) => call(incidentEndpoints.openIncident, { body }));

export const useUpdateIncident = () =>
  useIncidentsMutation(({ id, ...body }: UpdateIncidentBody & { id: string }) =>
    call(incidentEndpoints.updateIncident, { id, body }),
  );

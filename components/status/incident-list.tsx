import { Card, CardHead } from "@/components/ui/card";
import type { IncidentView } from "@/lib/contract/incidents";
import { IncidentEntry } from "./incident-entry";

interface IncidentListProps {
  id: string;
  title: string;
  note?: string;
  incidents: readonly IncidentView[];
  /** Shown when there are none. */
  empty: string;
}

export function IncidentList({ id, title, note, incidents, empty }: IncidentListProps) {
  return (
    <Card aria-labelledby={id} className="mb-3.5">
      <CardHead id={id} title={title} note={note} />
      {incidents.length === 0 ? (
        <p className="border-t px-5 py-10 text-center text-muted">{empty}</p>
      ) : (
        <ul className="divide-y border-t">
          {incidents.map((incident) => (
            <IncidentEntry key={incident.id} incident={incident} />
          ))}
        </ul>
      )}
    </Card>
  );
}

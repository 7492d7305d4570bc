import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { showToast } from "@/components/ui/toast";
import { useUpdateIncident } from "@/lib/client/operator-incidents";
import type { IncidentView } from "@/lib/contract/incidents";
import { useUpdateForm } from "./incident-form";
import { UpdateFields } from "./update-fields";

interface UpdateDialogProps {
  incident: IncidentView;
  onClose: () => void;
}

export function UpdateDialog({ incident, onClose }: UpdateDialogProps) {
  const t = useTranslations("operator.incidents");
  const update = useUpdateIncident();
  const form = useUpdateForm(
    incident.updates[0]?.state ?? "investigating",
    (body) => update.mutateAsync({ id: incident.id, ...body }),
    () => {
      showToast(t("updated"));
      onClose();
    },
  );
  return (
    <FormDialog
      form={form}
      title={t("update")}
      note={t("updateNote")}
      go={t("goUpdate")}
      onClose={onClose}
      className="sm:w-[min(36rem,calc(100vw-2rem))]"
    >
      <UpdateFields field={form.field} />
    </FormDialog>
  );
}
